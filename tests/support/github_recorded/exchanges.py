"""Exchanges with api.github.com of 2012 to 2023, as vcrpy kept them for another client."""

import json
import re
from pathlib import Path

import yaml
from attrs import frozen

FOLDER = Path(__file__).parents[4] / "shared/recordings/github"
MISSING = f"it needs the real exchanges with GitHub, which are not at {FOLDER}"
API = "https://api.github.com"
MEDIA = re.compile(r"^application/vnd\.github\.(?:v3\.)?(diff|patch|sha)\b")
REPOSITORY = re.compile(r"^/repos/[^/]+/[^/]+")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@frozen(kw_only=True)
class Exchange:
    """One question and its answer.

    Args:
        path: Without the query; a whole address where it is no path of the API.
        headers: Of the answer, their names in lower case.
        text: The answer's body.
        file: Where it was recorded.
    """

    method: str
    path: str
    status: int
    headers: dict[str, str]
    text: str
    file: str

    @property
    def body(self):
        """The body as JSON; None where it is something else, a diff, say."""
        try:
            return json.loads(self.text or "null")
        except ValueError:
            return None

    @property
    def succeeded(self):
        return self.status < 300

    @property
    def named(self):
        """The method and the path, with `R` for a repository's, and as what it was given where that is no JSON."""
        media = MEDIA.match(self.headers.get("content-type", ""))
        given = f" as {media[1]}" if media else ""
        return f"{self.method} {REPOSITORY.sub('R', self.path)}{given}"

    @property
    def repository(self):
        """The owner and the name of the repository in the path."""
        return self.path.split("/")[2:4]


def recorded():
    """Read them all, in the order of their files."""
    return [exchange for path in sorted(FOLDER.glob("*.yaml")) for exchange in _exchanges_in(path)]


def _exchanges_in(path):
    for row in yaml.load(path.read_text(encoding="utf-8"), LOADER)["interactions"]:
        request, response = row["request"], row["response"]
        text = response["body"]["string"] or ""
        yield Exchange(
            method=request["method"],
            path=request["uri"].removeprefix(API).partition("?")[0],
            status=response["status"]["code"],
            headers={name.lower(): values[0] for name, values in response["headers"].items()},
            text=text if isinstance(text, str) else text.decode(),
            file=path.stem,
        )


def objects(body):
    """Give every object in an answer, at any depth."""
    if isinstance(body, dict):
        yield body
        body = list(body.values())
    if isinstance(body, list):
        for inner in body:
            yield from objects(inner)
