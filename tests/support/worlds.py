"""Worlds that a test module makes once on a live server, and that its tests only read.

A module says `WORLD`, the repository's name, and `make`, which fills it. Each test has a recording of its own,
`WORLD-NAME.yaml`, or shares that of its class; on a recording the world is only named.
"""

import os
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext

import attrs
import httpx
import pytest
from lab import CASSETTES, LIVE, READER, RECORDED, Lab, tape_of
from plugin_entries import find_entries

from stithy_core.spi import Forge, PullRequestRef, RepositoryRef
from stithy_gitea.recordings import shorten_recording
from stithy_testing import make_app, playback
from stithy_testing.cassette_recorder import record_cassette


@pytest.fixture(scope="module", params=[*RECORDED, *(pytest.param(name, marks=pytest.mark.live) for name in LIVE)])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str | None, Lab]]:
    """The module's world, on each recorded server and on each live one."""
    folder, name = tmp_path_factory.mktemp("world"), request.module.WORLD
    if request.param in RECORDED:
        yield request.param, Lab("", name, folder)
        return
    if request.param == "FORGEJO" and getattr(request.module, "GITEA_ONLY", ""):
        pytest.skip(request.module.GITEA_ONLY)
    url, token = (os.environ[f"STITHY_LIVE_{request.param}_{word}"] for word in ("URL", "TOKEN"))
    me = httpx.get(f"{url}/api/v1/user", headers={"Authorization": f"token {token}"}, timeout=60).raise_for_status()
    lab = Lab(url.rstrip("/"), name, folder, token=token, owner=me.json()["login"], live=True)
    lab.delete()
    lab.setup("POST", "/user/repos", {"name": name, "auto_init": True, "default_branch": "main"})
    lab.create_reader()
    request.module.make(lab)
    yield os.environ.get("STITHY_RECORD"), lab
    lab.delete()
    lab.setup("DELETE", f"/admin/users/{READER}?purge=true")


@pytest.fixture
def world(request: pytest.FixtureRequest, server: tuple[str | None, Lab]) -> Iterator[Lab]:
    """The module's world for one test; the tests of a class ask the same and have one recording."""
    folder, lab = server
    asked = re.sub(r"(?<!^)(?=[A-Z])", "-", request.cls.__name__).lower() if request.cls else request.node.name
    test = re.sub(r"\[.*|^test[_-]", "", asked).replace("_", "-")[:50].rstrip("-")
    if lab.live:
        path = CASSETTES / (folder or "") / f"{lab.name}-{test}.yaml"
        recorded = record_cassette(path, url=lab.url, host=f"{folder}.example", shorten=shorten_recording)
        with recorded if folder else nullcontext():
            yield lab
        if folder and path.exists():  # what an address was signed with goes nowhere
            path.write_text(re.sub(r"\bsig=[\w-]+", "sig=REDACTED", path.read_text(encoding="utf-8")), encoding="utf-8")
        return
    assert folder is not None
    tape = tape_of(folder, f"{lab.name}-{test}")
    with playback(tape, hosts=[f"{folder}.example"]) as url:
        yield attrs.evolve(lab, url=url)
    assert not tape.missed


@asynccontextmanager
async def open_forge(lab: Lab, *, token: str | None = None) -> AsyncIterator[Forge]:
    """Yield the forge as a tool plugin gets it; `token` for another user than the world's owner."""
    async with open_forges(lab, 1, token=token) as (forge,):
        yield forge


@asynccontextmanager
async def open_forges(lab: Lab, count: int, *, token: str | None = None) -> AsyncIterator[Iterator[Forge]]:
    """Yield the same forge several times, each without what another one has read, in one app."""
    setting = f'kind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    settings = "".join(f"[forges.lab{number}]\n{setting}" for number in range(count))
    app = make_app(
        lab.folder, settings, environ={"LAB_TOKEN": token or lab.token}, entries=find_entries("stithy-gitea")
    )
    async with app.running():
        yield (app.forges.forge(f"lab{number}") for number in range(count))


def repository_of(lab: Lab) -> RepositoryRef:
    return RepositoryRef(lab.owner, lab.name)


def pull_request_of(lab: Lab, number: int = 1) -> PullRequestRef:
    return PullRequestRef(repository_of(lab), number)
