"""Conversations at places in the diff (field notes on GitHub's API, section 3)."""

from datetime import datetime
from typing import Any

from stithy_core.spi import (
    Conflict,
    ForgeError,
    Listing,
    NotFound,
    PullRequestRef,
    Reply,
    ReviewComment,
    Thread,
    Threads,
    Unclear,
)
from stithy_github.absence import absent_pull_request
from stithy_github.asking import Connection, ask, pages, place, pull_request_in
from stithy_github.comments_mapping import to_review_comment
from stithy_github.counting import PAGE
from stithy_github.mapping import path_of, pull_path
from stithy_github.threads_mapping import number_of
from stithy_github.threads_queries import ONE_THREAD, RESOLVE, ROOTS, UNRESOLVE
from stithy_github.threads_reading import read_threads, whole_thread
from stithy_github.writing import find_sent, since_when, stamp, writing_to


class GitHubThreads(Threads):
    """Threads. Their ids are those of GraphQL (`PRRT_…`), and those of their comments are REST's numbers."""

    async def of(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads with all their comments."""
        return await read_threads(self.forge, pr)

    async def reply(self, pr: PullRequestRef, thread: str, body: str) -> Reply:
        """Answer in a thread; when the answer is lost, its comments are read back.

        REST takes answers to the first comment of a thread only, so that is found first.
        """
        name, root = await self._place(pr, thread)
        comment = await self.forge.outbox.deliver(
            ("reply", str(pr).lower(), root, body),
            self.forge.http.now(),
            lambda: self._post(pr, root, body),
            lambda since: self._find(pr, root, body, since),
            read=to_review_comment,
        )
        return Reply(comment=comment, thread=name)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved, and read it back."""
        return await self._settle(pr, thread, RESOLVE, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Open a resolved thread again, and read it back."""
        return await self._settle(pr, thread, UNRESOLVE, resolved=False)

    async def _settle(self, pr: PullRequestRef, thread: str, mutation: str, *, resolved: bool) -> Thread:
        name = await self._named(pr, await self._root(pr, thread)) if thread.isdecimal() else thread
        if (found := await self._get(pr, name)).resolved is resolved:
            return found
        lost: Unclear | None = None
        try:
            async with writing_to(self.forge, pr):
                await ask(self.forge, mutation, {"thread": name}, writes=True)
        except Unclear as error:
            lost = error
        if (found := await self._get(pr, name)).resolved is resolved:
            return found
        remedy = "Read the thread, then repeat the call: doing it twice does no harm."
        if lost is not None:
            raise Unclear(lost.message, suggestion=remedy, details=lost.details) from lost
        raise Conflict(f"{pr}: GitHub took the change of thread {thread}, yet it is as it was", suggestion=remedy)

    async def _place(self, pr: PullRequestRef, thread: str) -> tuple[str, str]:
        """Find a thread's id, and that of its first comment; the latter is all that an answer needs."""
        if not thread.isdecimal():
            comments = (await self._get(pr, thread)).comments
            if not comments:
                raise await self._missing(pr, thread)
            return thread, comments[0].id
        root = await self._root(pr, thread)
        try:
            return await self._named(pr, root), root
        except ForgeError:  # GraphQL is closed without a token, and REST knows no other name
            return root, root

    async def _root(self, pr: PullRequestRef, comment: str) -> str:
        """Find the first comment of the thread that a comment is in; ids are the whole repository's."""
        try:
            raw = await self.forge.http.get(f"{path_of(pr.repository)}/pulls/comments/{comment}")
        except NotFound as error:
            raise await self._missing(pr, comment) from error
        if not raw["pull_request_url"].endswith(f"/pulls/{pr.number}"):
            raise await self._missing(pr, comment)
        return str(raw.get("in_reply_to_id") or raw["id"])

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
        raise await self._missing(pr, root)

    async def _get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Read one thread, if it is the pull request's."""
        try:
            data = await ask(self.forge, ONE_THREAD, place(pr) | {"thread": thread})
        except NotFound as error:
            raise await self._missing(pr, thread) from error
        raw = data["node"] or {}
        if raw.get("pullRequest") != {"id": pull_request_in(data, pr)["id"]}:
            raise await self._missing(pr, thread)
        return await whole_thread(self.forge, raw)

    async def _post(self, pr: PullRequestRef, root: str, body: str) -> Any:
        path = f"{pull_path(pr)}/comments/{root}/replies"
        async with writing_to(self.forge, pr):
            return await self.forge.http.send("POST", path, {"body": body})

    async def _find(self, pr: PullRequestRef, root: str, body: str, since: datetime) -> ReviewComment | None:
        earliest = since_when(since)
        rows = await self.forge.http.items(f"{pull_path(pr)}/comments", size=PAGE, since=stamp(earliest))
        answers = (to_review_comment(row) for row in rows if str(row.get("in_reply_to_id")) == root)
        return await find_sent(self.forge, answers, body, earliest)

    async def _missing(self, pr: PullRequestRef, thread: str) -> NotFound:
        """Say that a thread is not there, or that the pull request is not."""
        try:
            await self.forge.http.get(pull_path(pr))
        except NotFound as error:
            return await absent_pull_request(self.forge, pr, error)
        return NotFound(f"{pr} has no thread {thread}", suggestion="Read its threads: they have the ids.")
