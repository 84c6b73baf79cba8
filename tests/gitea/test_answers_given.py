"""Whether an answer was given before, where the token may not say whose it is."""

import pytest
from gitea_loopback import PR, REVIEW, person, remark, serve
from lab import Lab
from loopback import Server, message, starting
from worlds import open_forge

from stithy_core.spi import PullRequestRef, RepositoryRef
from stithy_gitea.mapping import to_time
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PULL = PullRequestRef(RepositoryRef("smith", "anvil"), 2)
POST = f"POST {PR}/comments/7/replies"
SINCE = to_time("2026-11-21T07:00:00Z")


@pytest.fixture
async def served(unproxied, tmp_path):
    """A server that does not tell whose the token is; another's answer is in the thread."""
    async with starting() as start:
        server = serve(await start(Server()), "gitea")
        server.answer("GET /api/v1/user", 403, {"message": "token does not have at least one of required scope(s)"})
        server.answer(f"GET {PR}/reviews", 200, [REVIEW | {"comments_count": 2}], x_total_count="1")
        server.answer(f"GET {PR}/reviews/5/comments", 200, [remark(7, "Why?"), remark(8, "Done.", by=2)])
        server.answer(POST, 201, remark(9, "Done.", by=1))
        async with open_forge(Lab(server.url, "lab", tmp_path)) as forge:
            yield server, forge


async def test_the_words_of_another_are_not_taken_for_the_answer(served):
    _, forge = served
    reply = await forge.threads.reply(PULL, "7", "Done.", unless_since=SINCE)
    assert (reply.repeated, reply.comment.id) == (False, "9")


async def test_the_caller_is_known_from_its_first_write(served):
    server, forge = served
    await forge.threads.reply(PULL, "7", "Done.", unless_since=SINCE)
    rows = [remark(7, "Why?"), remark(8, "Done.", by=2), remark(9, "Done.", by=1)]
    server.answer(f"GET {PR}/reviews", 200, [REVIEW | {"comments_count": 3}], x_total_count="1")
    server.answer(f"GET {PR}/reviews/5/comments", 200, rows)
    reply = await forge.threads.reply(PULL, "7", "Done.", unless_since=SINCE)
    assert (reply.repeated, reply.comment.author.id, reply.comment.id) == (True, "1", "9")
    assert len([one for one in server.received if one.method == "POST"]) == 1


async def test_the_text_that_opened_the_thread_is_no_answer(served):
    server, forge = served
    server.answer("GET /api/v1/user", 200, person(2))
    reply = await forge.threads.reply(PULL, "7", "Why?", unless_since=SINCE)
    assert reply.repeated is False


async def test_a_comment_that_took_the_place_of_another_is_found(served):
    """The review has as many as before, so that nothing tells that it has others now."""
    server, forge = served
    await forge.threads.list(PULL)
    server.answer(f"GET {PR}/reviews/5/comments", 200, [remark(7, "Why?"), remark(10, "New.", line=4)])
    server.answers["GET /api/v1/repos/smith/anvil/issues/comments/10"] = message(204)
    server.answer(f"POST {PR}/comments/10/replies", 201, remark(11, "Done.", by=1, line=4))
    assert (await forge.threads.reply(PULL, "10", "Done.")).thread == "10"


async def test_a_reply_in_the_thread_of_a_draft_is_a_part_of_the_draft(unproxied, tmp_path):
    """Gitea 1.27 adds it to the review of the thread's first comment: others do not see it before that is submitted."""
    async with starting() as start:
        server = serve(await start(Server()), "gitea")
        server.answer(f"GET {PR}/reviews", 200, [REVIEW | {"state": "PENDING"}], x_total_count="1")
        server.answer(POST, 201, remark(9, "Done.", by=1))
        settings = f'[forges.lab]\nkind = "gitea"\nurl = "{server.url}"\n'
        place = {"owner": "smith", "repo": "anvil", "pull_number": 2, "comment_id": 7, "body": "Done."}
        async with connect(make_app(tmp_path, settings)) as client:
            result = await client.call_tool("reply_to_review_comment", place)
    assert result.structured_content["pending"] is True
    assert "It belongs to a draft review: others see it once that is submitted" in result.content[0].text
