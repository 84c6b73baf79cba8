"""Forgejo 14, played from exchanges of a real server with another client (cassettes/README.md).

Where that client did not send a request, its response is built from its other exchanges.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from lab import CASSETTES

from stithy_testing import Tape, playback

OWNER = "owner28cb4b8b"
API = f"/api/v1/repos/{OWNER}/lab"


class Recording(Tape):
    """Several recordings as one."""

    def add_json(self, method: str, path: str, body: Any, status: int = 200) -> None:
        """Add a JSON response, or an empty one."""
        headers = {"Content-Type": ["application/json"]} if body is not None else {}
        content = "" if body is None else json.dumps(body)
        said = {"status": {"code": status}, "headers": headers, "body": {"string": content}}
        self.add({"method": method, "uri": path, "body": ""}, said)


def read_interactions(number: str) -> list[dict[str, Any]]:
    """Read the exchanges of the recording with that number."""
    (path,) = (CASSETTES / "forgejo-14").glob(f"{number}-*.yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: list[dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]
    return rows


def find_answer(number: str, method: str, path: str) -> Any:
    """Return a recorded response's JSON, by method and the path below the repository."""
    for row in read_interactions(number):
        if (row["request"]["method"], row["request"]["uri"].split("lab", 1)[-1]) == (method, path):
            return json.loads(row["response"]["body"]["string"])
    raise LookupError(path)


@contextmanager
def play_recordings(
    *numbers: str, without: Iterable[str] = (), prepare: Callable[[Recording], None] = lambda _: None
) -> Iterator[str]:
    """Serve some recordings, and yield the URL; any other request fails the test."""
    tape = Recording()
    for row in [row for number in numbers for row in read_interactions(number)]:
        if row["request"]["method"] not in without:
            tape.add(row["request"], row["response"])
    prepare(tape)
    with playback(tape) as url:
        yield url
    assert not tape.missed


def remove_description(tape: Recording) -> None:
    """Remove the API description, and add the responses of routes: as in 11 and 66, and to an unknown owner."""
    nowhere = "/api/v1/repos/-/-/pulls"
    tape.add_json("GET", "/swagger.v1.json", None, 404)
    tape.add_json("POST", f"{nowhere}/comments/0/resolve", None, 405)
    tape.add_json("POST", f"{nowhere}/0/comments/0/replies", None, 405)
    tape.add_json("POST", f"{nowhere}/0/reviews/0/comments", {"message": "GetUserByName", "url": "", "errors": []}, 404)


def add_review(number: str) -> Callable[[Recording], None]:
    """Return a function that adds the list of reviews of number 1: the one review that the recording created."""

    def prepare(tape: Recording) -> None:
        remove_description(tape)
        tape.add_json("GET", f"{API}/pulls/1/reviews", [find_answer(number, "POST", "/pulls/1/reviews")])

    return prepare
