"""Review threads."""

from datetime import datetime

from attrs import evolve

from stithy_core.spi import Listing, PullRequestRef, Reply, Thread, Threads, probed
from stithy_gitea.ids import event_of, missing_thread, refuse_comment
from stithy_gitea.inline import (
    PullRequestReviews,
    Row,
    find_thread,
    read_pull_request_reviews,
    read_threads,
    resolver_of,
)
from stithy_gitea.readback import find_own_comment, find_own_reply
from stithy_gitea.replies import ReplyRoute, choose_reply_route
from stithy_gitea.reviews import read_inline
from stithy_gitea.server import RESOLVE, has_post_route
from stithy_gitea.subjects import archived_error, explain_refused_write, locked_error, refuse_blank, resolve_path

WEB_ONLY = "Do it on the web page of the thread: the URL of its first comment leads there."


async def can_resolve_threads(threads: "GiteaThreads") -> bool:
    """Return whether the server can resolve threads: Gitea can since 1.26."""
    return await has_post_route(threads.forge, RESOLVE)


class GiteaThreads(Threads):
    """Threads are made of inline comments; the id of one is that of its first comment."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Return all threads with all their comments, sorted by path, line and time."""
        threads = await read_threads(self.forge, await read_pull_request_reviews(self.forge, pr))
        return Listing(threads, total=len(threads))

    async def get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Return a thread; reviews that are known not to belong to it are not read."""
        return await self._require_thread(await read_pull_request_reviews(self.forge, pr), thread)

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Reply in a thread. If the response is lost, the thread is read back.

        The routes accept replies that the web page would reject, so the pull request is checked first.
        """
        refuse_blank(body)
        talk = await read_pull_request_reviews(self.forge, pr)
        found = await self._require_thread(talk, thread)
        if unless_since and (given := await find_own_reply(self.forge, found, body, unless_since)):
            return Reply(comment=given, thread=found.id, repeated=True)
        _admit(pr, talk.pull)
        way = await choose_reply_route(self.forge, talk, found)
        return await self.forge.outbox.write(
            (str(pr).lower(), "thread", found.id, body),
            self.forge.http.now(),
            lambda: self._post(way, body),
            lambda since: self._find(way, body, since),
        )

    @probed(can_resolve_threads, instead=WEB_ONLY)
    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Resolve a thread, by its first comment."""
        return await self._mark(pr, thread, "resolve", resolved=True)

    @probed(can_resolve_threads, instead=WEB_ONLY)
    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Reopen a resolved thread."""
        return await self._mark(pr, thread, "unresolve", resolved=False)

    async def _require_thread(self, talk: PullRequestReviews, thread: str) -> Thread:
        """Return a thread.

        Raises:
            NotFound: There is no such thread; the message says what the id is instead, if the server reveals it.
        """
        if found := await find_thread(self.forge, talk, thread):
            return found
        await refuse_comment(self.forge, talk.pr, thread)
        for found in await read_threads(self.forge, talk):  # a review may have lost a comment and got another
            if found.named(thread):
                return found
        elsewhere = "it is an event, or belongs to another pull request"
        raise missing_thread(talk.pr, thread, await event_of(self.forge, talk.pr, thread) or elsewhere)

    async def _post(self, way: ReplyRoute, body: str) -> Reply:
        async with explain_refused_write(self.forge, way.talk.pr):
            return await way.post(body)

    async def _find(self, way: ReplyRoute, body: str, since: datetime) -> Reply | None:
        thread = await self._require_thread(await read_pull_request_reviews(self.forge, way.talk.pr), way.thread.id)
        comment = await find_own_comment(self.forge, thread.comments, body, since)
        return None if comment is None else way.reply(comment)

    async def _mark(self, pr: PullRequestRef, thread: str, verb: str, *, resolved: bool) -> Thread:
        found = await self._require_thread(await read_pull_request_reviews(self.forge, pr), thread)
        if found.resolved is resolved:
            return evolve(found, unchanged=True)

        async def send() -> None:
            async with explain_refused_write(self.forge, pr):
                await self.forge.http.send("POST", resolve_path(pr, found.id, verb), idempotent=True)

        async def find() -> Thread | None:
            rows = await read_inline(self.forge, pr, {"id": found.comments[0].review})
            present = [evolve(found, **resolver_of(row)) for row in rows if str(row["id"]) == found.id]
            return next((thread for thread in present if thread.resolved is resolved), None)

        return await self.forge.outbox.confirm(send, find)


def _admit(pr: PullRequestRef, raw: Row) -> None:
    """Check that the token's user may write in a pull request: the routes for threads do not check it.

    Raises:
        Archived: The repository is archived.
        Locked: The conversation is locked, and the user has no write access.
    """
    repository = (raw.get("base") or {}).get("repo") or {}
    if repository.get("archived"):
        raise archived_error(pr)
    if raw.get("is_locked") and not (repository.get("permissions") or {}).get("push"):
        raise locked_error(pr)
