"""What GitHub's tests share: real exchanges, read in place, and a forge at a loopback address."""

import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml

from stithy_core.testing import make_app

RECORDINGS = Path(__file__).parents[3] / "shared/recordings/github"
API = "https://api.github.com"


@pytest.fixture(scope="session")
def recorded():
    """Every exchange with GitHub that was recorded as JSON: method, path without its query, status and body."""
    if not RECORDINGS.is_dir():
        pytest.skip(f"it needs the real exchanges with GitHub, which are not at {RECORDINGS}")
    return [exchange for path in sorted(RECORDINGS.glob("*.yaml")) for exchange in exchanges_in(path)]


def exchanges_in(path):
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for row in yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]:
        request, response = row["request"], row["response"]
        try:
            body = json.loads(response["body"]["string"] or "null")
        except ValueError:  # a diff, say
            continue
        yield request["method"], request["uri"].removeprefix(API).split("?")[0], response["status"]["code"], body


@pytest.fixture
def rows(recorded):
    """Give the records that were answered with success at paths of a form; `R` stands for a repository's."""

    def matching(pattern):
        form = re.compile(pattern.replace("R", r"/repos/[^/]+/[^/]+", 1))
        bodies = [body for _, path, status, body in recorded if status < 300 and body and form.fullmatch(path)]
        found = [row for body in bodies for row in (body if isinstance(body, list) else [body])]
        assert found, f"nothing was recorded at {pattern}"
        return found

    return matching


@pytest.fixture
def github(tmp_path):
    """Give the forge at an address, as a tool plugin gets it; without a token where that is empty."""

    @asynccontextmanager
    async def at(url, *, token="token", read_only=False):
        settings = f'[forges.hub]\nkind = "github"\nurl = "{url}"\nread_only = {str(read_only).lower()}\n'
        if token:
            settings += 'token = { env = "HUB_TOKEN" }\n'
        app = make_app(tmp_path, settings, environ={"HUB_TOKEN": token} if token else {})
        async with app.running():
            yield app.forges.forge("hub")

    return at
