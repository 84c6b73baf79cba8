"""A whole conversation as tools read it: concurrently, without repeated requests, and each part with its URL."""

from contextlib import suppress

import pytest
from github_double.asking import Asking
from github_double.sample import sample

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef, Unauthorized
from stithy_github.concurrent_requests import run_concurrently

pytestmark = [pytest.mark.anyio, pytest.mark.contract]

ANVIL = RepositoryRef("forge", "anvil")
PR, ISSUE = PullRequestRef(ANVIL, 2), IssueRef(ANVIL, 1)


@pytest.fixture
def world():
    return sample().world


async def read_minimized(forge):
    """Read the minimized comments, which needs a token."""
    with suppress(Unauthorized):
        await forge.comments.minimized(PR)


@pytest.mark.parametrize("token", [None, ""], ids=["with a token", "without one"])
async def test_no_request_is_sent_twice(world, asked, in_world, token):
    async with in_world(world, token=token) as forge:
        await run_concurrently(
            lambda: forge.pull_requests.get(PR),
            lambda: forge.threads.list(PR),
            lambda: forge.reviews.list(PR),
            lambda: forge.comments.list(PR),
            lambda: read_minimized(forge),
        )
    assert len(asked) == len(set(asked)), asked


async def test_an_issue_says_whether_it_is_a_pull_request(world, in_world):
    async with in_world(world) as forge:
        assert (await forge.issues.get(PR)).is_pull_request is True
        assert (await forge.issues.get(ISSUE)).is_pull_request is False


@pytest.fixture
def there(example, double):
    """A function that returns whether a URL of the API leads to the object with an id."""
    ask = Asking(double)

    def check(address, identity):
        path = address.removeprefix(f"{double.url}/api/v3")
        return ask.get(path).json()["id"] == int(identity)

    return check


async def test_comments_have_their_api_urls(github, double, there):
    async with github(double.url, token=double.world.token) as forge:
        (thread, *_) = await forge.threads.list(PR)
        (comment, *_) = await forge.comments.list(ISSUE)
    assert there(comment.api_url, comment.id)
    assert there(thread.comments[0].api_url, thread.comments[0].id)


async def test_api_urls_are_the_same_from_rest_and_graphql(github, double):
    async with github(double.url, token=double.world.token) as forge, github(double.url, token="") as anonymous:
        threads, anonymous_threads = [await one.threads.list(PR) for one in (forge, anonymous)]
        reviews = await forge.reviews.list(PR)
        readiness = await forge.pull_requests.readiness(PR)
    urls = {comment.id: comment.api_url for thread in anonymous_threads for comment in thread.comments}
    assert all(urls[one.id] == one.api_url for thread in threads for one in thread.comments if not one.pending)
    assert [one.api_url for one in readiness.reviews] == [one.api_url for one in reviews]
    assert reviews[0].api_url == f"{double.url}/api/v3/repos/forge/anvil/pulls/2/reviews/{reviews[0].id}"


async def test_events_have_their_api_urls(github, double):
    async with github(double.url, token=double.world.token) as forge:
        events = {event.kind: event for event in await forge.issues.timeline(PR)}
    base = f"{double.url}/api/v3/repos/forge/anvil"
    assert events["reviewed"].api_url == f"{base}/pulls/2/reviews/{events['reviewed'].subject}"
    assert events["review_commented"].api_url.startswith(f"{base}/pulls/comments/")
    assert events["renamed"].api_url.startswith(f"{base}/issues/events/")
    assert events["referenced"].api_url == ""
    assert events["committed"].api_url.endswith(events["committed"].subject)


@pytest.mark.parametrize(
    ("page", "address"),
    [
        ("https://github.com/o/r/pull/2#discussion_r5", "https://api.github.com/repos/o/r/pulls/comments/5"),
        ("https://octo.ghe.com/o/r/pull/2#discussion_r5", "https://api.octo.ghe.com/repos/o/r/pulls/comments/5"),
        ("https://hub.example/o/r/pull/2#discussion_r5", "https://hub.example/api/v3/repos/o/r/pulls/comments/5"),
        ("", ""),
    ],
)
async def test_an_api_url_is_derived_from_the_page_on_every_host(hub, github, thread_row, page, address):
    row = thread_row("Why?")
    row["comments"]["nodes"][0] |= {"fullDatabaseId": "5", "url": page}
    found = {"totalCount": 1, "nodes": [row], "pageInfo": {"hasNextPage": False, "endCursor": None}}
    hub.answers["query Threads"] = {"data": {"repository": {"pullRequest": {"reviewThreads": found}}}}
    async with github(hub.url) as forge:
        (thread,) = await forge.threads.list(PR)
    assert thread.comments[0].api_url == address
