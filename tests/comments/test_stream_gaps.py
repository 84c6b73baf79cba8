"""A list that a forge does not give: the rest of the conversation is there, and the gap is said."""

import re

import pytest
from lab import tape_of

from stithy_testing import connect, make_app, playback
from stithy_testing.cassettes import Exchange

pytestmark = pytest.mark.anyio

PR = "lab:stithy-admin/lab-stream#1"
COMMENTS, THREADS, PULL = r"/issues/1/comments$", r"/reviews/\d+/comments$", r"/pulls/1$"
FORBIDDEN = Exchange(403, (("Content-Type", "application/json"),), b'{"message": "token does not have the scope"}')


@pytest.fixture
def ask(tmp_path):
    """Call the tool on a recorded server that refuses some paths."""

    async def read_without(*refused, **arguments):
        tape = tape_of("gitea-1.27", "lab-stream-all-that-was-said-is-one-list")
        for key in tape.exchanges:
            if any(re.search(path, key[1]) for path in refused):
                tape.exchanges[key] = [FORBIDDEN]
        with playback(tape) as url:
            settings = f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
            app = make_app(tmp_path, settings, environ={"LAB_TOKEN": "none"})
            async with connect(app) as client:
                return await client.call_tool("get_pull_request_conversation", {"pr": PR} | arguments)

    return read_without


async def test_an_unreadable_source_is_unknown_beside_the_rest(ask):
    answer = (await ask(COMMENTS)).structured_content
    assert {row["type"] for row in answer["comments"]} == {"review"}
    (gap,) = [row for row in answer["unknown"] if row["field"] == "read.comments"]
    assert "403" in gap["reason"]
    assert answer["read"] == {"reviews": 3, "threads": 2}
    assert "total" not in answer


async def test_the_text_names_the_gap_and_promises_no_number(ask):
    text = (await ask(COMMENTS)).content[0].text
    assert "of an unknown number of items" in text.splitlines()[0]
    assert "unknown: read.comments: " in text


async def test_the_summary_begins_with_the_gap(ask):
    """Without the threads nobody may take the silence for "nothing is open"."""
    answer = (await ask(THREADS, summarize="compact")).structured_content
    lines = answer["summary"]["text"].splitlines()
    assert lines[0] == "Incomplete"
    assert lines[1].startswith("- threads could not be read: ")
    assert not [line for line in lines if line.startswith("- open")]


async def test_the_summary_promises_no_total_of_what_could_not_be_read(ask):
    """What is left of a conversation is not its total (FIX-6)."""
    answer = (await ask(COMMENTS, summarize="brief")).structured_content
    assert "total_comments" not in answer["summary"]["stats"]
    assert "summary.stats.total_comments" in {row["field"] for row in answer["unknown"]}
    assert "an unknown number of items" in answer["summary"]["text"]


async def test_without_a_readable_source_the_cause_is_the_answer(ask):
    result = await ask(COMMENTS, include=["issue"])
    assert result.is_error
    assert result.structured_content["details"]["status"] == 403


async def test_without_the_pull_request_there_is_no_answer(ask):
    assert (await ask(PULL)).is_error
