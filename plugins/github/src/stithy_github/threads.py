"""Review threads (docs/forge-behaviour/github.md#comments-and-threads).

GraphQL alone reports whether a thread is resolved. If GraphQL does not answer, above all for want of a token, threads
are read from REST, and `resolved` and `outdated` are unknown with the reason, never false.
"""

from collections.abc import Container, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import evolve

from stithy_core.spi import (
    ForgeError,
    Listing,
    NotFound,
    PullRequestRef,
    RateLimited,
    Reply,
    ReviewComment,
    Thread,
    Threads,
    Unauthorized,
    Unclear,
    Unknown,
    find_thread,
    raise_explained,
)
from stithy_github.comment_writes import describe_write_errors, earliest_time, find_own_comment, format_time
from stithy_github.comments_mapping import to_review_comment
from stithy_github.graphql_client import (
    Connection,
    execute_graphql,
    get_pull_request,
    iterate_pages,
    reference_variables,
)
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import pull_path
from stithy_github.not_found_errors import read_from_pull_request
from stithy_github.threads_cache import read_with_cache
from stithy_github.threads_lookup import check_pull_request, find_root, missing_thread
from stithy_github.threads_mapping import get_rest_id, sort_by_place, to_threads
from stithy_github.threads_pages import complete_thread
from stithy_github.threads_queries import ONE_THREAD, RESOLVE, ROOTS, UNRESOLVE

if TYPE_CHECKING:
    from stithy_core.spi import Forge

RootedReply = tuple[ReviewComment, str]
"""A reply, and the id of the first comment of its thread."""


class GitHubThreads(Threads):
    """Review threads. Their ids are GraphQL's (`PRRT_…`), the ids of their comments are REST's numbers."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Return all threads with all their comments, by path, line and time."""
        try:
            return await read_with_cache(self.forge, pr)
        except ForgeError as error:
            try:
                return await _read_from_rest(self.forge, pr, error)
            except RateLimited as limited:
                raise_explained(error if isinstance(error, RateLimited) else limited, error)  # GraphQL's comes first

    async def get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Return a thread; out of the comments of REST if GraphQL does not answer."""
        try:
            return await self._read_thread(pr, await self._find_name(pr, thread))
        except (NotFound, RateLimited):
            raise
        except ForgeError as error:
            # REST has threads by their comments only.
            rest = await _read_from_rest(self.forge, pr, error) if thread.isdecimal() else ()
            if (found := find_thread(rest, thread)) is None:
                raise
            return found

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Reply in a thread; if the response is lost, the thread is read back.

        A thread that is named by one of its comments is returned under the id of its first comment.

        Raises:
            NotFound: The pull request has no such thread.
            Unclear: The response was lost and the reply is not there, or GitHub put it elsewhere.
        """
        root = await find_root(self.forge, pr, thread)
        name = root if thread.isdecimal() else thread
        if unless_since is not None:
            earlier = await _find_earlier_reply(self.forge, pr, root, body, unless_since)
            if earlier is not None:
                return Reply(comment=earlier, thread=name, repeated=True)
        sent = False

        async def send() -> Any:
            nonlocal sent
            sent = True
            return await _post_reply(self.forge, pr, root, body)

        comment, place = await self.forge.outbox.write(
            ("reply", str(pr).lower(), root, body),
            self.forge.http.now(),
            send,
            lambda since: _find_lost_reply(self.forge, pr, root, body, since),
            read=_map_reply,
        )
        if place != root:
            raise _create_misplaced_error(pr, root, comment)
        return Reply(comment=comment, thread=name, repeated=not sent)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Resolve a thread and return it as read back."""
        return await self._set_resolved(pr, thread, RESOLVE, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Unresolve a thread and return it as read back."""
        return await self._set_resolved(pr, thread, UNRESOLVE, resolved=False)

    async def _set_resolved(self, pr: PullRequestRef, thread: str, mutation: str, *, resolved: bool) -> Thread:
        name = await self._find_name(pr, thread)
        if (current := await self._read_thread(pr, name)).resolved is resolved:
            return evolve(current, unchanged=True)

        async def send() -> None:
            async with describe_write_errors(self.forge, pr):
                await execute_graphql(self.forge, mutation, {"thread": name}, writes=True)

        async def find() -> Thread | None:
            current = await self._read_thread(pr, name)
            return current if current.resolved is resolved else None

        return await self.forge.outbox.confirm(send, find)

    async def _find_name(self, pr: PullRequestRef, thread: str) -> str:
        """Return the id of the thread that the id of a thread or of a comment names."""
        return await self._find_thread(pr, await find_root(self.forge, pr, thread)) if thread.isdecimal() else thread

    async def _find_thread(self, pr: PullRequestRef, root: str) -> str:
        """Return the id of the thread that a comment begins; GitHub's schema does not lead from one to the other."""

        async def read_page(after: str | None = None) -> Connection:
            data = await execute_graphql(self.forge, ROOTS, reference_variables(pr) | {"after": after})
            page: Connection = get_pull_request(data, pr)["reviewThreads"]
            return page

        async for page in iterate_pages(await read_page(), read_page):
            for row in filter(None, page["nodes"]):  # a thread that the token may not see is null
                if any(comment and get_rest_id(comment) == root for comment in row["comments"]["nodes"]):
                    return str(row["id"])
        raise await missing_thread(self.forge, pr, root)

    async def _read_thread(self, pr: PullRequestRef, thread: str) -> Thread:
        """Return a thread of the pull request."""
        try:
            data = await execute_graphql(self.forge, ONE_THREAD, reference_variables(pr) | {"thread": thread})
        except NotFound as error:
            raise await missing_thread(self.forge, pr, thread, error) from error
        await check_pull_request(self.forge, pr, thread, data)
        return (await complete_thread(self.forge, data["node"])).thread


async def _read_from_rest(forge: "Forge", pr: PullRequestRef, error: ForgeError) -> Listing[Thread]:
    """Return the threads that the comments of REST form."""
    rows = await read_from_pull_request(forge, pr, forge.http.items(f"{pull_path(pr)}/comments", size=PAGE_SIZE))
    # Pending comments are not shown without a token.
    pending = await _read_pending_reviews(forge, pr) if rows and not isinstance(error, Unauthorized) else ()
    return Listing(sort_by_place(to_threads(rows, _create_unknown(error), pending)), cut=rows.cut)


async def _read_pending_reviews(forge: "Forge", pr: PullRequestRef) -> Container[str]:
    """Return the ids of pending reviews; REST does not say of a comment whether it is pending."""
    return {review.id for review in await forge.reviews.list(pr) if review.state == "pending"}


def _create_unknown(error: ForgeError) -> Unknown:
    """Return why a value that only GraphQL has is unknown."""
    if isinstance(error, Unauthorized):
        return Unknown("only GitHub's GraphQL API reports it, which needs a token", "Set a token for this forge.")
    remedy = error.suggestion or "Try again later."
    return Unknown(f"only GitHub's GraphQL API reports it, which did not answer: {error.message}", remedy)


async def _post_reply(forge: "Forge", pr: PullRequestRef, root: str, body: str) -> Any:
    """Send a reply; REST takes replies to the first comment of a thread only."""
    async with describe_write_errors(forge, pr):
        return await forge.http.send("POST", f"{pull_path(pr)}/comments/{root}/replies", {"body": body}, shape=dict)


async def _find_earlier_reply(
    forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime
) -> ReviewComment | None:
    """Return the same reply of the token's user since a time, or None.

    The query begins at the full hour, so that its URL repeats and the cache can revalidate it.
    """
    replies = await _read_replies(forge, pr, root, since.replace(minute=0, second=0, microsecond=0))
    return await find_own_comment(forge, replies, body, since, certainly=True)


async def _find_lost_reply(
    forge: "Forge", pr: PullRequestRef, root: str, body: str, since: datetime
) -> RootedReply | None:
    earliest = earliest_time(since)
    reply = await find_own_comment(forge, await _read_replies(forge, pr, root, earliest), body, earliest)
    return None if reply is None else (reply, root)


async def _read_replies(forge: "Forge", pr: PullRequestRef, root: str, since: datetime) -> list[ReviewComment]:
    """Return the replies of a thread that were written or edited since a time."""
    rows = await forge.http.items(f"{pull_path(pr)}/comments", size=PAGE_SIZE, since=format_time(since))
    return [to_review_comment(row) for row in rows if str(row.get("in_reply_to_id")) == root]


def _map_reply(raw: Mapping[str, Any]) -> RootedReply:
    return to_review_comment(raw), str(raw.get("in_reply_to_id") or raw["id"])


def _create_misplaced_error(pr: PullRequestRef, root: str, comment: ReviewComment) -> Unclear:
    """Return the error of a reply that GitHub put outside of its thread."""
    return Unclear(
        f"{pr}: GitHub created comment {comment.id}, and did not put it in the thread of comment {root}",
        suggestion=f"Do not send it again: read {comment.url or comment.id}, and delete it if it is misplaced.",
        details={"comment": comment.id},
    )
