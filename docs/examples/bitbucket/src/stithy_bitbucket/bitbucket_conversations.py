"""General comments, threads at places in the code, and tasks."""

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from stithy_bitbucket.bitbucket_mapping import TASK, Json, pull_path, read_object, to_comment, to_task, to_thread
from stithy_core import spi


async def read_discussions(forge: spi.Forge, pr: spi.IssueRef) -> Sequence[Sequence[Json]]:
    """Read all comments: each discussion has its first comment, and then all replies, oldest first."""
    try:
        rows = await forge.http.items(f"{pull_path(pr)}/comments", rows="values", size=100)
    except spi.NotFound:
        await read_object(forge, pr)
        raise
    parents = {row["id"]: row["parent"]["id"] for row in rows if row.get("parent")}
    found: dict[int, list[Json]] = {}
    for row in sorted(rows, key=lambda row: str(row["created_on"])):
        root = row["id"]
        while root in parents:
            root = parents[root]
        found.setdefault(root, []).append(row)
    return [rows for rows in found.values() if not all(row["deleted"] for row in rows)]


async def post(forge: spi.Forge, pr: spi.IssueRef, body: str, **more: Json) -> Json:
    """Post a comment, once."""
    try:
        sent = {"content": {"raw": body}, **more}
        made: Json = await forge.http.send("POST", f"{pull_path(pr)}/comments", sent, shape=dict)
    except spi.NotFound:
        await read_object(forge, pr)
        raise
    return made


class BitbucketComments(spi.Comments):
    """The general comments of a pull request, with their replies."""

    async def list(self, subject: spi.IssueRef, *, since: datetime | None = None) -> spi.Listing[spi.Comment]:
        general = [rows for rows in await read_discussions(self.forge, subject) if "inline" not in rows[0]]
        comments = sorted((to_comment(row) for rows in general for row in rows), key=lambda one: one.created_at)
        return spi.Listing(tuple(one for one in comments if since is None or one.updated_at >= since))

    async def create(self, subject: spi.IssueRef, body: str) -> spi.Comment:
        async def find(began: datetime) -> spi.Comment | None:
            late = await self.list(subject, since=began.replace(microsecond=0))
            return next((one for one in late if one.body == body), None)

        send, now = (lambda: post(self.forge, subject, body)), self.forge.http.now()
        return await self.forge.outbox.write((subject, body), now, send, find, read=to_comment)


class BitbucketThreads(spi.Threads):
    """Comments on files and lines with their replies, and tasks."""

    async def list(self, pr: spi.PullRequestRef) -> spi.Listing[spi.Thread]:
        inline = [rows for rows in await read_discussions(self.forge, pr) if "inline" in rows[0]]
        tasks = await self.forge.http.items(f"{pull_path(pr)}/tasks", rows="values", size=100)
        threads = [*(to_thread(root, replies) for root, *replies in inline), *map(to_task, tasks)]
        return spi.Listing(tuple(sorted(threads, key=lambda thread: thread.sort_key)))

    async def reply(
        self, pr: spi.PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None
    ) -> spi.Reply:
        found = await self._get(pr, thread)
        if not found.takes_replies:
            raise self.lacks("reply", reason="a task has no replies", instead="resolve it, or add a comment")

        async def find(since: datetime) -> spi.Reply | None:
            me, (_, *replies) = await self.forge.identity.me(), (await self._get(pr, found.id)).comments
            late = [one for one in replies if one.body == body and one.created_at >= since.replace(microsecond=0)]
            own = next((one for one in late if one.author.is_same_account(me)), None)
            return None if own is None else spi.Reply(comment=own, thread=found.id, repeated=True)

        def read(raw: Json) -> spi.Reply:
            return spi.Reply(comment=to_comment(raw), thread=found.id)

        if unless_since is not None and (before := await find(unless_since)) is not None:
            return before
        send, now = (lambda: post(self.forge, pr, body, parent={"id": int(found.id)})), self.forge.http.now()
        return await self.forge.outbox.write((pr, found.id, body), now, send, find, read=read)

    async def resolve(self, pr: spi.PullRequestRef, thread: str) -> spi.Thread:
        return await self._set_resolved(pr, thread, resolved=True)

    async def unresolve(self, pr: spi.PullRequestRef, thread: str) -> spi.Thread:
        return await self._set_resolved(pr, thread, resolved=False)

    async def _get(self, pr: spi.PullRequestRef, name: str) -> spi.Thread:
        if (found := spi.find_thread(await self.list(pr), name)) is not None:
            return found
        raise spi.NotFound(f"{pr} has no thread {name}", suggestion="Read its threads: they have the ids.")

    async def _set_resolved(self, pr: spi.PullRequestRef, thread: str, *, resolved: bool) -> spi.Thread:
        before = await self._get(pr, thread)
        if before.resolved is resolved:
            return evolve(before, unchanged=True)
        method, path, body = "POST" if resolved else "DELETE", f"{pull_path(pr)}/comments/{before.id}/resolve", None
        if before.id.startswith(TASK):
            path, body = (
                f"{pull_path(pr)}/tasks/{before.id.removeprefix(TASK)}",
                {"state": "UNRESOLVED"[2 * resolved :]},
            )
            method = "PUT"

        async def find() -> spi.Thread | None:
            after = await self._get(pr, before.id)
            return after if after.resolved is resolved else None

        return await self.forge.outbox.confirm(lambda: self.forge.http.send(method, path, body), find)
