"""Reading what was recorded."""

import json
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import yaml
from attrs import frozen
from lab import CASSETTES

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef

RECORDINGS = Path(__file__).parents[4] / "shared" / "recordings"
GITEA = ("gitea-1.25", "gitea-1.26", "gitea-1.27")
FORGEJO = "forgejo-14"
"""Its recordings are copied to cassettes; all others are read in place."""
BESIDE = (*GITEA, "forgejo-15", "forgejo-16")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ABSENT = 404
NUMBER = re.compile(r"(?<=/)\d+(?=/|$)")


@frozen
class Exchange:
    """A request and its response; `place` is the path, with `R` for a repository's."""

    server: str
    file: str
    position: int
    method: str
    path: str
    query: dict[str, str]
    sent: Any
    status: int
    body: Any
    text: str
    location: str

    @property
    def place(self) -> str:
        return self.path if ".." in unquote(self.path) else re.sub(r"^/api/v1/repos/[^/]+/[^/]+", "R", self.path)

    @property
    def route(self) -> str:
        return NUMBER.sub("N", self.place)

    @property
    def root(self) -> str:
        return "/".join(self.path.split("/")[:6])

    @property
    def repository(self) -> RepositoryRef:
        return RepositoryRef(*map(unquote, self.path.split("/")[4:6]))

    @property
    def numbers(self) -> list[str]:
        """The numbers in the path below the repository, from left to right."""
        return NUMBER.findall(self.place)

    @property
    def issue(self) -> IssueRef:
        return IssueRef(self.repository, int(self.numbers[0]))

    @property
    def pr(self) -> PullRequestRef:
        return PullRequestRef(self.repository, int(self.numbers[0]))


def recording_folder(server: str) -> Path:
    return CASSETTES / server if server == FORGEJO else RECORDINGS / server


def list_files(folder: Path) -> list[str]:
    """Return the numbers of a folder's files, as `Exchange.file` has them; reading them takes a second."""
    return sorted({_get_number(path) for path in folder.glob("*.yaml")})


def _get_number(path: Path) -> str:
    return path.name.partition("-")[0]


@cache
def read_folder(folder: Path) -> tuple[Exchange, ...]:
    """Read all exchanges of a folder, in the order of their recording."""
    return tuple(exchange for path in sorted(folder.glob("*.yaml")) for exchange in _read_file(path))


def _read_file(path: Path) -> Iterator[Exchange]:
    for position, row in enumerate(yaml.load(path.read_text(encoding="utf-8"), LOADER)["interactions"]):
        request, response = row["request"], row["response"]
        uri, text = urlsplit(request["uri"]), (response["body"] or {}).get("string") or ""
        yield Exchange(
            server=path.parent.name,
            file=_get_number(path),
            position=position,
            method=request["method"],
            path=uri.path,
            query=dict(parse_qsl(uri.query, keep_blank_values=True)),
            sent=parse_json(request["body"]),
            status=response["status"]["code"],
            body=parse_json(text),
            text=text,
            location=(response["headers"].get("Location") or [""])[0],
        )


def parse_json(text: str | bytes | None) -> Any:
    """Parse JSON; return any other content, such as a log, as text."""
    try:
        return json.loads(text or "null")
    except ValueError:
        return text


def iterate_rows(body: Any, kind: AbstractSet[str]) -> Iterator[dict[str, Any]]:
    """Iterate over the objects of a body that have all these fields, at any depth."""
    if isinstance(body, dict):
        if kind <= body.keys():
            yield body
        body = list(body.values())
    for inner in body if isinstance(body, list) else ():
        yield from iterate_rows(inner, kind)
