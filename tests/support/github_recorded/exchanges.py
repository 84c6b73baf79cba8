"""Exchanges with api.github.com of 2012 to 2023, as vcrpy kept them for another client."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
    """A request and its response.

    Args:
        path: The path without the query; the whole URL outside the API.
        headers: The response's headers, with names in lower case.
        text: The response's body.
        file: The name of the recording's file.
    """

    method: str
    path: str
    status: int
    headers: dict[str, str]
    text: str
    file: str

    @property
    def body(self) -> Any:
        """The body as JSON; None for any other content, such as a diff."""
        try:
            return json.loads(self.text or "null")
        except ValueError:
            return None

    @property
    def succeeded(self) -> bool:
        return self.status < 300

    @property
    def named(self) -> str:
        """Method and path, with `R` for a repository's, and the media type of a response that is not JSON."""
        media = MEDIA.match(self.headers.get("content-type", ""))
        given = f" as {media[1]}" if media else ""
        return f"{self.method} {REPOSITORY.sub('R', self.path)}{given}"

    @property
    def repository(self) -> list[str]:
        """The owner and the name of the repository in the path."""
        return self.path.split("/")[2:4]


def read_exchanges() -> list[Exchange]:
    """Read all exchanges, in the order of their files."""
    return [exchange for path in sorted(FOLDER.glob("*.yaml")) for exchange in _exchanges_in(path)]


def _exchanges_in(path: Path) -> Iterator[Exchange]:
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


def iterate_objects(body: Any) -> Iterator[dict[str, Any]]:
    """Iterate over every object in a body, at any depth."""
    if isinstance(body, dict):
        yield body
        body = list(body.values())
    if isinstance(body, list):
        for inner in body:
            yield from iterate_objects(inner)
