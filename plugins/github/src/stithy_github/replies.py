"""Answers in threads. Agents send hundreds, so an answer takes no more than to find its place, to look, and to send."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from stithy_core.spi import PullRequestRef, Reply, ReviewComment, Unclear
from stithy_github.comments_mapping import to_review_comment
from stithy_github.counting import PAGE
from stithy_github.mapping import pull_path
from stithy_github.threads_naming import root_of
from stithy_github.writing import find_sent, since_when, stamp, writing_to

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Placed = tuple[ReviewComment, str]
"""A comment, and the id of the first one of its thread."""


async def reply_in(forge: "Forge", pr: PullRequestRef, thread: str, body: str, unless_since: datetime | None) -> Reply:
    """Answer in a thread, which is called by the id of its first comment where it was named by one of its comments.

    Raises:
        NotFound: The pull request has no such thread.
        Unclear: The answer was lost and is not there, or GitHub took it and put it elsewhere.
    """
    root = await root_of(forge, pr, thread)
    name = root if thread.isdecimal() else thread
    if unless_since is not None and (before := await _find_before(forge, pr, root, body, unless_since)) is not None:
        return Reply(comment=before, thread=name, repeated=True)
    sent = False

    async def send() -> Any:
        nonlocal sent
        sent = True
        return await _post(forge, pr, root, body)

    comment, place = await forge.outbox.write(
        ("reply", str(pr).lower(), root, body),
        forge.http.now(),
        send,
        lambda since: _find_lost(forge, pr, root, body, since),
        read=_placed,
    )
    if place != root:
        raise _stray(pr, root, comment)
    return Reply(comment=comment, thread=name, repeated=not sent)


async def _post(forge: "Forge", pr: PullRequestRef, root: str, body: str) -> Any:
    """Send it; REST takes answers to the first comment of a thread only."""
    async with writing_to(forge, pr):
        return await forge.http.send("POST", f"{pull_path(pr)}/comments/{root}/replies", {"body": body}, shape=dict)


async def _find_before(
    forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime
) -> ReviewComment | None:
    """Look for the same answer of the token's user; from the full hour on, so that it is asked as it was before."""
    answers = await _answers(forge, pr, root, since.replace(minute=0, second=0, microsecond=0))
    return await find_sent(forge, answers, body, since, certainly=True)


async def _find_lost(forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime) -> Placed | None:
    earliest = since_when(since)
    found = await find_sent(forge, await _answers(forge, pr, root, earliest), body, earliest)
    return None if found is None else (found, root)


async def _answers(forge: "Forge", pr: PullRequestRef, root: str, since: datetime) -> list[ReviewComment]:
    """Read what was answered in a thread, or edited there, since a time."""
    rows = await forge.http.items(f"{pull_path(pr)}/comments", size=PAGE, since=stamp(since))
    return [to_review_comment(row) for row in rows if str(row.get("in_reply_to_id")) == root]


def _placed(raw: Mapping[str, Any]) -> Placed:
    return to_review_comment(raw), str(raw.get("in_reply_to_id") or raw["id"])


def _stray(pr: PullRequestRef, root: str, comment: ReviewComment) -> Unclear:
    """Say that an answer did not come to stand where it was meant to."""
    return Unclear(
        f"{pr}: GitHub took the answer as comment {comment.id}, and did not put it in the thread of comment {root}",
        suggestion=f"Do not send it again: look at {comment.url or comment.id}, and delete it where it is wrong.",
        details={"comment": comment.id},
    )
