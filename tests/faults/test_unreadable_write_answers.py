"""A write that was carried out, and whose answer nobody can read: it is read back and reported as carried out."""

import json

import pytest
from faulty.server import FLAVOURS
from gitea_loopback import PR, REVIEW, remark, serve
from loopback import Server, message

from stithy_core.spi import PullRequestRef, RepositoryRef, Unavailable, Unclear
from stithy_testing import open_forge

pytestmark = pytest.mark.anyio

BODIES = [b"", b"null", b"[]", b"{}", b'"made"', b'{"id": null, "user": 7}', b"[{}]", b"<"]
UNREADABLE = pytest.mark.parametrize("body", BODIES, ids=lambda body: body.decode() or "empty")
EACH = pytest.mark.parametrize("flavour", FLAVOURS, ids=lambda flavour: flavour.name)
PULL = PullRequestRef(RepositoryRef("smith", "anvil"), 2)


def success(body, status=200):
    """Write a success with a body as it is."""
    head = f"HTTP/1.1 {status} -\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


@pytest.fixture
async def edited(begin, bounded_forge):
    """A forge with a comment whose text can be replaced, and which answers that with a body."""

    async def start(flavour, body, *, applies=True):
        server = await begin(flavour)
        page = f"{server.url}/smith/anvil"
        row = server.comment("Once.") | {"issue_url": f"{page}/issues/1", "pull_request_url": f"{page}/pulls/1"}
        route = flavour.at("GET", "/issues/comments/1")

        def edit(request):
            if applies:
                row["body"] = json.loads(request.body)["body"]
            return success(body)

        server.answers[route] = lambda _: message(200, row)
        server.answers[route.replace("GET", "PATCH")] = edit
        return server, route

    return start


@UNREADABLE
@EACH
async def test_a_comment_is_reported_as_created(begin, bounded_forge, flavour, body):
    """(FIX-12)"""
    server = await begin(flavour)

    def answer(request):
        server.apply(request)
        return success(body, 201)

    server.answers[flavour.write] = answer
    async with bounded_forge(flavour, server.url) as forge:
        assert (await forge.write()).id == "1"
    assert (server.count(flavour.write), len(server.comments)) == (1, 1)


@UNREADABLE
@EACH
async def test_an_edit_is_reported_as_applied(edited, agent, flavour, body):
    """(FIX-12)"""
    server, _ = await edited(flavour, body)
    async with agent(flavour, server.url) as call:
        result = await call("edit", comment_id=1, new_content="Twice.")
    assert not result.is_error, result.content[0].text
    assert result.structured_content["comment"]["body"] == "Twice."


@EACH
async def test_an_edit_that_was_not_applied_is_unclear(edited, bounded_forge, flavour):
    """(FIX-12)"""
    server, _ = await edited(flavour, b"null", applies=False)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("edit", "1", "Twice.")
    assert type(error) is Unclear
    assert error.suggestion == "Repeat the same call: doing it twice does no harm."


@EACH
async def test_an_edit_that_cannot_be_read_back_is_unclear_and_not_unchanged(edited, bounded_forge, flavour):
    """(FIX-12)"""
    server, route = await edited(flavour, b"null")
    well = server.answers[route]

    def once(request):
        server.answers[route] = success(b'{"message": "not now"}', 403)
        return well(request)

    server.answers[route] = once
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("edit", "1", "Twice.")
    assert type(error) is Unclear
    assert "could not be read back" in error.message


@pytest.fixture
async def gitea(listen, app):
    """A Gitea with a thread, and the forge as a plugin gets it."""
    server = serve(await listen(Server()), "gitea")
    kept = [remark(7, "Why?")]
    server.answer(f"GET {PR}/reviews", 200, [REVIEW | {"comments_count": 1}], x_total_count="1")
    server.answers[f"GET {PR}/reviews/5/comments"] = lambda _: message(200, kept)
    async with open_forge(app(FLAVOURS[0], server.url), "lab") as forge:
        yield server, forge, kept


@UNREADABLE
async def test_a_reply_is_reported_as_posted(gitea, body):
    """(FIX-12)"""
    server, forge, kept = gitea

    def post(request):
        time = f"{forge.now():%Y-%m-%dT%H:%M:%SZ}"
        kept.append(remark(8, json.loads(request.body)["body"], by=1) | {"created_at": time, "updated_at": time})
        server.answer(f"GET {PR}/reviews", 200, [REVIEW | {"comments_count": 2}], x_total_count="1")
        return success(body, 201)

    server.answers[f"POST {PR}/comments/7/replies"] = post
    reply = await forge.threads.reply(PULL, "7", "Done.")
    assert (reply.comment.id, reply.repeated, len(kept)) == ("8", False, 2)


@UNREADABLE
async def test_a_thread_is_reported_as_resolved(gitea, body):
    """(FIX-12)"""
    server, forge, kept = gitea

    def resolve(_):
        kept[0] = kept[0] | {"resolver": {"id": 1, "login": "smith"}}
        return success(body)

    server.answers["POST /api/v1/repos/smith/anvil/pulls/comments/7/resolve"] = resolve
    assert (await forge.threads.resolve(PULL, "7")).resolved is True


async def test_a_thread_that_cannot_be_read_back_is_unclear_and_not_unchanged(gitea):
    """(FIX-12)"""
    server, forge, kept = gitea

    def resolve(_):
        server.answer(f"GET {PR}/reviews/5/comments", 500, {"message": "down"})
        return success(b"", 204)

    server.answers["POST /api/v1/repos/smith/anvil/pulls/comments/7/resolve"] = resolve
    with pytest.raises(Unclear, match="could not be read back") as caught:
        await forge.threads.resolve(PULL, "7")
    assert not isinstance(caught.value, Unavailable)
    assert kept
