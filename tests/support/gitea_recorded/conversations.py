"""Conversations."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from gitea_recorded.comparing import check_fields, check_lists, expect_error
from gitea_recorded.exchanges import ABSENT, Exchange
from gitea_recorded.fields import COMMENT
from gitea_recorded.teller import Teller
from stithy_core.spi import Forge, IssueRef, NotFound, PullRequestRef, Rejected


def find_subject(row: dict[str, Any], exchange: Exchange) -> IssueRef:
    """Return the conversation of a comment, by the URL of its page."""
    found = re.search(r"/(issues|pulls)/(\d+)#", row["html_url"])
    assert found is not None
    cls = {"issues": IssueRef, "pulls": PullRequestRef}[found[1]]
    return cls(exchange.repository, int(found[2]))


async def comments(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    since = exchange.query.get("since")
    moment = datetime.fromisoformat(since).astimezone(UTC) if since else None
    found = await forge.comments.list(exchange.issue, since=moment)
    check_lists(found, exchange.body, COMMENT)
    assert not since or teller.asked[-1][2]["since"] == since


async def no_comments(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    await expect_error(exchange, forge.comments.list(exchange.issue), NotFound)


async def comment(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Read each comment of a response by its id, from the conversation of its page."""
    for row in exchange.body if isinstance(exchange.body, list) else [exchange.body]:
        teller.tell("GET", f"{exchange.root}/issues/comments/{row['id']}", row)
        check_fields(await forge.comments.get(find_subject(row, exchange), str(row["id"])), row, COMMENT)


async def no_comment(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """204: the id of an event, or of a comment in the diff."""
    teller.again(exchange)
    with pytest.raises(NotFound, match=f"has no comment {exchange.numbers[-1]}: it "):
        await forge.comments.get(IssueRef(exchange.repository, 1), exchange.numbers[-1])


async def create(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    body = exchange.sent["body"]
    teller.again(exchange)
    if not body.strip() or not _is_text(body):
        await comment(exchange, teller, forge)
        return
    made = await forge.comments.create(exchange.issue, body)
    check_fields(made, exchange.body, COMMENT)
    assert teller.list_writes() == [("POST", exchange.path, {"body": body})]


def _is_text(body: Any) -> bool:
    """Return whether a text has no lone surrogate (RFC 8259, 8.2); stithy's texts never have one."""
    return not re.search("[\ud800-\udfff]", body)


async def no_creation(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    teller.again(exchange)
    body = exchange.sent["body"]
    # An empty text is not sent; a missing number is reported from another response.
    kinds = () if body and exchange.status not in (ABSENT, 500) else (Rejected if not body else NotFound,)
    await expect_error(exchange, forge.comments.create(exchange.issue, body), *kinds)
    assert len(teller.list_writes()) == (1 if body else 0)


async def edit(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """The route would edit a comment of another conversation, so the comment is read first."""
    teller.again(exchange)
    number, body = exchange.numbers[-1], exchange.sent["body"]
    read, status = teller.others("GET", exchange.path)
    if status != 200 or exchange.status == 404:
        with pytest.raises(NotFound):
            await forge.comments.edit(IssueRef(exchange.repository, 1), number, body)
        assert teller.list_writes() == []
        return
    row = read if isinstance(read, dict) else exchange.body
    editing = forge.comments.edit(find_subject(row, exchange), number, body)
    if exchange.status == 200:
        check_fields(await editing, exchange.body, COMMENT)
    else:
        await expect_error(exchange, editing)
    assert teller.list_writes() == [("PATCH", exchange.path, {"body": body})]
