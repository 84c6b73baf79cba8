"""Reading what was recorded."""

import json
import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import yaml
from attrs import frozen
from lab import CASSETTES

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef

RECORDINGS = Path(__file__).parents[4] / "shared" / "recordings"
GITEA = ("gitea-1.25", "gitea-1.26", "gitea-1.27")
FORGEJO = "forgejo-14"
"""Copied to cassettes; all others are read in place."""
BESIDE = (*GITEA, "forgejo-15", "forgejo-16")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ABSENT = 404
NUMBER = re.compile(r"(?<=/)\d+(?=/|$)")


@frozen
class Exchange:
    """One question and its answer; `place` is the path, in which `R` stands for that of a repository."""

    server: str
    file: str
    position: int
    method: str
    path: str
    query: dict
    sent: object
    status: int
    body: object
    text: str
    location: str

    @property
    def place(self):
        return self.path if ".." in unquote(self.path) else re.sub(r"^/api/v1/repos/[^/]+/[^/]+", "R", self.path)

    @property
    def route(self):
        return NUMBER.sub("N", self.place)

    @property
    def root(self):
        return "/".join(self.path.split("/")[:6])

    @property
    def repository(self):
        return RepositoryRef(*map(unquote, self.path.split("/")[4:6]))

    @property
    def numbers(self):
        """The numbers of the path below the repository, from left to right."""
        return NUMBER.findall(self.place)

    @property
    def issue(self):
        return IssueRef(self.repository, int(self.numbers[0]))

    @property
    def pr(self):
        return PullRequestRef(self.repository, int(self.numbers[0]))


def folder_of(server):
    return CASSETTES / server if server == FORGEJO else RECORDINGS / server


@cache
def exchanges_in(folder):
    """Read all exchanges of a folder, in the order in which they were had."""
    return tuple(exchange for path in sorted(folder.glob("*.yaml")) for exchange in _of_file(path))


def _of_file(path):
    for position, row in enumerate(yaml.load(path.read_text(encoding="utf-8"), LOADER)["interactions"]):
        request, response = row["request"], row["response"]
        uri, text = urlsplit(request["uri"]), (response["body"] or {}).get("string") or ""
        yield Exchange(
            server=path.parent.name,
            file=path.name.partition("-")[0],
            position=position,
            method=request["method"],
            path=uri.path,
            query=dict(parse_qsl(uri.query, keep_blank_values=True)),
            sent=as_json(request["body"]),
            status=response["status"]["code"],
            body=as_json(text),
            text=text,
            location=(response["headers"].get("Location") or [""])[0],
        )


def as_json(text):
    """Read JSON; what is none, a log say, stays a text."""
    try:
        return json.loads(text or "null")
    except ValueError:
        return text


def rows_in(body, kind):
    """Give every object in an answer that has all these fields, at any depth."""
    if isinstance(body, dict):
        if kind <= body.keys():
            yield body
        body = list(body.values())
    for inner in body if isinstance(body, list) else ():
        yield from rows_in(inner, kind)
