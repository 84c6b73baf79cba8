"""Conversations in the diff."""

from datetime import datetime

from attrs import evolve

from stithy_core.spi import Listing, PullRequestRef, Reply, Thread, Threads, probed
from stithy_gitea.ids import event_of, no_thread, refuse_comment
from stithy_gitea.inline import Row, Talk, find_thread, read_talk, read_threads, resolver_of
from stithy_gitea.paths import resolve_path
from stithy_gitea.readback import answered, ours
from stithy_gitea.replies import Way, way_to
from stithy_gitea.reviews import read_inline
from stithy_gitea.server import RESOLVE, posts_to
from stithy_gitea.subjects import admitted, archived, locked, refuse_blank

WEB_ONLY = "Do it on the web page of the thread: the URL of its first comment leads there."


async def resolves(threads: "GiteaThreads") -> bool:
    """Ask whether the server resolves threads: Gitea from 1.26 does."""
    return await posts_to(threads.forge, RESOLVE)


class GiteaThreads(Threads):
    """Threads are made of inline comments; the id of one is that of its first comment."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads with all their comments, by path, line and time."""
        threads = await read_threads(self.forge, await read_talk(self.forge, pr))
        return Listing(threads, len(threads))

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Answer in a thread; when the answer is lost, the thread is read back.

        The routes take what the page would not, so the pull request is looked at first.
        """
        refuse_blank(body)
        talk = await read_talk(self.forge, pr)
        found = await self._named(talk, thread)
        if unless_since and (given := await answered(self.forge, found, body, unless_since)):
            return Reply(comment=given, thread=found.id, repeated=True)
        _admit(pr, talk.pull)
        way = await way_to(self.forge, talk, found)
        return await self.forge.outbox.write(
            (str(pr).lower(), "thread", found.id, body),
            self.forge.http.now(),
            lambda: self._post(way, body),
            lambda since: self._find(way, body, since),
        )

    @probed(resolves, instead=WEB_ONLY)
    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved, which is what its first comment is marked with."""
        return await self._mark(pr, thread, "resolve", resolved=True)

    @probed(resolves, instead=WEB_ONLY)
    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Open a resolved thread again."""
        return await self._mark(pr, thread, "unresolve", resolved=False)

    async def _named(self, talk: Talk, thread: str) -> Thread:
        """Read one thread.

        Raises:
            NotFound: There is none of that name; what the id is instead is said as far as the server tells.
        """
        if found := await find_thread(self.forge, talk, thread):
            return found
        await refuse_comment(self.forge, talk.pr, thread)
        for found in await read_threads(self.forge, talk):  # a review may have lost a comment and got another
            if found.named(thread):
                return found
        elsewhere = "it is an event, or stands in the diff of another pull request"
        raise no_thread(talk.pr, thread, await event_of(self.forge, talk.pr, thread) or elsewhere)

    async def _post(self, way: Way, body: str) -> Reply:
        async with admitted(self.forge, way.talk.pr):
            return await way.post(body)

    async def _find(self, way: Way, body: str, since: datetime) -> Reply | None:
        thread = await self._named(await read_talk(self.forge, way.talk.pr), way.thread.id)
        comment = await ours(self.forge, thread.comments, body, since)
        return None if comment is None else way.reply(comment)

    async def _mark(self, pr: PullRequestRef, thread: str, verb: str, *, resolved: bool) -> Thread:
        found = await self._named(await read_talk(self.forge, pr), thread)
        if found.resolved is resolved:
            return evolve(found, unchanged=True)

        async def send() -> None:
            async with admitted(self.forge, pr):
                await self.forge.http.send("POST", resolve_path(pr, found.id, verb), idempotent=True)

        async def find() -> Thread | None:
            rows = await read_inline(self.forge, pr, {"id": found.comments[0].review})
            present = [evolve(found, **resolver_of(row)) for row in rows if str(row["id"]) == found.id]
            return next((thread for thread in present if thread.resolved is resolved), None)

        return await self.forge.outbox.confirm(send, find)


def _admit(pr: PullRequestRef, raw: Row) -> None:
    """Pass a pull request that takes words from the token's user: the routes for threads do not look.

    Raises:
        Archived: The repository is archived.
        Locked: The conversation is locked, and the user has no write access.
    """
    repository = (raw.get("base") or {}).get("repo") or {}
    if repository.get("archived"):
        raise archived(pr)
    if raw.get("is_locked") and not (repository.get("permissions") or {}).get("push"):
        raise locked(pr)
