"""Forgejo 14 on exchanges that a real one had with another client (cassettes/README.md), put together for a test.

Where that client did not ask for something, the answer is put together from what it was told elsewhere.
"""

import json
from contextlib import contextmanager

import yaml
from lab import CASSETTES

from stithy_testing import Tape, playback

OWNER = "owner28cb4b8b"
API = f"/api/v1/repos/{OWNER}/lab"


class Recording(Tape):
    """Several recordings as one."""

    def put(self, method, path, body, status=200):
        """Add an answer of JSON, or an empty one."""
        headers = {"Content-Type": ["application/json"]} if body is not None else {}
        content = "" if body is None else json.dumps(body)
        said = {"status": {"code": status}, "headers": headers, "body": {"string": content}}
        self.add({"method": method, "uri": path, "body": ""}, said)


def exchanges(number):
    """Give the exchanges of the recording with that number."""
    (path,) = (CASSETTES / "forgejo-14").glob(f"{number}-*.yaml")
    return yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))["interactions"]


def answered(number, method, path):
    """Give what was once answered, by the end of its path behind the repository."""
    for row in exchanges(number):
        if (row["request"]["method"], row["request"]["uri"].split("lab", 1)[-1]) == (method, path):
            return json.loads(row["response"]["body"]["string"])
    raise LookupError(path)


@contextmanager
def played(*numbers, without=(), prepare=lambda _: None):
    """Serve some recordings, and give the URL; whatever else is asked for fails the test."""
    tape = Recording()
    for row in [row for number in numbers for row in exchanges(number)]:
        if row["request"]["method"] not in without:
            tape.add(row["request"], row["response"])
    prepare(tape)
    with playback(tape) as url:
        yield url
    assert not tape.missed


def undocumented(tape):
    """A server without its description, and what it says of routes: as in 11 and 66, and to an unknown owner."""
    nowhere = "/api/v1/repos/-/-/pulls"
    tape.put("GET", "/swagger.v1.json", None, 404)
    tape.put("POST", f"{nowhere}/comments/0/resolve", None, 405)
    tape.put("POST", f"{nowhere}/0/comments/0/replies", None, 405)
    tape.put("POST", f"{nowhere}/0/reviews/0/comments", {"message": "GetUserByName", "url": "", "errors": []}, 404)


def reviewed(number):
    """The list of reviews of number 1, which is that one review that the recording made."""

    def prepare(tape):
        undocumented(tape)
        tape.put("GET", f"{API}/pulls/1/reviews", [answered(number, "POST", "/pulls/1/reviews")])

    return prepare
