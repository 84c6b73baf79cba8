"""A server that plays the response under test, and the same server's other exchanges for other requests."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from gitea_recorded.exchanges import ABSENT, NUMBER, Exchange, parse_json, read_folder, recording_folder
from stithy_testing import Tape

NOBODYS = "/api/v1/repos/-/-/"


class Stage(Tape):
    """One server for many recorded servers in turn, since opening one takes longer than all of its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.teller: Teller

    def play(self, method: str, uri: str, body: bytes) -> Any:
        return self.teller.play(method, uri, body)


class Teller(Tape):
    """A server that plays some responses first, and its recorded ones for other requests."""

    def __init__(self, exchange: Exchange) -> None:
        super().__init__()
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.others = collect_answers(exchange.server, recording_folder(exchange.server))

    def tell(self, method: str, path: str, body: Any, status: int = 200, location: str = "") -> None:
        """Add a response. Several for one request are played in turn, and the last one from then on."""
        headers = {"Content-Type": ["application/json"]} if body is not None else {}
        headers |= {"Location": [location]} if location else {}
        text = body if isinstance(body, str) else json.dumps(body) if body is not None else ""
        said = {"status": {"code": status}, "headers": headers, "body": {"string": text}}
        self.add({"method": method, "uri": path, "body": ""}, said)

    def again(self, exchange: Exchange, *, method: str = "", path: str = "") -> None:
        """Add the response of an exchange, for the same request or another."""
        place = method or exchange.method, path or exchange.path
        self.tell(*place, exchange.text, exchange.status, exchange.location)

    def play(self, method: str, uri: str, body: bytes) -> Any:
        parts = urlsplit(uri)
        path, page = parts.path, dict(parse_qsl(parts.query)).get("page", "1")
        self.asked.append((method, path, dict(parse_qsl(parts.query)), parse_json(body)))
        if not any(key[:2] == (method, path) for key in self.exchanges):
            self.tell(method, path, *self.others(method, path))
        answer = super().play(method, path, b"")
        if page != "1":  # after the last page
            return type(answer)(200, answer.headers, b"[]" if answer.body.startswith(b"[") else b"{}")
        return answer

    def list_writes(self) -> list[tuple[str, str, Any]]:
        """Return the requests that would have changed something."""
        return [(method, path, body) for method, path, _, body in self.asked if method != "GET" and NOBODYS not in path]


@cache
def collect_answers(server: str, folder: Path) -> Callable[[str, str], tuple[Any, int]]:
    """Return a function from method and path to a server's recorded body and status; 404 without a recording."""
    said: dict[str, tuple[Any, int]] = {}
    routes: dict[tuple[str, str], set[int]] = defaultdict(set)
    for exchange in read_folder(folder):
        routes[exchange.method, exchange.route].add(exchange.status)
        if exchange.method == "GET" and exchange.status in (200, 204):
            said[exchange.path] = (exchange.text or None, exchange.status)
        for path, row in _list_created(exchange):
            said.setdefault(path, (row, 200))
    said |= _list_versions(server)

    def others(method: str, path: str) -> tuple[Any, int]:
        if NOBODYS in path:  # asks whether there is such a route; 405 means that it lacks the method
            lacking = 405 in routes[method, NUMBER.sub("N", path.replace(NOBODYS, "R/"))]
            return (None, 405) if lacking else ({"message": "GetUserByName"}, ABSENT)
        return said.get(path, ({"message": "not found"}, ABSENT)) if method == "GET" else (None, 405)

    return others


def _list_created(exchange: Exchange) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over path and record of the objects that a request created or changed."""
    row = exchange.body
    if exchange.method not in ("POST", "PATCH") or exchange.status not in (200, 201) or not isinstance(row, dict):
        return
    if "full_name" in row and "default_branch" in row:
        yield f"/api/v1/repos/{row['full_name']}", row
    for kind in ("issues", "pulls"):
        if re.fullmatch(rf"R/{kind}(/\d+)?", exchange.place):
            yield f"{exchange.root}/{kind}/{row['number']}", row
    if re.fullmatch(r"R/issues/\d+/comments", exchange.place):
        yield f"{exchange.root}/issues/comments/{row['id']}", row


def _list_versions(server: str) -> dict[str, tuple[Any, int]]:
    kind, _, version = server.partition("-")
    told = {"/api/v1/version": ({"version": f"{version}.0"}, 200)}
    if kind == "forgejo":
        told["/api/forgejo/v1/version"] = ({"version": f"{version}.0.0"}, 200)
    return told
