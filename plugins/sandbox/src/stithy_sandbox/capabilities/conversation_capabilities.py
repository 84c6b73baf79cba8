"""Issues, pull requests, comments, review threads, reviews, branch rules and the token's user."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import evolve

from stithy_core.spi import (
    Access,
    BranchRules,
    Comment,
    CommentBlock,
    Comments,
    Conversation,
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
    Review,
    ReviewComment,
    Reviews,
    Rules,
    Thread,
    Threads,
    Unknown,
    User,
    composed_readiness,
)
from stithy_sandbox.capabilities.base import SandboxCapability, check_body, limit_listing
from stithy_sandbox.world.views import build_issue, build_pull_request, build_timeline, find_minimized
from stithy_sandbox.world.world_records import Pull


class SandboxIssues(SandboxCapability, Issues):
    """Issues; a pull request can also be read as an issue."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue."""
        return build_issue(self.world.conversation(issue))

    async def list(self, repository: RepositoryRef, *, state: str = "open", most: int = 100) -> Listing[Issue]:
        """List issues without pull requests, newest first."""
        conversations = reversed(self.world.repository(repository).conversations.values())
        issues = [build_issue(one) for one in conversations if not isinstance(one, Pull)]
        return limit_listing([issue for issue in issues if state in ("all", issue.state)], most)

    async def timeline(self, issue: IssueRef, *, most: int = 1_000) -> Listing[Event]:
        """Read the events, oldest first."""
        return limit_listing(build_timeline(self.world, self.world.conversation(issue)), most)


class SandboxPullRequests(SandboxCapability, PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        return build_pull_request(self.world, self.world.pull(pr))

    async def list(
        self, repository: RepositoryRef, *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> Listing[PullRequest]:
        """List pull requests, newest first."""
        home = self.world.repository(repository)
        records = reversed([one for one in home.conversations.values() if isinstance(one, Pull)])
        pulls = [build_pull_request(self.world, one) for one in records if state in ("all", one.subject.state)]
        matches = [pull for pull in pulls if base in ("", pull.base.branch) and _has_head(pull, head)]
        return limit_listing(matches, most)

    async def readiness(self, pr: PullRequestRef) -> Readiness:
        """Read the conditions for a merge."""
        whole = await composed_readiness(self.forge, pr)
        return evolve(whole, may_merge=self.world.repository(pr.repository).writable)

    async def conversation(self, pr: PullRequestRef) -> Conversation:
        """Read what people wrote on a pull request."""
        return Conversation(
            viewer=await self.forge.identity.me(),
            threads=await self.forge.threads.list(pr),
            reviews=await self.forge.reviews.list(pr),
            newest=await self.forge.comments.block(pr),
            minimized=find_minimized(self.world.conversation(pr)),
        )

    async def dependencies(self, pr: PullRequestRef) -> Listing[Issue]:
        """Read the issues and pull requests that block it."""
        return Listing(tuple(build_issue(self.world.conversation(one)) for one in self.world.pull(pr).waits_for))

    async def retarget(self, pr: PullRequestRef, branch: str) -> PullRequest:
        """Change the base branch."""
        self.check_write(pr)
        self.world.retarget(pr, branch)
        return build_pull_request(self.world, self.world.pull(pr))

    async def update_branch(self, pr: PullRequestRef, head: str) -> PullRequest:
        """Merge the base branch into the head branch."""
        self.check_write(pr)
        self.world.update_branch(pr, head)
        return build_pull_request(self.world, self.world.pull(pr))


def _has_head(pull: PullRequest, head: str) -> bool:
    """Return whether a pull request comes from a branch, written as `branch` or `owner:branch`."""
    owner, _, branch = head.rpartition(":")
    if not branch:
        return True
    home = pull.head.repository
    ours = home == pull.base.repository if not owner else home is not None and home.namespace == owner
    return ours and pull.head.branch == branch


class SandboxComments(SandboxCapability, Comments):
    """General comments. No answer can be lost here, so writes need no idempotent writer as on a real forge."""

    async def list(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first."""
        comments = self.world.conversation(subject).comments
        return Listing(tuple(comment for comment in comments if since is None or comment.updated_at >= since))

    async def get(self, subject: IssueRef, comment: str) -> Comment:
        """Read one comment."""
        return self.world.comment(subject, comment)

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment."""
        self.check_write(subject)
        return self.world.add_comment(subject, check_body(body))

    async def edit(self, subject: IssueRef, comment: str, body: str) -> Comment:
        """Replace the text of a comment; its author may, and users with write access."""
        found = self.world.comment(subject, comment)
        self.check_write(subject)
        if found.author != self.world.user and not self.world.repository(subject.repository).writable:
            remedy = "Ask its author or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not edit comment {comment}", suggestion=remedy)
        return self.world.edit_comment(subject, comment, check_body(body))

    async def reactions(self, subject: IssueRef, comment: str) -> Sequence[Reaction]:
        """Read the reactions to a comment."""
        reactions = self.world.comment(subject, comment).reactions
        return () if isinstance(reactions, Unknown) else reactions

    async def minimized(self, subject: IssueRef) -> Mapping[str, str]:
        """Read why comments and reviews are minimized, by id; review comments have the reason themselves."""
        return find_minimized(self.world.conversation(subject))

    async def block(self, subject: IssueRef, *, before: str = "") -> CommentBlock:  # noqa: ARG002 -- there is one block
        """Read all comments: the sandbox has no pages."""
        return CommentBlock(comments=await self.list(subject), before="")


class SandboxThreads(SandboxCapability, Threads):
    """Review threads."""

    async def list(self, pr: PullRequestRef) -> Listing[Thread]:
        """Read all threads by path, line and time; those without a path come first."""
        threads = self.world.pull(pr).threads.values()
        return Listing(tuple(sorted(threads, key=lambda thread: thread.sort_key)))

    async def get(self, pr: PullRequestRef, thread: str) -> Thread:
        """Read one thread."""
        return self.world.thread(pr, thread)

    async def reply(self, pr: PullRequestRef, thread: str, body: str, *, unless_since: datetime | None = None) -> Reply:
        """Reply in a thread."""
        found = self.world.thread(pr, thread)
        if unless_since is not None and (before := self._find_reply(found, body, unless_since)) is not None:
            return Reply(comment=before, thread=found.id, repeated=True)
        self.check_write(pr)
        return Reply(comment=self.world.add_reply(pr, found.id, check_body(body)), thread=found.id)

    async def resolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Mark a thread as resolved; users with write access may, and the pull request's author."""
        return self._change_resolved(pr, thread, resolved=True)

    async def unresolve(self, pr: PullRequestRef, thread: str) -> Thread:
        """Reopen a thread; those who may resolve it may reopen it."""
        return self._change_resolved(pr, thread, resolved=False)

    def _find_reply(self, thread: Thread, body: str, since: datetime) -> ReviewComment | None:
        """Return the user's reply with the same text since a time, if any; the opening comment does not count."""
        wanted = (self.world.user.id, body)
        replies = (one for one in thread.comments[1:] if (one.author.id, one.body) == wanted)
        return next((one for one in replies if one.created_at >= since), None)

    def _change_resolved(self, pr: PullRequestRef, thread: str, *, resolved: bool) -> Thread:
        found = self.world.thread(pr, thread)
        self.check_write(pr)
        author = self.world.pull(pr).subject.author
        if author != self.world.user and not self.world.repository(pr.repository).writable:
            remedy = "Ask its author or somebody with write access."
            raise Forbidden(f"{self.world.user.login} may not resolve threads of {pr}", suggestion=remedy)
        changed = self.world.set_resolved(pr, found.id, resolved=resolved)
        return evolve(changed, unchanged=found.resolved is resolved)


NO_TOKEN = Unknown("the sandbox has no tokens")


class SandboxReviews(SandboxCapability, Reviews):
    """Reviews."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first."""
        return Listing(tuple(self.world.pull(pr).reviews))


class SandboxRules(SandboxCapability, Rules):
    """Branch rules."""

    async def get(
        self,
        repository: RepositoryRef,
        branch: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- rules belong to branches
    ) -> BranchRules:
        """Read the rules of a branch; empty rules for a branch without any."""
        return self.world.repository(repository).rules.get(branch, BranchRules.none())


class SandboxIdentity(SandboxCapability, Identity):
    """The token's user."""

    async def me(self) -> User:
        """Return the world's user."""
        return self.world.user

    async def access(self) -> Access:
        """Return unknown scopes, since the sandbox has no tokens."""
        return Access(scopes=NO_TOKEN)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account has write access to a repository."""
        return self.world.may_push(repository, login)
