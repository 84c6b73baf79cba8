"""Conversations at places in the diff (docs/forge-behaviour/github.md#comments-and-threads)."""

from datetime import datetime

from attrs import evolve

from stithy_core.spi import Listing, NotFound, PullRequestRef, Reply, Thread, Threads
from stithy_github.asking import Connection, ask, pages, place, pull_request_in
from stithy_github.replies import reply_in
from stithy_github.threads_listing import read_threads
from stithy_github.threads_mapping import number_of
from stithy_github.threads_naming import check_home, missing_thread, root_of
from stithy_github.threads_queries import ONE_THREAD, RESOLVE, ROOTS, UNRESOLVE
from stithy_github.threads_reading import whole_talk
from stithy_github.writing import writing_to


class GitHubThreads(Threads):
    """Threads. Their ids are those of GraphQL (`PRRT_…`), and those of their comments are REST's numbers."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads with all their comments."""
        return await read_threads(self.forge, pr)

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Answer in a thread; when the answer is lost, its comments are read back."""
        return await reply_in(self.forge, pr, thread, body, unless_since)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved, and read it back."""
        return await self._settle(pr, thread, RESOLVE, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Open a resolved thread again, and read it back."""
        return await self._settle(pr, thread, UNRESOLVE, resolved=False)

    async def _settle(self, pr: PullRequestRef, thread: str, mutation: str, *, resolved: bool) -> Thread:
        name = await self._named(pr, await root_of(self.forge, pr, thread)) if thread.isdecimal() else thread
        if (found := await self._get(pr, name)).resolved is resolved:
            return evolve(found, unchanged=True)

        async def send() -> None:
            async with writing_to(self.forge, pr):
                await ask(self.forge, mutation, {"thread": name}, writes=True)

        async def find() -> Thread | None:
            found = await self._get(pr, name)
            return found if found.resolved is resolved else None

        return await self.forge.outbox.confirm(send, find)

    async def _named(self, pr: PullRequestRef, root: str) -> str:
        """Find the thread that a comment begins; GitHub's schema has no way from a comment to its thread."""

        async def page(after: str | None = None) -> Connection:
            data = await ask(self.forge, ROOTS, place(pr) | {"after": after})
            found: Connection = pull_request_in(data, pr)["reviewThreads"]
            return found

        async for rows in pages(await page(), page):
            for row in filter(None, rows["nodes"]):  # what may not be seen is null
                if any(comment and number_of(comment) == root for comment in row["comments"]["nodes"]):
                    return str(row["id"])
        raise await missing_thread(self.forge, pr, root)

    async def _get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Read one thread, if it is the pull request's."""
        try:
            data = await ask(self.forge, ONE_THREAD, place(pr) | {"thread": thread})
        except NotFound as error:
            raise await missing_thread(self.forge, pr, thread, error) from error
        await check_home(self.forge, pr, thread, data)
        return (await whole_talk(self.forge, data["node"])).thread
