"""An answer in a thread is sent only after it was looked for: where that fails, nothing is sent."""

from datetime import UTC, datetime

import pytest
from faulty.matrix import faults, secrets_in
from faulty.server import FLAVOURS, GITHUB, MADE, REPOSITORY, USER
from loopback import message

from stithy_core.spi import PullRequestRef

pytestmark = pytest.mark.anyio

PR = PullRequestRef(REPOSITORY, 1)
BEFORE = datetime(2026, 1, 1, tzinfo=UTC)


def remark(number, text, **more):
    """Write a comment in the diff as all these forges do."""
    said = {"id": number, "path": "hello.py", "line": 3, "position": 3, "side": "RIGHT", "body": text, "user": USER}
    times = {"created_at": MADE, "updated_at": MADE}
    place = {"html_url": "", "pull_request_review_id": 9, "pull_request_url": "https://forge.example/pulls/1"}
    return said | times | place | more


def add_thread(server, *answers):
    """Add a thread to the pull request, and return the route that lists its replies."""
    at, root = server.flavour.at, remark(5, "Why?")
    rows = [root, *answers]
    server.answer(at("GET", "/pulls/comments/5"), 200, root)
    server.answer(
        at("GET", "/pulls/1/reviews"), 200, [{"id": 9, "user": USER, "state": "COMMENT", "comments_count": 2}]
    )
    looked = at("GET", "/pulls/1/comments" if server.flavour is GITHUB else "/pulls/1/reviews/9/comments")
    server.answer(looked, 200, rows)
    return looked


def list_sent(server):
    """Return the requests that hold the reply."""
    return [request for request in server.received if b"Only once." in request.body]


@pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)
async def test_an_answer_of_before_is_not_sent_again(begin, bounded_forge, flavour):
    server = await begin(flavour)
    add_thread(server, remark(6, "Only once.", in_reply_to_id=5))
    async with bounded_forge(flavour, server.url) as forge:
        reply = await forge.answer(PR, "5", BEFORE)
    assert (reply.repeated, reply.comment.id, list_sent(server)) == (True, "6", [])


@pytest.mark.parametrize(("flavour", "fault"), [row for row in faults() if row.values[0] in FLAVOURS])
async def test_a_reply_is_not_sent_if_the_search_for_an_earlier_one_fails(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault)
    broken = fault.answer(server)
    server.answers[add_thread(server)] = broken
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("answer", PR, "5", BEFORE)
    assert type(error) is fault.read.kind
    assert (list_sent(server), secrets_in(error)) == ([], [])


@pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)
async def test_without_an_identity_no_earlier_reply_is_found(begin, bounded_forge, flavour):
    """An equal reply of another user does not count as the caller's."""
    server = await begin(flavour)
    add_thread(server, remark(6, "Only once.", in_reply_to_id=5))
    server.answers[f"GET {flavour.api}/user"] = message(403, {"message": "no scope"})
    async with bounded_forge(flavour, server.url) as forge:
        await forge.error("answer", PR, "5", BEFORE)
    assert len(list_sent(server)) == 1
