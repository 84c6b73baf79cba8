"""Review threads."""

from datetime import datetime

from attrs import evolve

from stithy_core.spi import Forbidden, Listing, PullRequestRef, Reply, ReviewComment, Thread, Threads
from stithy_sandbox.capabilities.base import InWorld, checked


class SandboxThreads(InWorld, Threads):
    """Review threads."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads by path, line and time; one without a line is first in its file."""
        threads = self.world.pull(pr).threads.values()
        return Listing(tuple(sorted(threads, key=lambda one: (one.path, one.line or 0, one.comments[0].created_at))))

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Reply in a thread."""
        found = self.world.thread(pr, thread)
        if unless_since is not None and (before := self._given(found, body, unless_since)) is not None:
            return Reply(comment=before, thread=found.id, repeated=True)
        self.admit(pr)
        return Reply(comment=self.world.add_reply(pr, found.id, checked(body)), thread=found.id)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved; users with write access may, and the pull request's author."""
        return self._settle(pr, thread, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Reopen a thread; those who may resolve it may reopen it."""
        return self._settle(pr, thread, resolved=False)

    def _given(self, thread: Thread, body: str, since: datetime) -> ReviewComment | None:
        """Return the user's reply with the same text since a time, if any; the opening comment does not count."""
        said = (self.world.user.id, body)
        answers = (one for one in thread.comments[1:] if (one.author.id, one.body) == said)
        return next((one for one in answers if one.created_at >= since), None)

    def _settle(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        found = self.world.thread(pr, thread)
        self.admit(pr)
        author = self.world.pull(pr).subject.author
        if author != self.world.user and not self.world.repository(pr.repository).writable:
            remedy = "Ask its author or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not resolve threads of {pr}", suggestion=remedy)
        settled = self.world.settle(pr, found.id, resolved=resolved)
        return evolve(settled, unchanged=found.resolved is resolved)
