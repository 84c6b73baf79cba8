"""Replies and resolution on Forgejo 14, from exchanges that a real one had with another client (cassettes/README.md).

Where that client did not ask for something, the answer is put together from what it was told elsewhere.
"""

from contextlib import contextmanager

import pytest
from forgejo_recorded import OWNER, add_review, play_recordings
from lab import Lab

pytestmark = pytest.mark.anyio

REPLY, RESOLVE, UNRESOLVE = "reply_to_review_comment", "resolve_review_thread", "unresolve_review_thread"
PLACE = {"repository": None, "pull_request_number": None, "owner": OWNER, "repo": "lab", "pull_number": 1}


@pytest.fixture
def forgejo(tmp_path):
    """Enter a lab on some recordings, of which the last made the one review of number 1."""

    @contextmanager
    def enter(*numbers):
        with play_recordings(*numbers, prepare=add_review(numbers[-1])) as url:
            yield Lab(url, "lab", tmp_path, owner=OWNER)

    return enter


async def test_a_reply_says_its_way_and_that_nobody_is_told(forgejo):
    """Into the review of the first comment; the result names what that lacks."""
    with forgejo("08", "95", "67") as lab:
        result = await lab.call(REPLY, **PLACE, comment_id=967, body="answer f", allow_duplicate=True)
    assert result.structured_content["id"] == 969
    assert "notify nobody" in result.structured_content["way"]
    assert f"\nWay: {result.structured_content['way']}" in result.content[0].text


@pytest.mark.parametrize("body", ["", " \n\t"])
async def test_an_empty_answer_which_it_would_take_is_not_sent(forgejo, body):
    """REPLY-7; the server takes an empty body with 200 (docs/forge-behaviour/forgejo.md#replies-and-resolution)."""
    with forgejo("95", "67") as lab:
        result = await lab.call(REPLY, **PLACE, comment_id=967, body=body)
    assert result.structured_content["details"]["status"] == 422


async def test_the_error_names_the_page_that_resolves_a_thread(forgejo):
    """Its API cannot: the error has the page on which a person can."""
    with forgejo("08", "95", "64") as lab:
        result = await lab.call(RESOLVE, **PLACE, comment_id=959)
    error = result.structured_content
    assert error["category"] == "logical"
    assert error["details"]["url"].endswith("#issuecomment-959")
    assert error["suggestion"] == f"A person can do it on the thread's page: {error['details']['url']}"
    assert error["suggestion"] in result.content[0].text


async def test_a_thread_that_is_open_need_not_be_opened(forgejo):
    with forgejo("08", "95", "64") as lab:
        result = await lab.call(UNRESOLVE, **PLACE, comment_id=959)
    assert (result.structured_content["resolved"], result.structured_content["unchanged"]) == (False, True)
