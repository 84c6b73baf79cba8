"""Issues, pull requests, and all that is said on them."""

from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from stithy_core.spi import (
    Access,
    Comment,
    Comments,
    Event,
    Forbidden,
    Identity,
    Issue,
    IssueRef,
    Issues,
    Listing,
    PullRequest,
    PullRequestRef,
    PullRequests,
    Reaction,
    Readiness,
    Reply,
    RepositoryRef,
    Thread,
    Threads,
    Unknown,
    User,
    composed_readiness,
)
from stithy_sandbox.abilities import InWorld, checked


class SandboxIssues(InWorld, Issues):
    """Issues; a pull request is one, too."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue."""
        return self.world.conversation(issue).subject

    async def of(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues without pull requests, the newest first."""
        return self.world.listed(repository, Issue, state, most)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Read what happened, oldest first."""
        events = tuple(self.world.events(issue))
        return Listing(events[:most], len(events), f"only the first {most:,} were read" if len(events) > most else "")


class SandboxPullRequests(InWorld, PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return evolve(self.world.pull(pr).subject, archived=self.world.repository(pr.repository).archived)

    async def of(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, the newest first."""

        def fits(pull: PullRequest) -> bool:
            return base in ("", pull.base.branch) and head in ("", pull.head.branch)

        return self.world.listed(repository, PullRequest, state, most, fits)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read all that stands before a merge."""
        return await composed_readiness(self.forge, pr)


class SandboxComments(InWorld, Comments):
    """Conversations. No answer can get lost here, so nothing needs the outbox that a real forge needs."""

    async def of(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first."""
        comments = self.world.conversation(subject).comments
        return Listing(tuple(comment for comment in comments if since is None or comment.updated_at >= since))

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return self.world.comment(subject, comment)

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment."""
        self.admit(subject)
        return self.world.add_comment(subject, checked(body))

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Put another text in a comment's place."""
        self.admit(subject)
        return self.world.edit_comment(subject, comment, checked(body))

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Count the emoji that answered a comment."""
        reactions = self.world.comment(subject, comment).reactions
        return () if isinstance(reactions, Unknown) else reactions


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


class SandboxIdentity(InWorld, Identity):
    """Who the token speaks for."""

    async def me(self) -> User:
        """Give the world's one user."""
        return self.world.user

    async def access(self) -> Access:
        """Say that there is no token, and so no budget."""
        return Access(scopes=())
