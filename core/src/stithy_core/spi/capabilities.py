"""the capabilities of a forge: base classes whose every method raises `Unsupported` until a forge overrides it.

A method that is added here later breaks no older plugin.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, TypeAlias

from stithy_core.errors import Unsupported
from stithy_core.spi.answers import check_answers
from stithy_core.spi.support import gate_of, guarded

if TYPE_CHECKING:
    from stithy_core.model import IssueRef, PullRequestRef, RepositoryRef
    from stithy_core.model.code import Commit, Comparison, FileChange, GitRemote, Repository
    from stithy_core.model.conversations import (
        Comment,
        Event,
        Issue,
        PullRequest,
        Reaction,
        Reply,
        Review,
        Thread,
        User,
    )
    from stithy_core.model.listing import Listing
    from stithy_core.model.verdicts import (
        Access,
        Annotation,
        Artifact,
        BranchRules,
        CommitCheck,
        Readiness,
        WorkflowJob,
        WorkflowRun,
    )
    from stithy_core.spi.forge import Forge


class Capability:
    """One field of what a forge can do; made by its `Forge`, which it knows."""

    attribute: ClassVar[str]

    def __init__(self, forge: "Forge") -> None:
        self.forge = forge

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, method in list(vars(cls).items()):
            gate = gate_of(method)
            is_operation = any(name in vars(base) for base in cls.__mro__[1:-2])
            if gate is not None and not is_operation:
                raise TypeError(f"{cls.__qualname__}.{name} is gated, but no capability has an operation {name!r}")
            if is_operation:
                admitted = method if gate is None else guarded(method, gate)
                setattr(cls, name, check_answers(admitted, getattr(super(cls, cls), name)))

    def lacks(self, operation: str, *, reason: str = "", instead: str = "") -> Unsupported:
        """Give the error to raise where an operation is missing.

        Args:
            operation: The method's name.
            reason: Why, as far as it is known.
            instead: What a caller should do instead; by default, look at the forge's own pages.
        """
        link = self.forge.config
        said = f"{link.alias} ({link.kind} at {link.url}) cannot do {self.attribute}.{operation}"
        details = {"forge": link.alias, "kind": link.kind, "operation": f"{self.attribute}.{operation}"}
        remedy = instead or f"Look at its own pages, {link.url}."
        return Unsupported(f"{said}: {reason}" if reason else said, suggestion=remedy, details=details)


class Issues(Capability):
    """Issues of a tracker."""

    attribute = "issues"

    async def get(self, issue: "IssueRef") -> "Issue":
        """Read one issue; of a pull request's number, the issue that it is as well.

        Raises:
            NotFound: There is none; the message tells a missing number from a missing repository.
        """
        raise self.lacks("get")

    async def list(self, repository: "RepositoryRef", *, state: str = "open", most: int = 100) -> "Listing[Issue]":
        """List issues without pull requests, the newest first.

        Args:
            repository: Whose issues.
            state: open, closed or all.
            most: How many at most.
        """
        raise self.lacks("list")

    async def timeline(self, issue: "IssueRef", *, most: int = 1_000) -> "Listing[Event]":
        """Read what happened to an issue or a pull request, oldest first, nothing twice."""
        raise self.lacks("timeline")


class PullRequests(Capability):
    """Pull requests."""

    attribute = "pull_requests"

    async def get(self, pr: "PullRequestRef") -> "PullRequest":
        """Read one pull request.

        Raises:
            NotFound: There is none; the message tells an issue of that number from a missing repository.
        """
        raise self.lacks("get")

    async def list(
        self, repository: "RepositoryRef", *, state: str = "open", base: str = "", head: str = "", most: int = 100
    ) -> "Listing[PullRequest]":
        """List pull requests, the newest first.

        Args:
            repository: Into which they go.
            state: open, closed or all.
            base: Only those into this branch.
            head: Only those from this branch of the same repository; of a fork, `owner:branch`.
            most: How many at most.
        """
        raise self.lacks("list")

    async def readiness(self, pr: "PullRequestRef") -> "Readiness":
        """Read all that stands before a merge, in as few requests as the forge lets us."""
        raise self.lacks("readiness")

    async def dependencies(self, pr: "PullRequestRef") -> "Listing[Issue]":
        """Read which issues and pull requests must be closed before this one may be merged, open and closed ones.

        One that the token may not see has the number 0, and nobody knows its state. A forge that makes no merge wait
        for such gives none, and asks nobody.

        Raises:
            NotFound: As for `get`.
        """
        raise self.lacks("dependencies")


class Comments(Capability):
    """What is said in the conversation of an issue or a pull request."""

    attribute = "comments"

    async def list(self, subject: "IssueRef", *, since: "datetime | None" = None) -> "Listing[Comment]":
        """Read the whole conversation, oldest first; with `since`, what was written or edited from then on."""
        raise self.lacks("list")

    async def get(self, subject: "IssueRef", comment: str) -> "Comment":
        """Read one comment.

        Raises:
            NotFound: There is none of that id, or it is of another conversation, or it stands in the diff.
        """
        raise self.lacks("get")

    async def create(self, subject: "IssueRef", body: str) -> "Comment":
        """Add a comment, exactly as given.

        Raises:
            Unclear: The answer was lost, and the comment was not there when the conversation was read back.
        """
        raise self.lacks("create")

    async def edit(self, subject: "IssueRef", comment: str, body: str) -> "Comment":
        """Put another text in a comment's place.

        Raises:
            NotFound: As for `get`; nothing was changed.
        """
        raise self.lacks("edit")

    async def reactions(self, subject: "IssueRef", comment: str) -> "Sequence[Reaction]":
        """Count the emoji that answered a comment, by the forge's word for each."""
        raise self.lacks("reactions")

    async def minimized(self, subject: "IssueRef") -> "Mapping[str, str]":
        """Read what the forge folds away of a conversation: its word for why (resolved, outdated, spam), by id.

        The ids are those of comments and of reviews; what stands in the diff says it by itself. A forge that folds
        nothing away gives none, and asks nobody.
        """
        raise self.lacks("minimized")


class Reviews(Capability):
    """Verdicts on pull requests."""

    attribute = "reviews"

    async def list(self, pr: "PullRequestRef") -> "Listing[Review]":
        """Read all reviews, oldest first."""
        raise self.lacks("list")


class Threads(Capability):
    """Conversations at places in the diff. A thread is named by its id, or by that of any comment in it."""

    attribute = "threads"

    async def list(self, pr: "PullRequestRef") -> "Listing[Thread]":
        """Read all threads with all their comments, by path, line and time; one without a line stands first."""
        raise self.lacks("list")

    async def reply(
        self, pr: "PullRequestRef", thread: str, body: str, *, unless_since: "datetime | None" = None
    ) -> "Reply":
        """Answer in a thread, exactly as given.

        Args:
            pr: The pull request.
            thread: The thread's id, or that of any comment in it.
            body: Markdown.
            unless_since: Send nothing where the token's user gave the same answer in this thread since then (by
                `Forge.now`), and give that one, which says that it is `repeated`; in a dry run, too.

        Raises:
            NotFound: The pull request has no such thread; nothing was written.
            Unclear: As for `Comments.create`.
        """
        raise self.lacks("reply")

    async def resolve(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Mark a thread as resolved, and give it as it is read back; one that was so before says `unchanged`."""
        raise self.lacks("resolve")

    async def unresolve(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Open a resolved thread again, and give it as it is read back; one that was open says `unchanged`."""
        raise self.lacks("unresolve")


class Changes(Capability):
    """The code: repositories, commits, and what a pull request changes."""

    attribute = "changes"

    async def repository(self, repository: "RepositoryRef") -> "Repository":
        """Read what is known of a repository."""
        raise self.lacks("repository")

    async def files(self, pr: "PullRequestRef", *, patches: bool = False) -> "Listing[FileChange]":
        """Read all changed files, by path.

        Args:
            pr: The pull request.
            patches: Whether each comes with the hunks of its diff.
        """
        raise self.lacks("files")

    def diff(self, pr: "PullRequestRef") -> "AsyncIterator[bytes]":
        """Read the whole diff as git writes it, in pieces."""
        raise self.lacks("diff")

    async def commits(self, pr: "PullRequestRef") -> "Listing[Commit]":
        """Read the commits of a pull request, oldest first."""
        raise self.lacks("commits")

    async def compare(self, repository: "RepositoryRef", base: str, head: str) -> "Comparison":
        """Compare two branches or commits; `owner:branch` names the branch of a fork."""
        raise self.lacks("compare")

    async def tree(self, repository: "RepositoryRef", commit: str) -> "Listing[str]":
        """Read the paths of a commit's files, as many of them as one request gives."""
        raise self.lacks("tree")

    async def git(self, repository: "RepositoryRef") -> "GitRemote":
        """Give what git needs to read a repository: its branches, and each pull request as `refs/pull/<number>/head`.

        Nothing is asked of the forge: whether the repository is there, git finds out.
        """
        raise self.lacks("git")


class Checks(Capability):
    """What was run on a commit."""

    attribute = "checks"

    async def list(self, repository: "RepositoryRef", commit: str) -> "Listing[CommitCheck]":
        """Read the latest attempt of every check run, commit status and job of a commit, by name; each one once."""
        raise self.lacks("list")

    async def runs(self, repository: "RepositoryRef", commit: str) -> "Listing[WorkflowRun]":
        """Read the runs of the forge's own CI on a commit, the newest first."""
        raise self.lacks("runs")

    async def jobs(self, repository: "RepositoryRef", run: str) -> "Listing[WorkflowJob]":
        """Read the jobs of a run, as of its latest attempt, with their steps."""
        raise self.lacks("jobs")

    async def annotations(self, repository: "RepositoryRef", check: "CommitCheck") -> "Listing[Annotation]":
        """Read what a check remarked on places in the code."""
        raise self.lacks("annotations")

    def log(self, repository: "RepositoryRef", job: str) -> "AsyncIterator[bytes]":
        """Read a job's log in pieces.

        Raises:
            NotFound: It has not begun, or it is no longer kept.
        """
        raise self.lacks("log")

    async def artifacts(self, repository: "RepositoryRef", run: str) -> "Listing[Artifact]":
        """Read which files a run left."""
        raise self.lacks("artifacts")

    def artifact(self, repository: "RepositoryRef", artifact: str) -> "AsyncIterator[bytes]":
        """Read one of them in pieces; it is a zip archive.

        Raises:
            NotFound: It is no longer kept.
        """
        raise self.lacks("artifact")


class Rules(Capability):
    """What branches demand."""

    attribute = "rules"

    async def get(self, repository: "RepositoryRef", branch: str) -> "BranchRules":
        """Read what stands before a merge into `branch`; what the token may not see is unknown."""
        raise self.lacks("get")


class Identity(Capability):
    """Who the token speaks for, and what it may do."""

    attribute = "identity"

    async def me(self) -> "User":
        """Read the token's user."""
        raise self.lacks("me")

    async def access(self) -> "Access":
        """Read what the forge says of the token: its scopes, its end, and what is left of its budget."""
        raise self.lacks("access")

    async def may_push(self, repository: "RepositoryRef", login: str) -> bool:
        """Say whether an account may push to a repository; being its member or contributor does not say so.

        Raises:
            Forbidden: The token may not ask.
            NotFound: There is no such account, or no such repository.
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
"""A method of one of the nine, named on its base: `Threads.resolve`. mypy and pyright refuse anything else."""

WRITING: tuple[Operation, ...] = (
    Comments.create,
    Comments.edit,
    Threads.reply,
    Threads.resolve,
    Threads.unresolve,
)
"""The operations that change something on the forge."""


def owner_of(operation: Operation) -> type[Capability]:
    """Find the capability that an operation stands on.

    Raises:
        TypeError: It is not a method of one of the nine.
    """
    for capability in CAPABILITIES:
        if operation in vars(capability).values():
            return capability
    raise TypeError(f"{operation!r} is no operation of a capability: write it as Threads.resolve")


def operations() -> "Sequence[Operation]":
    """Give every operation of the nine, in the order in which they are written here."""
    return [
        operation
        for capability in CAPABILITIES
        for name, operation in vars(capability).items()
        if not name.startswith("_") and callable(operation)
    ]
