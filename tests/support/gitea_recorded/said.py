"""Conversations."""

import re
from datetime import UTC, datetime

import pytest

from gitea_recorded.comparing import alike, all_alike, refused
from gitea_recorded.exchanges import ABSENT
from gitea_recorded.fields import COMMENT
from stithy_core.spi import IssueRef, NotFound, PullRequestRef, Rejected


def subject_of(row, exchange):
    """Say of which conversation a comment is, by the address of its page."""
    kind, number = re.search(r"/(issues|pulls)/(\d+)#", row["html_url"]).groups()
    return {"issues": IssueRef, "pulls": PullRequestRef}[kind](exchange.repository, int(number))


async def comments(exchange, teller, forge):
    teller.again(exchange)
    since = exchange.query.get("since")
    moment = datetime.fromisoformat(since).astimezone(UTC) if since else None
    found = await forge.comments.list(exchange.issue, since=moment)
    all_alike(found, exchange.body, COMMENT)
    assert not since or teller.asked[-1][2]["since"] == since


async def no_comments(exchange, teller, forge):
    teller.again(exchange)
    await refused(exchange, forge.comments.list(exchange.issue), NotFound)


async def comment(exchange, teller, forge):
    """Read each comment of an answer by its id, of the conversation whose page it stands on."""
    for row in exchange.body if isinstance(exchange.body, list) else [exchange.body]:
        teller.tell("GET", f"{exchange.root}/issues/comments/{row['id']}", row)
        alike(await forge.comments.get(subject_of(row, exchange), str(row["id"])), row, COMMENT)


async def no_comment(exchange, teller, forge):
    """204: the id of an event, or of a comment in the diff."""
    teller.again(exchange)
    with pytest.raises(NotFound, match=f"has no comment {exchange.numbers[-1]}: it "):
        await forge.comments.get(IssueRef(exchange.repository, 1), exchange.numbers[-1])


async def create(exchange, teller, forge):
    body = exchange.sent["body"]
    teller.again(exchange)
    if not body.strip() or not _is_text(body):
        await comment(exchange, teller, forge)
        return
    made = await forge.comments.create(exchange.issue, body)
    alike(made, exchange.body, COMMENT)
    assert teller.sent() == [("POST", exchange.path, {"body": body})]


def _is_text(body):
    """Say whether a text has no half of a pair (RFC 8259, 8.2), which no text of ours can have."""
    return not re.search("[\ud800-\udfff]", body)


async def no_creation(exchange, teller, forge):
    teller.again(exchange)
    body = exchange.sent["body"]
    # What has no words is not sent; of a number that is not there, another answer says so.
    kinds = () if body and exchange.status not in (ABSENT, 500) else (Rejected if not body else NotFound,)
    await refused(exchange, forge.comments.create(exchange.issue, body), *kinds)
    assert len(teller.sent()) == (1 if body else 0)


async def edit(exchange, teller, forge):
    """The route would edit what is no comment of the conversation, so the comment is read first."""
    teller.again(exchange)
    number, body = exchange.numbers[-1], exchange.sent["body"]
    read, status = teller.others("GET", exchange.path)
    if status != 200 or exchange.status == 404:
        with pytest.raises(NotFound):
            await forge.comments.edit(IssueRef(exchange.repository, 1), number, body)
        assert teller.sent() == []
        return
    row = read if isinstance(read, dict) else exchange.body
    editing = forge.comments.edit(subject_of(row, exchange), number, body)
    if exchange.status == 200:
        alike(await editing, exchange.body, COMMENT)
    else:
        await refused(exchange, editing)
    assert teller.sent() == [("PATCH", exchange.path, {"body": body})]
