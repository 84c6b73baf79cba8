"""Conversations in the diff."""

from stithy_core.spi import Forbidden, Listing, PullRequestRef, Reply, Thread, Threads
from stithy_sandbox.abilities.base import InWorld, checked


class SandboxThreads(InWorld, Threads):
    """Conversations in the diff."""

    async def of(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads, by path, line and time; one without a line stands first in its file."""
        threads = self.world.pull(pr).threads.values()  # by time already, and sorting keeps that
        return Listing(tuple(sorted(threads, key=lambda thread: (thread.path, thread.line or 0))))

    async def reply(self, pr: PullRequestRef, thread: str, body: str) -> Reply:
        """Answer in a thread."""
        found = self.world.thread(pr, thread)
        self.admit(pr)
        return Reply(comment=self.world.add_reply(pr, found.id, checked(body)), thread=found.id)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved; people with write access may, and the pull request's author."""
        return self._settle(pr, thread, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Open a thread again; whoever may resolve it may do so."""
        return self._settle(pr, thread, resolved=False)

    def _settle(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        found = self.world.thread(pr, thread)
        self.admit(pr)
        author = self.world.pull(pr).subject.author
        if author != self.world.user and not self.world.repository(pr.repository).writable:
            remedy = "Ask its author, or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not resolve threads of {pr}", suggestion=remedy)
        return self.world.settle(pr, found.id, resolved=resolved)
