"""A server that gives the answer under test, and to all else what the same server said in its other exchanges."""

import json
import re
from collections import defaultdict
from functools import cache
from urllib.parse import parse_qsl, urlsplit

from gitea_recorded.exchanges import ABSENT, NUMBER, as_json, exchanges_in, folder_of
from stithy_testing import Tape

NOBODYS = "/api/v1/repos/-/-/"


class Stage(Tape):
    """One server for one teller after another, since opening one takes longer than all that it is asked."""

    def __init__(self):
        super().__init__()
        self.teller = None

    def play(self, method, uri, body):
        return self.teller.play(method, uri, body)


class Teller(Tape):
    """A server that tells one thing first, and for the rest what it told elsewhere."""

    def __init__(self, exchange):
        super().__init__()
        self.asked = []
        self.others = told_by(exchange.server, folder_of(exchange.server))

    def tell(self, method, path, body, status=200, location=""):
        """Add an answer; several at one place are given one after the other, and the last for ever."""
        headers = {"Content-Type": ["application/json"]} if body is not None else {}
        headers |= {"Location": [location]} if location else {}
        text = body if isinstance(body, str) else json.dumps(body) if body is not None else ""
        said = {"status": {"code": status}, "headers": headers, "body": {"string": text}}
        self.add({"method": method, "uri": path, "body": ""}, said)

    def again(self, exchange, *, method="", path=""):
        """Tell what an exchange told, at the same place or another."""
        place = method or exchange.method, path or exchange.path
        self.tell(*place, exchange.text, exchange.status, exchange.location)

    def play(self, method, uri, body):
        parts = urlsplit(uri)
        path, page = parts.path, dict(parse_qsl(parts.query)).get("page", "1")
        self.asked.append((method, path, dict(parse_qsl(parts.query)), as_json(body)))
        if not any(key[:2] == (method, path) for key in self.exchanges):
            self.tell(method, path, *self.others(method, path))
        answer = super().play(method, path, b"")
        if page != "1":  # what lies behind the last page
            return type(answer)(200, answer.headers, b"[]" if answer.body.startswith(b"[") else b"{}")
        return answer

    def sent(self):
        """Give what would have changed something."""
        return [(method, path, body) for method, path, _, body in self.asked if method != "GET" and NOBODYS not in path]


@cache
def told_by(server, folder):
    """Give what a server said anywhere, by method and path: body, status; 404 where it was never asked."""
    said, routes = {}, defaultdict(set)
    for exchange in exchanges_in(folder):
        routes[exchange.method, exchange.route].add(exchange.status)
        if exchange.method == "GET" and exchange.status in (200, 204):
            said[exchange.path] = (exchange.text or None, exchange.status)
        for path, row in _readable(exchange):
            said.setdefault(path, (row, 200))
    said |= _of_the_server(server)

    def others(method, path):
        if NOBODYS in path:  # is there such a route? 405 says that there is none of that method
            lacking = 405 in routes[method, NUMBER.sub("N", path.replace(NOBODYS, "R/"))]
            return (None, 405) if lacking else ({"message": "GetUserByName"}, ABSENT)
        return said.get(path, ({"message": "not found"}, ABSENT)) if method == "GET" else (None, 405)

    return others


def _readable(exchange):
    """Say where one would read what somebody made."""
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


def _of_the_server(server):
    kind, _, version = server.partition("-")
    told = {"/api/v1/version": ({"version": f"{version}.0"}, 200)}
    if kind == "forgejo":
        told["/api/forgejo/v1/version"] = ({"version": f"{version}.0.0"}, 200)
    return told
