"""Conversations at places in the diff (docs/forge-behaviour/github.md#comments-and-threads)."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from stithy_core.spi import PullRequestRef, Reply, ReviewComment, Unclear
from stithy_github.comment_writes import describe_write_errors, earliest_time, find_own_comment, format_time
from stithy_github.comments_mapping import to_review_comment
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import pull_path
from stithy_github.threads_lookup import find_root

if TYPE_CHECKING:
    from stithy_core.spi import Forge

from collections.abc import Container
from typing import TYPE_CHECKING

from stithy_core.spi import ForgeError, Listing, RateLimited, Thread, Unauthorized, Unknown
from stithy_github.not_found_errors import read_from_pull_request
from stithy_github.threads_cache import read_with_cache
from stithy_github.threads_mapping import sort_by_place, to_threads

if TYPE_CHECKING:
    from stithy_core.spi import Forge


from attrs import evolve

from stithy_core.spi import NotFound, Threads
from stithy_github.graphql_client import (
    Connection,
    execute_graphql,
    get_pull_request,
    iterate_pages,
    reference_variables,
)
from stithy_github.threads_lookup import check_pull_request, missing_thread
from stithy_github.threads_mapping import get_rest_id
from stithy_github.threads_pages import complete_thread
from stithy_github.threads_queries import ONE_THREAD, RESOLVE, ROOTS, UNRESOLVE

RootedReply = tuple[ReviewComment, str]
"""A comment, and the id of the first one of its thread."""


class GitHubThreads(Threads):
    """Threads. Their ids are those of GraphQL (`PRRT_…`), and those of their comments are REST's numbers."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads with all their comments."""
        return await read_threads(self.forge, pr)

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Answer in a thread; when the answer is lost, its comments are read back."""
        return await send_reply(self.forge, pr, thread, body, unless_since)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved, and read it back."""
        return await self._set_resolved(pr, thread, RESOLVE, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Open a resolved thread again, and read it back."""
        return await self._set_resolved(pr, thread, UNRESOLVE, resolved=False)

    async def _set_resolved(self, pr: PullRequestRef, thread: str, mutation: str, *, resolved: bool) -> Thread:
        name = await self._find_thread(pr, await find_root(self.forge, pr, thread)) if thread.isdecimal() else thread
        if (found := await self._read_thread(pr, name)).resolved is resolved:
            return evolve(found, unchanged=True)

        async def send() -> None:
            async with describe_write_errors(self.forge, pr):
                await execute_graphql(self.forge, mutation, {"thread": name}, writes=True)

        async def find() -> Thread | None:
            found = await self._read_thread(pr, name)
            return found if found.resolved is resolved else None

        return await self.forge.outbox.confirm(send, find)

    async def _find_thread(self, pr: PullRequestRef, root: str) -> str:
        """Find the thread that a comment begins; GitHub's schema has no way from a comment to its thread."""

        async def page(after: str | None = None) -> Connection:
            data = await execute_graphql(self.forge, ROOTS, reference_variables(pr) | {"after": after})
            found: Connection = get_pull_request(data, pr)["reviewThreads"]
            return found

        async for rows in iterate_pages(await page(), page):
            for row in filter(None, rows["nodes"]):  # what may not be seen is null
                if any(comment and get_rest_id(comment) == root for comment in row["comments"]["nodes"]):
                    return str(row["id"])
        raise await missing_thread(self.forge, pr, root)

    async def _read_thread(self, pr: PullRequestRef, thread: str) -> Thread:
        """Read one thread, if it is the pull request's."""
        try:
            data = await execute_graphql(self.forge, ONE_THREAD, reference_variables(pr) | {"thread": thread})
        except NotFound as error:
            raise await missing_thread(self.forge, pr, thread, error) from error
        await check_pull_request(self.forge, pr, thread, data)
        return (await complete_thread(self.forge, data["node"])).thread


async def read_threads(forge: "Forge", pr: PullRequestRef) -> Listing[Thread]:
    """Read all threads with all their comments, by path, line and time."""
    try:
        return await read_with_cache(forge, pr)
    except ForgeError as error:
        try:
            return await _read_from_rest(forge, pr, error)
        except RateLimited as limited:  # a limit of both was told by the first
            raise (error if isinstance(error, RateLimited) else limited) from error


async def _read_from_rest(forge: "Forge", pr: PullRequestRef, error: ForgeError) -> Listing[Thread]:
    """Put the threads together from comments."""
    rows = await read_from_pull_request(forge, pr, forge.http.items(f"{pull_path(pr)}/comments", size=PAGE_SIZE))
    # Who has no token is not shown what was not sent.
    pending = await _read_pending_reviews(forge, pr) if rows and not isinstance(error, Unauthorized) else ()
    return Listing(sort_by_place(to_threads(rows, _explain_unknown(error), pending)), cut=rows.cut)


async def _read_pending_reviews(forge: "Forge", pr: PullRequestRef) -> Container[str]:
    """Give the reviews that were begun and not sent, which REST does not say of their comments."""
    return {review.id for review in await forge.reviews.list(pr) if review.state == "pending"}


def _explain_unknown(error: ForgeError) -> Unknown:
    """Say why nobody knows what GraphQL alone knows."""
    if isinstance(error, Unauthorized):
        return Unknown("only GitHub's GraphQL knows it, which takes a token", "Set a token for this forge.")
    remedy = error.suggestion or "Ask again later."
    return Unknown(f"only GitHub's GraphQL knows it, which did not answer: {error.message}", remedy)


async def send_reply(
    forge: "Forge", pr: PullRequestRef, thread: str, body: str, unless_since: datetime | None
) -> Reply:
    """Answer in a thread, which is called by the id of its first comment where it was named by one of its comments.

    Raises:
        NotFound: The pull request has no such thread.
        Unclear: The answer was lost and is not there, or GitHub took it and put it elsewhere.
    """
    root = await find_root(forge, pr, thread)
    name = root if thread.isdecimal() else thread
    if (
        unless_since is not None
        and (before := await _find_earlier_reply(forge, pr, root, body, unless_since)) is not None
    ):
        return Reply(comment=before, thread=name, repeated=True)
    sent = False

    async def send() -> Any:
        nonlocal sent
        sent = True
        return await _post_reply(forge, pr, root, body)

    comment, place = await forge.outbox.write(
        ("reply", str(pr).lower(), root, body),
        forge.http.now(),
        send,
        lambda since: _find_lost_reply(forge, pr, root, body, since),
        read=_map_reply,
    )
    if place != root:
        raise _create_misplaced_error(pr, root, comment)
    return Reply(comment=comment, thread=name, repeated=not sent)


async def _post_reply(forge: "Forge", pr: PullRequestRef, root: str, body: str) -> Any:
    """Send it; REST takes answers to the first comment of a thread only."""
    async with describe_write_errors(forge, pr):
        return await forge.http.send("POST", f"{pull_path(pr)}/comments/{root}/replies", {"body": body}, shape=dict)


async def _find_earlier_reply(
    forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime
) -> ReviewComment | None:
    """Look for the same answer of the token's user; from the full hour on, so that it is asked as it was before."""
    answers = await _read_replies(forge, pr, root, since.replace(minute=0, second=0, microsecond=0))
    return await find_own_comment(forge, answers, body, since, certainly=True)


async def _find_lost_reply(
    forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime
) -> RootedReply | None:
    earliest = earliest_time(since)
    found = await find_own_comment(forge, await _read_replies(forge, pr, root, earliest), body, earliest)
    return None if found is None else (found, root)


async def _read_replies(forge: "Forge", pr: PullRequestRef, root: str, since: datetime) -> list[ReviewComment]:
    """Read what was answered in a thread, or edited there, since a time."""
    rows = await forge.http.items(f"{pull_path(pr)}/comments", size=PAGE_SIZE, since=format_time(since))
    return [to_review_comment(row) for row in rows if str(row.get("in_reply_to_id")) == root]


def _map_reply(raw: Mapping[str, Any]) -> RootedReply:
    return to_review_comment(raw), str(raw.get("in_reply_to_id") or raw["id"])


def _create_misplaced_error(pr: PullRequestRef, root: str, comment: ReviewComment) -> Unclear:
    """Say that an answer did not come to stand where it was meant to."""
    return Unclear(
        f"{pr}: GitHub took the answer as comment {comment.id}, and did not put it in the thread of comment {root}",
        suggestion=f"Do not send it again: look at {comment.url or comment.id}, and delete it where it is wrong.",
        details={"comment": comment.id},
    )
