"""The token's user, repositories, issues and pull requests."""

import pytest

from gitea_recorded.comparing import check_fields, check_lists, expect_error
from gitea_recorded.exchanges import ABSENT, Exchange
from gitea_recorded.fields import EVENT, ISSUE, PULL, REPOSITORY, USER
from gitea_recorded.teller import Teller
from stithy_core.spi import Forge, IssueRef, NotFound, PullRequestRef, RepositoryRef, Unknown, or_unknown


async def user(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange, method="GET", path="/api/v1/user")
    check_fields(await forge.identity.me(), exchange.body, USER)


async def no_user(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    await expect_error(exchange, forge.identity.me())


async def repository(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    path = f"/api/v1/repos/{exchange.body['full_name']}"
    teller.again(exchange, method="GET", path=path)
    ref = RepositoryRef(*exchange.body["full_name"].split("/"))
    check_fields(await forge.changes.repository(ref), exchange.body, REPOSITORY)


async def no_repository(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    await expect_error(exchange, forge.changes.repository(exchange.repository))


async def follow_redirect(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Check that a read follows the server's redirect, whatever its result."""
    teller.again(exchange)
    reading = forge.issues.get(exchange.issue) if exchange.numbers else forge.changes.repository(exchange.repository)
    await or_unknown(reading)
    assert ("GET", exchange.location.partition("?")[0]) in [asked[:2] for asked in teller.asked]


async def issue(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    row = exchange.body
    teller.again(exchange, method="GET", path=f"{exchange.root}/issues/{row['number']}")
    check_fields(await forge.issues.get(IssueRef(exchange.repository, row["number"])), row, ISSUE)


async def no_issue(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    await expect_error(exchange, forge.issues.get(exchange.issue))


async def issues(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Without `type=issues` the list holds pull requests, too: each row is read as an issue."""
    if exchange.query.get("type") == "issues":
        teller.again(exchange)
        found = await forge.issues.list(exchange.repository, most=1_000)
        check_lists(found, exchange.body, ISSUE, ("ref.number", "number"))
        assert all(isinstance(one.comment_count, int) for one in found)
        return
    for row in exchange.body:
        teller.tell("GET", f"{exchange.root}/issues/{row['number']}", row)
        read = await forge.issues.get(IssueRef(exchange.repository, row["number"]))
        check_fields(read, row, ISSUE)
        assert isinstance(read.comment_count, Unknown) is bool(row["pull_request"])


async def timeline(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    events = await forge.issues.timeline(exchange.issue)
    check_lists(events, exchange.body or [], EVENT)
    times = [event.at for event in events if event.at is not None]
    assert len(times) == len(events)
    assert times == sorted(times)


async def no_timeline(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    await expect_error(exchange, forge.issues.timeline(exchange.issue), NotFound)


async def pull(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    row = exchange.body
    teller.again(exchange, method="GET", path=f"{exchange.root}/pulls/{row['number']}")
    read = await forge.pull_requests.get(PullRequestRef(exchange.repository, row["number"]))
    check_fields(read, row, PULL)
    asked = () if isinstance(read.requested_reviewers, Unknown) else read.requested_reviewers
    listed = {one["login"] for one in row["requested_reviewers"] or ()}  # there with those who have answered
    assert {one.login for one in asked} <= listed
    is_open = row["state"] == "open"
    assert read.mergeable is True if row["mergeable"] and is_open else isinstance(read.mergeable, Unknown)


async def no_pull(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    reading = forge.pull_requests.get(exchange.pr)
    _, as_issue = teller.others("GET", exchange.path.replace("/pulls/", "/issues/"))
    if exchange.status == ABSENT and as_issue != ABSENT:
        with pytest.raises(NotFound, match="is an issue, not a pull request"):
            await reading
    else:
        await expect_error(exchange, reading)


async def pulls(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    found = await forge.pull_requests.list(exchange.repository, most=1_000)
    check_lists(found, exchange.body, PULL, ("ref.number", "number"))


async def no_pulls(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """An empty repository has no such list, which is then an empty one."""
    teller.again(exchange)
    reading = forge.pull_requests.list(exchange.repository)
    if exchange.status == ABSENT:
        assert ((await reading).items, exchange.file[:2]) == ((), "96")
    else:
        await expect_error(exchange, reading)
