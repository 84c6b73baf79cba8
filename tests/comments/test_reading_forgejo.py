"""pull_request_read on a Forgejo 14, from exchanges that a real one had with another client (cassettes/README.md)."""

from contextlib import asynccontextmanager

import pytest
from forgejo_recorded import OWNER, add_review, play_recordings
from lab import Lab

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def reading(tmp_path, *numbers, prepare=lambda _: None):
    """Yield a function that reads from some recordings; any other request fails the test."""
    with play_recordings(*numbers, prepare=prepare) as url:
        async with Lab(url, "lab", tmp_path, owner=OWNER).connect_agent() as call:
            place = {"repository": None, "pull_request_number": None, "owner": OWNER, "repo": "lab"}

            async def read(method, number):
                return await call("pull_request_read", **place, pullNumber=number, method=method)

            yield read


async def test_reviews_have_their_verdicts(tmp_path):
    async with reading(tmp_path, "62") as read:
        found = (await read("get_reviews", 67)).structured_content["reviews"]
    assert [row["state"] for row in found] == ["dismissed", "commented", "approved"]


async def test_a_draft_is_never_said_to_conflict(tmp_path):
    """Prevents: `mergeable=false` taken for a conflict."""
    async with reading(tmp_path, "08", "47") as read:
        result = await read("get", 59)
    assert result.structured_content["details"]["draft"] is True
    assert "mergeable" not in result.structured_content["details"]
    assert "work in progress" in next(
        row["reason"] for row in result.structured_content["unknown"] if row["field"] == "details.mergeable"
    )


async def test_review_comments_have_ids_and_places(tmp_path):
    """The list of reviews is that one review that the recording made."""
    async with reading(tmp_path, "95", "64", prepare=add_review("64")) as read:
        result = await read("get_review_comments", 1)
    (row,) = result.structured_content["review_comments"]
    assert (row["id"], row["path"], row["line"], row["resolved"]) == (959, "a.py", 10, False)
    assert "[959] a.py:10, thread 959 (open" in result.content[0].text
