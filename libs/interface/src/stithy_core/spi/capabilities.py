"""The capabilities of a forge: base classes whose methods raise `Unsupported` until a forge overrides them.

A method that is added later therefore breaks no older plugin. Neither does an argument: it is keyword-only and has a
default, and `may_omit` names it where a result without it is still right (`stithy_core.spi.overrides`).
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Concatenate, TypeAlias

from stithy_core.spi.overrides import Capability, may_omit

if TYPE_CHECKING:
    from stithy_core.model import IssueRef, Listing, PullRequestRef, RepositoryRef
    from stithy_core.model.code import Commit, Comparison, FileChange, GitRemote, Repository
    from stithy_core.model.conversations import (
        Comment,
        CommentBlock,
        Conversation,
        Event,
        Issue,
        PullRequest,
        Reaction,
        Reply,
        Review,
        Thread,
        User,
    )
    from stithy_core.model.verdicts import (
        Access,
        Annotation,
        Artifact,
        BranchRules,
        CommitCheck,
        PullRequestChecks,
        Readiness,
        TestReport,
        WorkflowJob,
        WorkflowRun,
    )


class Issues(Capability):
    """Issues of a tracker."""

    attribute = "issues"

    async def get(self, issue: "IssueRef") -> "Issue":
        """Return an issue. For a pull request's number, return the issue that backs it.

        Raises:
            NotFound: The issue or its repository does not exist; the message says which.
        """
        raise self.lacks("get")

    @may_omit("most")
    async def list(self, repository: "RepositoryRef", *, state: str = "open", most: int = 100) -> "Listing[Issue]":
        """List at most `most` issues without pull requests, the newest first; `state` is open, closed or all."""
        raise self.lacks("list")

    @may_omit("most")
    async def timeline(self, issue: "IssueRef", *, most: int = 1_000) -> "Listing[Event]":
        """Return the events of an issue or a pull request, oldest first, without duplicates."""
        raise self.lacks("timeline")


class PullRequests(Capability):
    """Pull requests."""

    attribute = "pull_requests"

    async def get(self, pr: "PullRequestRef") -> "PullRequest":
        """Return a pull request.

        Raises:
            NotFound: The pull request or its repository does not exist, or the number is that of an issue. The message
                says which.
        """
        raise self.lacks("get")

    @may_omit("most")
    async def list(
        self, repository: "RepositoryRef", *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> "Listing[PullRequest]":
        """List pull requests, the newest first.

        Args:
            repository: The repository that they would be merged into.
            state: open, closed or all.
            base: Only pull requests into this branch.
            head: Only pull requests from this branch of the same repository; `owner:branch` for a branch of a fork.
            most: The maximum number of items.
        """
        raise self.lacks("list")

    async def readiness(self, pr: "PullRequestRef") -> "Readiness":
        """Return everything that a merge depends on, in as few requests as the forge allows."""
        raise self.lacks("readiness")

    async def conversation(self, pr: "PullRequestRef") -> "Conversation":
        """Return what people wrote on a pull request, if that takes fewer requests than the lists of each kind.

        All threads and reviews are in it, and of the general comments the newest; `Comments.block` returns the others.

        Raises:
            NotFound: As for `get`.
        """
        raise self.lacks("conversation")

    async def dependencies(self, pr: "PullRequestRef") -> "Listing[Issue]":
        """Return the issues and pull requests that must be closed before this one can be merged, open and closed ones.

        One that the token cannot see has the number 0 and an unknown state. A forge without such dependencies returns
        an empty list and sends no request.

        Raises:
            NotFound: As for `get`.
        """
        raise self.lacks("dependencies")

    async def retarget(self, pr: "PullRequestRef", branch: str) -> "PullRequest":
        """Change the base branch of an open pull request, and return the pull request as it is then.

        Doing it twice does the same as once: one that has this base already is returned, and nothing is written.

        Raises:
            NotFound: As for `get`, or the repository has no such branch.
            Rejected: It is not open, or another open pull request has the same head and this base.
        """
        raise self.lacks("retarget")

    async def update_branch(self, pr: "PullRequestRef", head: str) -> "PullRequest":
        """Merge the base branch into the head branch on the forge, and return the pull request as it is then.

        A forge that merges in the background may return it with the former head. Nothing is written if the head is
        another commit than `head`.

        Args:
            pr: The pull request. Its base has commits that its head does not have.
            head: The SHA of its head when the caller read it.

        Raises:
            NotFound: As for `get`.
            Conflict: The merge has conflicts, or the head has moved.
        """
        raise self.lacks("update_branch")


class Comments(Capability):
    """Comments in the conversation of an issue or a pull request, without those of threads (see `Threads`)."""

    attribute = "comments"

    @may_omit("since")
    async def list(self, subject: "IssueRef", *, since: "datetime | None" = None) -> "Listing[Comment]":
        """Return the whole conversation, oldest first; with `since`, only comments written or edited from then on."""
        raise self.lacks("list")

    async def get(self, subject: "IssueRef", comment: str) -> "Comment":
        """Return a comment.

        Raises:
            NotFound: No comment has the id, it belongs to another conversation, or to a thread.
        """
        raise self.lacks("get")

    async def create(self, subject: "IssueRef", body: str) -> "Comment":
        """Create a comment with exactly this text, and return it as the forge stored it.

        Raises:
            Unclear: The response was lost, and the conversation did not contain the comment when it was read back.
        """
        raise self.lacks("create")

    async def edit(self, subject: "IssueRef", comment: str, body: str) -> "Comment":
        """Replace a comment's text, and return the comment.

        Raises:
            NotFound: As for `get`; nothing was changed.
        """
        raise self.lacks("edit")

    async def reactions(self, subject: "IssueRef", comment: str) -> "Sequence[Reaction]":
        """Return how often each emoji was used on a comment, with the forge's name for it."""
        raise self.lacks("reactions")

    async def minimized(self, subject: "IssueRef") -> "Mapping[str, str]":
        """Return which comments and reviews the forge shows minimized: its reason (resolved, outdated, spam) by id.

        Inline comments carry that themselves. A forge that minimizes nothing returns an empty mapping and sends no
        request.
        """
        raise self.lacks("minimized")

    async def block(self, subject: "IssueRef", *, before: str = "") -> "CommentBlock":
        """Return the newest comments that one request has, each with whether it is minimized.

        Args:
            subject: The issue or pull request.
            before: The cursor of an earlier block: return the comments before it.
        """
        raise self.lacks("block")


class Reviews(Capability):
    """Reviews of pull requests."""

    attribute = "reviews"

    async def list(self, pr: "PullRequestRef") -> "Listing[Review]":
        """Return all reviews, oldest first. A verdict without a time may be anywhere: it is the current one."""
        raise self.lacks("list")


class Threads(Capability):
    """Review threads. A thread is identified by its id, or by the id of any comment in it.

    A thread is a discussion at a place in the code, or one that can be resolved. Any other discussion belongs to
    `Comments`, with its replies. No comment is in both lists.

    Ids of threads and of their comments are unique within a pull request; only a thread and its own comments may share
    one. A forge that counts comments within each thread returns `thread/comment` as their ids.
    """

    attribute = "threads"

    async def list(self, pr: "PullRequestRef") -> "Listing[Thread]":
        """Return all threads with all their comments, by `Thread.sort_key`: those without a path or line first."""
        raise self.lacks("list")

    async def get(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Return a thread with all its comments.

        Raises:
            NotFound: The pull request has no such thread.
            Conflict: Several threads have the id.
        """
        raise self.lacks("get")

    async def reply(
        self, pr: "PullRequestRef", thread: str, body: str, *, unless_since: "datetime | None" = None
    ) -> "Reply":
        """Reply in a thread with exactly this text.

        Args:
            pr: The pull request.
            thread: The thread's id, or that of any comment in it.
            body: Markdown.
            unless_since: If the token's user has posted the same reply in this thread since then (by `Forge.now`), send
                nothing and return that reply, marked as `repeated`; also in a dry run.

        Raises:
            NotFound: The pull request has no such thread. Nothing was written.
            Unclear: As for `Comments.create`.
        """
        raise self.lacks("reply")

    async def resolve(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Resolve a thread, and return it as read back. One that was resolved before is marked as `unchanged`.

        A forge on which the last comment decides adds a reply for it, with a text of its own such as "Done".
        """
        raise self.lacks("resolve")

    async def unresolve(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Reopen a resolved thread, and return it as read back. One that was open before is marked as `unchanged`."""
        raise self.lacks("unresolve")


class Changes(Capability):
    """Repositories, commits, and the changes of a pull request."""

    attribute = "changes"

    async def repository(self, repository: "RepositoryRef") -> "Repository":
        """Return a repository."""
        raise self.lacks("repository")

    async def files(self, pr: "PullRequestRef", *, patches: bool = False) -> "Listing[FileChange]":
        """Return all changed files, sorted by path; with `patches`, each with the hunks of its diff."""
        raise self.lacks("files")

    def diff(self, pr: "PullRequestRef") -> "AsyncIterator[bytes]":
        """Iterate over the whole diff, as git writes it, in chunks of bytes."""
        raise self.lacks("diff")

    async def commits(self, pr: "PullRequestRef") -> "Listing[Commit]":
        """Return the commits of a pull request, oldest first."""
        raise self.lacks("commits")

    async def compare(self, repository: "RepositoryRef", base: str, head: str) -> "Comparison":
        """Compare two branches or commits; `owner:branch` is a branch of a fork."""
        raise self.lacks("compare")

    async def tree(self, repository: "RepositoryRef", commit: str) -> "Listing[str]":
        """Return the paths of a commit's files, as many as one request returns."""
        raise self.lacks("tree")

    async def git(self, repository: "RepositoryRef") -> "GitRemote":
        """Return what git needs to fetch a repository: branches, and pull requests by `Forge.head_ref`.

        No request is sent: git itself finds out whether the repository exists.
        """
        raise self.lacks("git")


class Checks(Capability):
    """Checks, workflow runs and jobs of a commit or of a pull request.

    Some forges check the result of the merge, which is not among the commits of the pull request, or keep the checks
    on the pull request itself. So a caller that has the pull request passes it as well.
    """

    attribute = "checks"

    @may_omit("pr")
    async def list(
        self, repository: "RepositoryRef", commit: str, *, pr: "PullRequestRef | None" = None
    ) -> "Listing[CommitCheck]":
        """Return the latest attempt of every check run, commit status and job, each once, by name.

        Args:
            repository: The repository of the commit; with `pr`, that of the pull request.
            commit: The commit.
            pr: The pull request that has the commit as its head. Then the checks of the pull request are returned:
                those that decide on its merge, wherever the forge keeps them. A forge that keeps all of them on
                commits ignores it.
        """
        raise self.lacks("list")

    async def of_pull_request(self, pr: "PullRequestRef") -> "PullRequestChecks":
        """Return a pull request with the checks of its head, for a forge that returns both by one request.

        `list` needs the head's commit, so that a caller reads the pull request before. A forge that cannot save that
        does not implement this; callers then use `PullRequests.get` and `list`.

        Raises:
            NotFound: As for `PullRequests.get`.
        """
        raise self.lacks("of_pull_request")

    @may_omit("pr")
    async def runs(
        self, repository: "RepositoryRef", commit: str, *, pr: "PullRequestRef | None" = None
    ) -> "Listing[WorkflowRun]":
        """Return the workflow runs of the forge's own CI for a commit, newest first; `pr` is that of `list`.

        A forge without CI of its own returns an empty list and sends no request.
        """
        raise self.lacks("runs")

    async def jobs(self, repository: "RepositoryRef", run: str) -> "Listing[WorkflowJob]":
        """Return the jobs of a run's latest attempt, with their steps."""
        raise self.lacks("jobs")

    async def annotations(self, repository: "RepositoryRef", check: "CommitCheck") -> "Listing[Annotation]":
        """Return the annotations of a check."""
        raise self.lacks("annotations")

    def log(self, repository: "RepositoryRef", job: str) -> "AsyncIterator[bytes]":
        """Iterate over a job's log in chunks of bytes.

        Raises:
            NotFound: The job has not started, or its log has expired.
        """
        raise self.lacks("log")

    async def artifacts(self, repository: "RepositoryRef", run: str) -> "Listing[Artifact]":
        """Return the artifacts of a run."""
        raise self.lacks("artifacts")

    def artifact(self, repository: "RepositoryRef", artifact: str) -> "AsyncIterator[bytes]":
        """Iterate over an artifact, a zip archive, in chunks of bytes.

        Raises:
            NotFound: The artifact has expired.
        """
        raise self.lacks("artifact")

    async def test_report(self, repository: "RepositoryRef", run: str) -> "TestReport":
        """Return the tests of a run's latest attempt, as the forge collected them from result files.

        A run without result files has an empty report. A forge that reads only a part, or could not read a file, says
        so in `TestReport.cut`. It returns the tests that did not pass first, if there are too many to return all.

        Raises:
            NotFound: The run does not exist.
        """
        raise self.lacks("test_report")


class Rules(Capability):
    """Branch protection rules."""

    attribute = "rules"

    @may_omit("pr")
    async def get(
        self, repository: "RepositoryRef", branch: str, *, pr: "PullRequestRef | None" = None
    ) -> "BranchRules":
        """Return the rules for merging into `branch`; what the token cannot see is unknown.

        Args:
            repository: The repository of the branch.
            branch: The branch.
            pr: The pull request to merge into it, if the caller has one. Then its own rules are included, and what
                they override is replaced. A forge whose rules belong to branches alone ignores it.
        """
        raise self.lacks("get")


class Identity(Capability):
    """The token's user and permissions."""

    attribute = "identity"

    async def me(self) -> "User":
        """Return the token's user."""
        raise self.lacks("me")

    async def access(self) -> "Access":
        """Return the token's scopes, expiry and remaining rate limits, as the forge reports them."""
        raise self.lacks("access")

    async def may_push(self, repository: "RepositoryRef", login: str) -> bool:
        """Return whether an account can push to a repository. Membership or past contributions do not imply it.

        Raises:
            Forbidden: The token is not allowed to ask.
            NotFound: The account or the repository does not exist.
        """
        raise self.lacks("may_push")


CAPABILITIES: tuple[type[Capability], ...] = (
    Issues,
    PullRequests,
    Comments,
    Reviews,
    Threads,
    Changes,
    Checks,
    Rules,
    Identity,
)

Operation: TypeAlias = (
    Callable[Concatenate[Issues, ...], object]
    | Callable[Concatenate[PullRequests, ...], object]
    | Callable[Concatenate[Comments, ...], object]
    | Callable[Concatenate[Reviews, ...], object]
    | Callable[Concatenate[Threads, ...], object]
    | Callable[Concatenate[Changes, ...], object]
    | Callable[Concatenate[Checks, ...], object]
    | Callable[Concatenate[Rules, ...], object]
    | Callable[Concatenate[Identity, ...], object]
)
"""A method of a capability, written on its base class: `Threads.resolve`. mypy and pyright reject anything else."""

WRITING: tuple[Operation, ...] = (
    PullRequests.retarget,
    PullRequests.update_branch,
    Comments.create,
    Comments.edit,
    Threads.reply,
    Threads.resolve,
    Threads.unresolve,
)
"""The operations that write to the forge."""


def owner_of(operation: Operation) -> type[Capability]:
    """Return the capability that an operation belongs to.

    Raises:
        TypeError: The operation is not a method of a capability.
    """
    try:
        return _OWNERS[operation]
    except (KeyError, TypeError):  # TypeError: it cannot be a key
        what = f"{operation!r} is not an operation of a capability; write it as Threads.resolve"
        raise TypeError(what) from None


def operations() -> "Sequence[Operation]":
    """Return every operation of every capability, in the order in which they are defined here."""
    return tuple(_OWNERS)


_OWNERS: "Mapping[Operation, type[Capability]]" = {
    operation: capability
    for capability in CAPABILITIES
    for name, operation in vars(capability).items()
    if not name.startswith("_") and callable(operation)
}
"""The capability of each operation: a forge is asked for each of them at its start."""
