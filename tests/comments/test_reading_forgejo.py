"""pull_request_read on a Forgejo 14, from exchanges that a real one had with another client (cassettes/README.md)."""

import json
from contextlib import asynccontextmanager

import pytest
import yaml
from lab import CASSETTES, Lab

from stithy_core.testing import Tape, playback

pytestmark = pytest.mark.anyio

OWNER = "owner28cb4b8b"
REVIEWS = f"/api/v1/repos/{OWNER}/lab/pulls/1/reviews"


def exchanges(number):
    (path,) = (CASSETTES / "forgejo-14").glob(f"{number}-*.yaml")
    return yaml.safe_load(path.read_text(encoding="utf-8"))["interactions"]


@asynccontextmanager
async def reading(tmp_path, *numbers, prepare=lambda _: None):
    """Give what reads on some recordings; whatever else is asked for fails the test."""
    tape = Tape()
    for row in [row for number in numbers for row in exchanges(number)]:
        tape.add(row["request"], row["response"])
    prepare(tape)
    with playback(tape) as url:
        async with Lab(url, "lab", tmp_path, owner=OWNER).connected() as call:
            place = {"repository": None, "pull_request_number": None, "owner": OWNER, "repo": "lab"}

            async def read(method, number):
                return await call("pull_request_read", **place, pullNumber=number, method=method)

            yield read
    assert not tape.missed


async def test_reviews_have_their_verdicts(tmp_path):
    async with reading(tmp_path, "62") as read:
        found = (await read("get_reviews", 67)).structured_content["reviews"]
    assert [row["state"] for row in found] == ["dismissed", "commented", "approved"]


async def test_a_draft_is_never_said_to_conflict(tmp_path):
    """Peers' mistake, section 4: `mergeable=false` taken for a conflict."""
    async with reading(tmp_path, "08", "47") as read:
        result = await read("get", 59)
    assert result.structured_content["details"]["draft"] is True
    assert "mergeable" not in result.structured_content["details"]
    assert "work in progress" in next(
        row["reason"] for row in result.structured_content["unknown"] if row["field"] == "details.mergeable"
    )


async def test_review_comments_have_ids_and_places(tmp_path):
    """The list of reviews is that one review that the recording made."""

    def prepare(tape):
        made = next(row["response"] for row in exchanges("64") if row["request"]["method"] == "POST")
        listed = {"status": {"code": 200}, "headers": made["headers"]}
        body = {"string": json.dumps([json.loads(made["body"]["string"])])}
        tape.add({"method": "GET", "uri": REVIEWS, "body": ""}, listed | {"body": body})

    async with reading(tmp_path, "95", "64", prepare=prepare) as read:
        result = await read("get_review_comments", 1)
    (row,) = result.structured_content["review_comments"]
    assert (row["id"], row["path"], row["line"], row["resolved"]) == (959, "a.py", 10, False)
    assert "[959] a.py:10, thread 959 (open" in result.content[0].text
