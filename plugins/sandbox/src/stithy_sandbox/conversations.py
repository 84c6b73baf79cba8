"""Issues, pull requests, and all that is said on them."""

from collections.abc import Sequence

from attrs import evolve

from stithy_core.spi import (
    Comment,
    Comments,
    Forbidden,
    Identity,
    Issue,
    IssueRef,
    Issues,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Thread,
    Threads,
    User,
)
from stithy_sandbox.abilities import InWorld, checked


class SandboxIssues(InWorld, Issues):
    """Issues; a pull request is one, too."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue."""
        return self.world.conversation(issue).subject


class SandboxPullRequests(InWorld, PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return evolve(self.world.pull(pr).subject, archived=self.world.repository(pr.repository).archived)


class SandboxComments(InWorld, Comments):
    """Conversations. No answer can get lost here, so nothing needs the outbox that a real forge needs."""

    async def of(self, subject: IssueRef) -> Sequence[Comment]:
        """Read the whole conversation, oldest first."""
        return tuple(self.world.conversation(subject).comments)

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment."""
        self.admit(subject)
        return self.world.add_comment(subject, checked(body))


class SandboxThreads(InWorld, Threads):
    """Conversations in the diff."""

    async def of(self, pr: PullRequestRef) -> Sequence[Thread]:
        """Read all threads, by path, line and time; one without a line stands first in its file."""
        threads = self.world.pull(pr).threads.values()  # by time already, and sorting keeps that
        return sorted(threads, key=lambda thread: (thread.path, thread.line or 0))

    async def reply(self, pr: PullRequestRef, thread: str, body: str) -> Comment:
        """Answer in a thread."""
        self.world.thread(pr, thread)
        self.admit(pr)
        return self.world.add_reply(pr, thread, checked(body))

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved; people with write access may, and the pull request's author."""
        self.world.thread(pr, thread)
        self.admit(pr)
        author = self.world.pull(pr).subject.author
        if author != self.world.user and not self.world.repository(pr.repository).writable:
            remedy = "Ask its author, or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not resolve threads of {pr}", suggestion=remedy)
        return self.world.resolve(pr, thread)


class SandboxIdentity(InWorld, Identity):
    """Who the token speaks for."""

    async def me(self) -> User:
        """Give the world's one user."""
        return self.world.user
