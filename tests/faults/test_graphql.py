"""GitHub's GraphQL: what it fails to answer is asked in REST and left unknown where REST cannot know it, and a change
that failed is read back and never sent again."""

import json

import pytest
from faulty.matrix import faults, secrets_in
from faulty.server import FORGEJO, GITEA, GITHUB, MADE, REPOSITORY, TOKEN, USER
from loopback import message

from stithy_core.spi import PullRequestRef, RateLimited, TooLarge, Unclear, Unknown

pytestmark = pytest.mark.anyio

PR = PullRequestRef(REPOSITORY, 1)
ASK = "POST /api/graphql"
REMARK = {
    "id": 5,
    "path": "hello.py",
    "line": 3,
    "side": "RIGHT",
    "body": "Why?",
    "user": USER,
    "created_at": MADE,
    "html_url": "",
    "pull_request_review_id": 9,
}
SAID = {"fullDatabaseId": "5", "body": "Why?", "author": None, "createdAt": MADE, "updatedAt": MADE, "url": ""}
THREAD = {
    "id": "PRRT_1",
    "isOutdated": False,
    "path": "hello.py",
    "line": 3,
    "diffSide": "RIGHT",
    "opening": {"nodes": []},
    "comments": {
        "nodes": [SAID | {"authorAssociation": "OWNER", "state": "SUBMITTED"}],
        "pageInfo": {"hasNextPage": False, "endCursor": None},
    },
    "pullRequest": {"id": "PR_1"},
}
OF_GITHUB = [row for row in faults() if row.values[0] is GITHUB]


def is_for_all(fault):
    """Return whether a limit holds for all requests, and not only for GraphQL's hourly budget."""
    return fault.wait is not None and fault.read.kind is RateLimited and "primary" not in fault.name


@pytest.mark.parametrize(("flavour", "fault"), OF_GITHUB)
async def test_faults_of_graphql_reads(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault, ASK)
    server.answer(flavour.at("GET", "/pulls/1/comments"), 200, [REMARK])
    server.answer(flavour.at("GET", "/pulls/1/reviews"), 200, [])
    async with bounded_forge(flavour, server.url) as forge:
        if is_for_all(fault):
            error = await forge.error("threads", PR)
            assert (type(error), error.retry_after) == (RateLimited, pytest.approx(fault.wait, abs=2))
            assert error.details["status"] in {403, 429}  # GraphQL's refusal, rather than that REST was not asked
            return
        (thread,) = await forge.threads(PR)
    assert isinstance(thread.resolved, Unknown)
    assert TOKEN not in f"{thread}"
    too_large = fault.read.kind is TooLarge  # then it is asked for less, and for still less
    assert server.count(ASK) == (3 if too_large or fault.read.asked == 3 else 1)


@pytest.mark.parametrize(("flavour", "fault"), OF_GITHUB)
async def test_faults_of_what_is_folded_away(begin, bounded_forge, flavour, fault):
    """REST has no such field, so the call fails: it does not report that nothing is minimized."""
    server = await begin(flavour, fault, ASK)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("read_minimized", PR)
    assert type(error) is fault.read.kind
    assert (server.count(ASK), secrets_in(error)) == (fault.read.asked, [])


@pytest.mark.parametrize("flavour", [GITEA, FORGEJO], ids=lambda flavour: flavour.name)
async def test_forges_without_minimizing_get_no_request(begin, bounded_forge, flavour):
    server = await begin(flavour)
    async with bounded_forge(flavour, server.url) as forge:
        assert await forge.read_minimized(PR) == {}
    assert server.received == []


def settling(server, fault, *, carried_out):
    """Break the change of a thread, and count how often it is asked for; questions are answered well."""
    state = {"resolved": False, "asked": 0}

    def answer(request):
        if "mutation" not in json.loads(request.body)["query"]:
            node = THREAD | {"isResolved": state["resolved"], "resolvedBy": None}
            return message(200, {"data": {"repository": {"pullRequest": {"id": "PR_1"}}, "node": node}})
        state["asked"] += 1
        state["resolved"] = carried_out
        broken = fault.answer(server)
        return broken(request) if callable(broken) else broken

    server.answers[ASK] = answer
    return state


@pytest.mark.parametrize(("flavour", "fault"), OF_GITHUB)
async def test_faults_of_graphql_writes(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault)
    state = settling(server, fault, carried_out=False)
    async with bounded_forge(flavour, server.url) as forge:
        error = await forge.error("resolve", PR, "PRRT_1")
    assert type(error) is fault.write.kind
    assert type(error) is not Unclear or "repeat the " in error.suggestion.lower()
    assert (state["asked"], secrets_in(error)) == (1, [])


@pytest.mark.parametrize(("flavour", "fault"), [row for row in OF_GITHUB if row.values[1].write.kind is Unclear])
async def test_a_change_whose_answer_is_lost_is_found(begin, bounded_forge, flavour, fault):
    server = await begin(flavour, fault)
    state = settling(server, fault, carried_out=True)
    async with bounded_forge(flavour, server.url) as forge:
        thread = await forge.resolve(PR, "PRRT_1")
    assert (thread.resolved, state["asked"]) == (True, 1)
