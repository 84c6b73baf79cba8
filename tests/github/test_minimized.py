"""Minimized comments and reviews of a conversation, and minimized review comments."""

import pytest
from github_double.world import World

from stithy_core.spi import (
    NOT_REPORTED,
    IssueRef,
    NotFound,
    NotTheApi,
    PullRequestRef,
    RepositoryRef,
    Unauthorized,
    Unsupported,
)

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("smith", "hello")
PR, ISSUE = PullRequestRef(REPOSITORY, 1), IssueRef(REPOSITORY, 2)
LACKING = ("isMinimized", "minimizedReason")


@pytest.fixture
def world():
    """A repository with a pull request, number 1, and an issue, number 2."""
    made = World()
    repository = made.add_repository("hello")
    made.push(repository, "greet", "Add hello.py", {"hello.py": "print()\n"})
    made.add_pull(repository, "Greet", "greet")
    made.add_issue(repository, "It does not greet")
    return made


@pytest.fixture
def pull(world):
    return world.repository("smith/hello").issues[1]


async def test_minimized_comments_and_reviews_have_a_reason(world, pull, in_world):
    spam = world.add_comment(pull, "Buy!", minimized="spam")
    world.add_comment(pull, "Please look.")
    review = world.add_review(pull, body="Nits.")
    review.minimized = "resolved"
    async with in_world(world) as forge:
        assert await forge.comments.minimized(PR) == {str(spam.id): "spam", str(review.id): "resolved"}


async def test_an_issue_has_minimized_comments_only(world, in_world):
    issue = world.repository("smith/hello").issues[2]
    old = world.add_comment(issue, "In the old version.", minimized="outdated")
    async with in_world(world) as forge:
        assert await forge.comments.minimized(ISSUE) == {str(old.id): "outdated"}


@pytest.mark.contract
async def test_lists_of_different_length_are_read_to_the_end_of_each(world, pull, asked, in_world):
    comments = [world.add_comment(pull, f"{number}", minimized="spam") for number in range(201)]
    reviews = [world.add_review(pull) for _ in range(101)]
    reviews[-1].minimized = "outdated"
    async with in_world(world) as forge:
        found = await forge.comments.minimized(PR)
    assert found == {str(one.id): "spam" for one in comments} | {str(reviews[-1].id): "outdated"}
    assert asked == ["query Folded"] * 3


async def test_a_missing_issue_is_distinguished_from_a_missing_repository(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="smith/hello has no issue 7"):
            await forge.comments.minimized(IssueRef(REPOSITORY, 7))
        with pytest.raises(NotFound, match="no repository smith/nothing"):
            await forge.comments.minimized(IssueRef(RepositoryRef("smith", "nothing"), 1))


async def test_it_takes_a_token(world, in_world):
    async with in_world(world, token="") as forge:
        with pytest.raises(Unauthorized):
            await forge.comments.minimized(PR)


@pytest.mark.contract
async def test_a_server_that_is_too_old_is_unsupported(world, pull, github):
    from github_double.server import running

    world.add_comment(pull, "Buy!", minimized="spam")
    world.add_thread(pull, "hello.py", 1, "Hm.")
    with running(world) as double:
        double.lacks = LACKING
        async with github(double.url, token=world.token) as forge:
            with pytest.raises(Unsupported, match=r"does not support comments\.minimized: its GraphQL API is too old"):
                await forge.comments.minimized(PR)
            (thread,) = await forge.threads.list(PR)
    assert thread.comments[0].minimized == NOT_REPORTED


async def test_endless_pages_are_an_error(hub, github):
    page = {"nodes": [], "pageInfo": {"hasNextPage": True, "endCursor": "again"}}
    hub.answers["query Folded"] = {"data": {"repository": {"issueOrPullRequest": {"comments": page}}}}
    async with github(hub.url) as forge:
        with pytest.raises(NotTheApi, match="do not end"):
            await forge.comments.minimized(ISSUE)
    assert len(hub.asked) == 2


async def test_review_comments_have_the_reason_as_well(world, pull, in_world):
    thread = world.add_thread(pull, "hello.py", 1, "Hm.")
    world.add_reply(thread, "Buy!").minimized = "spam"
    async with in_world(world) as forge:
        (found,) = await forge.threads.list(PR)
    assert [comment.minimized for comment in found.comments] == ["", "spam"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({}, NOT_REPORTED),
        ({"minimized": None}, ""),
        ({"minimized": {"reason": "spam"}}, "spam"),
        ({"minimized": {}}, "minimized"),
    ],
)
async def test_the_reason_is_read_from_rest_if_it_reports_one(hub, github, said, meant):
    times = dict.fromkeys(("created_at", "updated_at"), "2026-01-05T09:00:00Z")
    hub.answers["GET /repos/smith/hello/issues/2/comments"] = [{"id": 5, "body": "Buy!"} | times | said]
    async with github(hub.url) as forge:
        (comment,) = await forge.comments.list(ISSUE)
    assert comment.minimized == meant
