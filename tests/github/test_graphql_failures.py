"""Failures of GraphQL: values that only GraphQL has are unknown, and no write is sent twice."""

import pytest

from stithy_core.spi import Conflict, NotFound, PullRequestRef, RepositoryRef, Unclear, Unknown

pytestmark = pytest.mark.anyio

PR = PullRequestRef(RepositoryRef("octo", "hello"), 2)
PULL = "/repos/octo/hello/pulls/2"
END = {"hasNextPage": False, "endCursor": None}
COMMENT = {
    "id": 1,
    "path": "hello.py",
    "line": 3,
    "side": "RIGHT",
    "body": "Why?",
    "user": {"login": "octo", "id": 7, "type": "User"},
    "created_at": "2026-01-05T09:00:00Z",
    "updated_at": "2026-01-05T09:00:00Z",
    "html_url": "https://github.example/octo/hello/pull/2#discussion_r1",
    "pull_request_url": "https://github.example/api/v3/repos/octo/hello/pulls/2",
    "pull_request_review_id": 9,
    "original_commit_id": "c" * 40,
}
LOST = (None, {}, None)


def threads(*rows, more=None):
    page = {"hasNextPage": True, "endCursor": more} if more else END
    connection = {"totalCount": len(rows), "nodes": list(rows), "pageInfo": page}
    return {"data": {"repository": {"pullRequest": {"reviewThreads": connection}}}}


def one(row):
    found = row | {"pullRequest": {"id": "PR_2"}}
    return {"data": {"repository": {"pullRequest": {"id": "PR_2"}}, "node": found}}


def error_answer(message, kind):
    return {"data": None, "errors": [{"type": kind, "message": message}]}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((502, {}, {"message": "Server Error"}), "502"),
        (error_answer("Resource not accessible by personal access token", "FORBIDDEN"), "not accessible"),
        (error_answer("API rate limit exceeded", "RATE_LIMITED"), "is exhausted"),
        ((200, {"Content-Type": "text/html"}, b"<html>"), "web page"),
        ({"data": {"repository": None}}, "shows no pull request"),
        (threads(more="again"), "do not end"),
    ],
    ids=["bad gateway", "forbidden", "limited", "proxy", "null", "circle"],
)
async def test_whether_a_thread_is_resolved_is_unknown_with_the_reason(hub, github, answer, reason):
    hub.answers = {
        "query Threads": answer,
        f"GET {PULL}/comments": [COMMENT, COMMENT | {"id": 2, "in_reply_to_id": 1, "body": "Because."}],
        f"GET {PULL}/reviews": [],
    }
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert [comment.body for comment in thread.comments] == ["Why?", "Because."]
    assert isinstance(thread.resolved, Unknown)
    assert reason in thread.resolved.reason
    assert thread.resolved.remedy


async def test_pending_comments_of_rest_are_found_by_their_review(hub, github):
    review = {"id": 9, "state": "PENDING", "user": None, "body": ""}
    hub.answers = {f"GET {PULL}/comments": [COMMENT], f"GET {PULL}/reviews": [review]}
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert thread.comments[0].pending is True


async def test_fields_that_an_old_server_lacks_are_removed_from_later_queries(hub, github, thread_row):
    row = thread_row("Why?")
    del row["comments"]["nodes"][0]["fullDatabaseId"]
    row["comments"]["nodes"][0]["databaseId"] = 5_000_000_017
    lacking = [
        {"message": f"Field '{name}' doesn't exist on type '{kind}'", "extensions": {"code": "undefinedField"}}
        for name, kind in (
            ("fullDatabaseId", "PullRequestReviewComment"),
            ("fullDatabaseId", "PullRequestReview"),
            ("subjectType", "PullRequestReviewThread"),
        )
    ]
    left = [{"errors": lacking[:2]}, {"errors": lacking[2:]}]
    hub.answers["query Threads"] = lambda _: left.pop(0) if left else threads(row)
    hub.answers["query ThreadsAgain"] = threads(row)
    async with github(hub.url) as forge:
        for _ in range(2):
            (thread,) = await forge.threads.list(PR)
            assert (thread.comments[0].id, thread.resolved) == ("5000000017", False)
    assert hub.names() == ["query Threads"] * 3 + ["query ThreadsAgain"]


async def test_a_thread_whose_later_comments_cannot_be_read_says_so(hub, github, thread_row):
    hub.answers["query Threads"] = threads(thread_row("first", "second", more="abc"))
    hub.answers["query MoreRemarks"] = error_answer("Something went wrong while executing your query.", "")
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert (len(thread.comments), thread.resolved) == (2, False)
    assert thread.cut.startswith("only the first 2 comments could be read")


async def test_hidden_threads_and_comments_are_skipped(hub, github, thread_row):
    row = thread_row("Why?")
    row["comments"]["nodes"].append(None)
    hub.answers["query Threads"] = threads(None, row)
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert [comment.body for comment in thread.comments] == ["Why?"]


async def test_a_thread_is_found_by_its_comment_despite_hidden_ones(hub, github, thread_row):
    hidden = {"id": "PRRT_0", "comments": {"nodes": [None]}}
    named = {"id": "PRRT_1", "comments": {"nodes": [{"fullDatabaseId": "1"}]}}
    hub.answers["GET /repos/octo/hello/pulls/comments/1"] = COMMENT
    hub.answers["query Roots"] = threads(None, hidden, named)
    hub.answers["query OneThread"] = one(thread_row("Why?", isResolved=True))
    async with github(hub.url) as forge:
        assert (await forge.threads.resolve(PR, "1")).id == "PRRT_1"


async def test_a_thread_without_visible_comments_takes_no_reply(hub, github, thread_row):
    hub.answers["query OneThread"] = one(thread_row())
    hub.answers[f"GET {PULL}"] = {}
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="#2 has no thread PRRT_1"):
            await forge.threads.reply(PR, "PRRT_1", "Because.")


async def test_a_resolved_thread_is_not_resolved_again(hub, github, thread_row):
    hub.answers["query OneThread"] = one(thread_row("Why?", isResolved=True))
    async with github(hub.url, read_only=True) as forge:
        assert (await forge.threads.resolve(PR, "PRRT_1")).resolved is True
    assert hub.names() == ["query OneThread"]


@pytest.mark.parametrize(
    ("after", "outcome"),
    [(True, None), (False, Unclear)],
    ids=["it was carried out", "it was not"],
)
async def test_a_resolution_whose_response_was_lost_is_read_back_and_not_sent_again(
    hub, github, thread_row, after, outcome
):
    states = [False, after]
    hub.answers["query OneThread"] = lambda _: one(thread_row("Why?", isResolved=states.pop(0)))
    hub.answers["mutation Resolve"] = LOST
    async with github(hub.url) as forge:
        if outcome is None:
            assert (await forge.threads.resolve(PR, "PRRT_1")).resolved is True
        else:
            with pytest.raises(outcome, match="no answer"):
                await forge.threads.resolve(PR, "PRRT_1")
    assert hub.names().count("mutation Resolve") == 1


async def test_a_resolution_that_github_accepts_without_effect_is_a_conflict(hub, github, thread_row):
    hub.answers["query OneThread"] = one(thread_row("Why?"))
    hub.answers["mutation Resolve"] = {"data": {"resolveReviewThread": {"thread": None}}}
    async with github(hub.url) as forge:
        with pytest.raises(Conflict, match="yet the target is as it was"):
            await forge.threads.resolve(PR, "PRRT_1")


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b'{"data": null}', b'{"data": []}'])
async def test_a_resolution_whose_response_is_invalid_is_read_back(hub, github, thread_row, body):
    states = [False, True]
    hub.answers["query OneThread"] = lambda _: one(thread_row("Why?", isResolved=states.pop(0)))
    hub.answers["mutation Resolve"] = (200, {}, body)
    async with github(hub.url) as forge:
        assert (await forge.threads.resolve(PR, "PRRT_1")).resolved is True


async def test_a_resolution_that_cannot_be_read_back_is_unclear(hub, github, thread_row):
    answers = [one(thread_row("Why?"))]
    hub.answers["query OneThread"] = lambda _: answers.pop(0) if answers else (403, {}, {"message": "not now"})
    hub.answers["mutation Resolve"] = {"data": {"resolveReviewThread": {"thread": None}}}
    async with github(hub.url) as forge:
        with pytest.raises(Unclear, match="accepted the write, and the target could not be read back"):
            await forge.threads.resolve(PR, "PRRT_1")


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b'{"id": null}'])
async def test_a_reply_whose_response_is_invalid_is_read_back(hub, github, body):
    reply = COMMENT | {"id": 2, "in_reply_to_id": 1, "body": "Because.", "created_at": "2030-01-05T09:00:00Z"}
    hub.answers = {
        "GET /repos/octo/hello/pulls/comments/1": COMMENT,
        f"POST {PULL}/comments/1/replies": (201, {}, body),
        f"GET {PULL}/comments": [COMMENT, reply],
        "GET /user": {"login": "octo", "id": 7, "type": "User"},
    }
    async with github(hub.url) as forge:
        assert (await forge.threads.reply(PR, "1", "Because.")).comment.id == "2"
    assert hub.names().count(f"POST {PULL}/comments/1/replies") == 1


@pytest.mark.parametrize("there", [True, False])
async def test_a_reply_whose_response_was_lost_is_read_back_and_not_sent_again(hub, github, there):
    """A second call searches for the first reply before it sends another."""
    reply = COMMENT | {"id": 2, "in_reply_to_id": 1, "body": "Because.", "created_at": "2030-01-05T09:00:00Z"}
    hub.answers = {
        "GET /repos/octo/hello/pulls/comments/1": COMMENT,
        f"POST {PULL}/comments/1/replies": LOST,
        f"GET {PULL}/comments": [COMMENT, reply] if there else [COMMENT],
    }
    async with github(hub.url) as forge:
        if there:
            assert (await forge.threads.reply(PR, "1", "Because.\r\n")).comment.id == "2"
        else:
            with pytest.raises(Unclear, match="it was sent once and not again"):
                await forge.threads.reply(PR, "1", "Because.")
            hub.answers[f"GET {PULL}/comments"] = [COMMENT, reply]
            assert (await forge.threads.reply(PR, "1", "Because.")).comment.id == "2"
    assert hub.names().count(f"POST {PULL}/comments/1/replies") == 1
