"""The nine abilities of a forge: base classes whose every method raises `Unsupported` until a forge overrides it.

A method that is added here later breaks no older plugin.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, TypeAlias

from stithy_core.errors import Unsupported
from stithy_core.spi.support import gate_of, guarded

if TYPE_CHECKING:
    from stithy_core.model import IssueRef, PullRequestRef, RepositoryRef
    from stithy_core.model.records import (
        BranchRules,
        Comment,
        CommitCheck,
        FileChange,
        Issue,
        PullRequest,
        Review,
        Thread,
        User,
    )
    from stithy_core.spi.forge import Forge


class Ability:
    """One field of what a forge can do; made by its `Forge`, which it knows."""

    attribute: ClassVar[str]

    def __init__(self, forge: "Forge") -> None:
        self.forge = forge

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, method in list(vars(cls).items()):
            if (gate := gate_of(method)) is None:
                continue
            if not any(name in vars(base) for base in cls.__mro__[1:-1]):
                raise TypeError(f"{cls.__qualname__}.{name} is gated, but no ability has an operation {name!r}")
            setattr(cls, name, guarded(method, gate))

    def lacks(self, operation: str, *, reason: str = "", instead: str = "") -> Unsupported:
        """Give the error to raise where an operation is missing.

        Args:
            operation: The method's name.
            reason: Why, as far as it is known.
            instead: What a caller should do instead.
        """
        link = self.forge.link
        said = f"{link.alias} ({link.kind} at {link.url}) cannot do {self.attribute}.{operation}"
        details = {"forge": link.alias, "kind": link.kind, "operation": f"{self.attribute}.{operation}"}
        return Unsupported(f"{said}: {reason}" if reason else said, suggestion=instead, details=details)


class Issues(Ability):
    """Issues of a tracker."""

    attribute = "issues"

    async def get(self, issue: "IssueRef") -> "Issue":
        """Read one issue."""
        raise self.lacks("get")


class PullRequests(Ability):
    """Pull requests."""

    attribute = "pull_requests"

    async def get(self, pr: "PullRequestRef") -> "PullRequest":
        """Read one pull request.

        Raises:
            NotFound: There is none; the message tells an issue of that number from a missing repository.
        """
        raise self.lacks("get")


class Comments(Ability):
    """What is said in the conversation of an issue or a pull request."""

    attribute = "comments"

    async def of(self, subject: "IssueRef") -> "Sequence[Comment]":
        """Read the whole conversation, oldest first."""
        raise self.lacks("of")

    async def create(self, subject: "IssueRef", body: str) -> "Comment":
        """Add a comment, exactly as given.

        Raises:
            Unclear: The answer was lost, and the comment was not there when the conversation was read back.
        """
        raise self.lacks("create")


class Reviews(Ability):
    """Verdicts on pull requests."""

    attribute = "reviews"

    async def of(self, pr: "PullRequestRef") -> "Sequence[Review]":
        """Read all reviews, oldest first."""
        raise self.lacks("of")


class Threads(Ability):
    """Conversations at places in the diff."""

    attribute = "threads"

    async def of(self, pr: "PullRequestRef") -> "Sequence[Thread]":
        """Read all threads with all their comments, by path, line and time."""
        raise self.lacks("of")

    async def reply(self, pr: "PullRequestRef", thread: str, body: str) -> "Comment":
        """Answer in a thread."""
        raise self.lacks("reply")

    async def resolve(self, pr: "PullRequestRef", thread: str) -> "Thread":
        """Mark a thread as resolved, and give it as it is then."""
        raise self.lacks("resolve")


class Changes(Ability):
    """What a pull request changes."""

    attribute = "changes"

    async def files(self, pr: "PullRequestRef") -> "Sequence[FileChange]":
        """Read all changed files, by path."""
        raise self.lacks("files")


class Checks(Ability):
    """What was run on a pull request's head."""

    attribute = "checks"

    async def of(self, pr: "PullRequestRef") -> "Sequence[CommitCheck]":
        """Read the latest attempt of every check of the head commit, by name."""
        raise self.lacks("of")


class Rules(Ability):
    """What branches demand."""

    attribute = "rules"

    async def of(self, repository: "RepositoryRef", branch: str) -> "BranchRules":
        """Read what stands before a merge into `branch`."""
        raise self.lacks("of")


class Identity(Ability):
    """Who the token speaks for."""

    attribute = "identity"

    async def me(self) -> "User":
        """Read the token's user."""
        raise self.lacks("me")


ABILITIES: tuple[type[Ability], ...] = (
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


def owner_of(operation: Operation) -> type[Ability]:
    """Find the ability that an operation stands on.

    Raises:
        TypeError: It is not a method of one of the nine.
    """
    for ability in ABILITIES:
        if operation in vars(ability).values():
            return ability
    raise TypeError(f"{operation!r} is no operation of an ability: write it as Threads.resolve")
