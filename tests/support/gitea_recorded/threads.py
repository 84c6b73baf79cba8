"""Reviews, and conversations in the diff."""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gitea_recorded.comparing import check_fields, check_lists, expect_error
from gitea_recorded.exchanges import NUMBER, Exchange, iterate_rows, read_folder, recording_folder
from gitea_recorded.fields import REVIEW, REVIEW_COMMENT
from gitea_recorded.teller import Teller
from stithy_core.spi import Forge, NotFound, PullRequestRef, Rejected, Thread, Threads, Unsupported
from stithy_gitea.server import IN_REVIEW, REPLIES, has_post_route

STATES = {
    "APPROVED": "approved",
    "REQUEST_CHANGES": "changes_requested",
    "COMMENT": "commented",
    "PENDING": "pending",
}
Place = tuple[str, str, int | None]
"""Path, side and line of a thread."""

NOWHERE = "/api/v1/repos/-/-/pulls"


async def reviews(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    rows = exchange.body if isinstance(exchange.body, list) else [exchange.body]
    teller.tell("GET", f"{exchange.root}/pulls/{exchange.numbers[0]}/reviews", rows)
    found = await forge.reviews.list(exchange.pr)
    verdicts = [row for row in rows if row["state"] != "REQUEST_REVIEW"]
    check_lists(found, verdicts, REVIEW)
    states = {str(row["id"]): "dismissed" if row["dismissed"] else STATES[row["state"]] for row in verdicts}
    assert {review.id: review.state for review in found} == states


async def threads(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Read the comments of one review as threads: each place in the diff is one."""
    rows = exchange.body if isinstance(exchange.body, list) else [exchange.body]
    pr = _with_review(exchange, teller, rows)
    found = await forge.threads.list(pr)
    check_lists([one for thread in found for one in thread.comments], rows, REVIEW_COMMENT)
    # The servers give the comments of a review in another order each time.
    assert [_place(thread) for thread in found] == sorted({_stands(row) for row in rows}, key=_by_line)
    roots = {str(row["id"]): row for row in rows}
    for thread in found:
        assert thread.resolved is (roots[thread.id]["resolver"] is not None)
        assert thread.hunk == roots[thread.id]["diff_hunk"]


def _with_review(exchange: Exchange, teller: Teller, *answers: list[dict[str, Any]]) -> PullRequestRef:
    """Play a pull request with the one review of an exchange."""
    row = next(iter(answers[0]), {})
    number = NUMBER.findall(row["pull_request_url"])[-1] if row else exchange.numbers[0]
    review = str(row.get("pull_request_review_id") or exchange.numbers[1])
    made = _map_reviews(exchange.server)[exchange.root, review]
    teller.tell("GET", f"{exchange.root}/pulls/{number}/reviews", [made | {"comments_count": 1}])
    for told in answers:
        teller.tell("GET", f"{exchange.root}/pulls/{number}/reviews/{review}/comments", told)
    return PullRequestRef(exchange.repository, int(number))


@functools.cache
def _map_reviews(server: str) -> Mapping[tuple[str, str], dict[str, Any]]:
    """Return the last recorded state of each review, by repository and id."""
    return {
        (exchange.root, str(row["id"])): row
        for exchange in read_folder(recording_folder(server))
        for row in iterate_rows(exchange.body, {"id", "state", "official", "stale"})
    }


def _place(thread: Thread) -> Place:
    return thread.path or "", thread.side, thread.line


def _by_line(place: Place) -> tuple[str, int, str]:
    path, side, line = place
    return path, line or 0, side


def _stands(row: dict[str, Any]) -> Place:
    side, line = ("LEFT", row["original_position"]) if row["original_position"] else ("RIGHT", row["position"])
    return row["path"], side, line or None


async def reply(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Reply in the recorded thread; a reply elsewhere, or without a text, is only read."""
    path, root = exchange.path, _rows_before(exchange)
    if not exchange.sent["body"].strip() or _stands(root[0]) != _stands(exchange.body):
        await threads(exchange, teller, forge)
        return
    pr = _with_review(exchange, teller, root)
    teller.again(exchange)
    made = await forge.threads.reply(pr, str(root[0]["id"]), exchange.sent["body"])
    check_fields(made.comment, exchange.body, REVIEW_COMMENT)
    assert made.thread == str(root[0]["id"])
    assert [(method, where) for method, where, _ in teller.list_writes()] == [("POST", path)]


def _rows_before(exchange: Exchange) -> list[dict[str, Any]]:
    """Return the comments of a review as they were read last before an exchange."""
    return [row for _, row in _readings(exchange) if row[0] < exchange.position][-1][1]


def _readings(exchange: Exchange) -> Iterator[tuple[str, tuple[int, list[dict[str, Any]]]]]:
    for other in read_folder(recording_folder(exchange.server)):
        inline = re.fullmatch(r"R/pulls/N/reviews/N/comments", other.route) and other.method == "GET"
        if other.file == exchange.file and inline and other.body:
            yield other.path, (other.position, other.body)


async def no_reply(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Check that replies which the route refuses are not sent: to a missing thread, or without a text."""
    asked = exchange.pr
    if asked != _with_review(exchange, teller, _rows_before(exchange)):
        teller.tell("GET", f"{exchange.root}/pulls/{asked.number}/reviews", [])
    teller.again(exchange)
    with pytest.raises((NotFound, Rejected)):
        await forge.threads.reply(asked, exchange.numbers[1], exchange.sent["body"])
    assert teller.list_writes() == []


async def resolve(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """Resolve or unresolve the thread, unless it is so already; nothing is sent for a missing thread."""
    word = exchange.path.rpartition("/")[2]
    number, wanted = exchange.numbers[-1], word == "resolve"
    read = [body for _, (_, body) in _readings(exchange) if number in {str(row["id"]) for row in body}]
    if not read or exchange.status in (400, 404):
        pr = PullRequestRef(exchange.repository, 1)
        teller.tell("GET", f"{exchange.root}/pulls/1", {"number": 1})
        teller.tell("GET", f"{exchange.root}/pulls/1/reviews", [])
        with pytest.raises(NotFound, match="nothing was written"):
            await getattr(forge.threads, word)(pr, number)
        assert teller.list_writes() == []
        return
    resolver = next(row["user"] for row in read[0] if str(row["id"]) == number)
    marked = [row | {"resolver": resolver} for row in read[0]]
    opened = [row | {"resolver": None} for row in read[0]]
    pr = _with_review(exchange, teller, *((opened, marked) if wanted else (marked, opened)))
    teller.again(exchange)
    if exchange.status == 403:
        await expect_error(exchange, getattr(forge.threads, word)(pr, number))
        return
    thread = await getattr(forge.threads, word)(pr, number)
    assert thread.resolved is wanted
    assert [(method, where) for method, where, _ in teller.list_writes()] == [("POST", exchange.path)]


async def no_resolving(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """405: the server lacks the route, which the plugin detects by a request."""
    teller.again(exchange, path=f"{NOWHERE}/comments/0/resolve")
    assert not await forge.supports(Threads.resolve)
    with pytest.raises(Unsupported, match=r"threads\.resolve"):
        await forge.threads.resolve(PullRequestRef(exchange.repository, 1), exchange.numbers[-1])
    assert teller.list_writes() == []


async def no_native_reply(exchange: Exchange, teller: Teller, forge: Forge) -> None:
    """405: the server lacks the route, so the reply uses another one and names it."""
    ends = {"replies": (f"{NOWHERE}/0/comments/0/replies", REPLIES)}
    path, route = ends.get(exchange.path.rpartition("/")[2], (f"{NOWHERE}/0/reviews/0/comments", IN_REVIEW))
    teller.again(exchange, path=path)
    assert not await has_post_route(forge, route)
