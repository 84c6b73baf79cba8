"""The forge-neutral vocabulary: frozen records without any I/O.

Ids are strings, times are timezone-aware and in UTC. What a forge does not know is `Unknown` in the field's place,
never a guess: see "Where certainty ends" in docs/design.md.
"""

from datetime import datetime
from enum import Enum
from typing import NoReturn, TypeAlias, TypeVar

from attrs import frozen

T = TypeVar("T")


@frozen
class Unknown:
    """A value that is not known, with the reason; it travels unchanged from the forge to the agent.

    Args:
        reason: Why it is not known.
        remedy: What would make it known.
        shown: A binding enum's own "unknown", or False, to show in the field's place; None leaves the field out.
    """

    reason: str
    remedy: str = ""
    shown: str | bool | None = None

    def __bool__(self) -> NoReturn:
        """Neither true nor false, so that `if thread.resolved` cannot mistake it for either."""
        raise TypeError(f"not known: {self.reason}; compare with `is True` or `is False`")


Maybe: TypeAlias = T | Unknown
"""A value, or the reason why it is not known: `resolved: Maybe[bool]`."""


@frozen
class RepositoryRef:
    """A repository by name: `namespace` has one or more segments, `owner` or `group/team`."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@frozen
class IssueRef:
    """An issue by number; a pull request's conversation is addressed in the same way."""

    repository: RepositoryRef
    number: int

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


@frozen
class PullRequestRef(IssueRef):
    """A pull request by number: wherever an issue's conversation is meant, it may stand too."""


class UserKind(Enum):
    """What sort of account it is."""

    PERSON = "person"
    BOT = "bot"
    GHOST = "ghost"


@frozen
class User:
    """An account of the forge. A deleted one is a ghost without an id."""

    login: str
    id: str = ""
    kind: Maybe[UserKind] = UserKind.PERSON


@frozen(kw_only=True)
class Issue:
    """An issue of a tracker."""

    ref: IssueRef
    title: str
    body: str
    state: str
    author: User
    locked: Maybe[bool]
    created_at: datetime
    updated_at: datetime
    url: str


@frozen(kw_only=True)
class PullRequest(Issue):
    """A pull request; `ref` has the repository's present name, also where an old one was asked for."""

    ref: PullRequestRef
    draft: Maybe[bool]
    merged: bool
    head: str
    base: str
    archived: Maybe[bool]


@frozen(kw_only=True)
class Comment:
    """What somebody wrote in the conversation of an issue or a pull request."""

    id: str
    body: str
    author: User
    created_at: datetime
    updated_at: datetime
    url: str


@frozen
class Thread:
    """A conversation at a place in the diff: the first of `comments` opened it."""

    id: str
    path: str
    line: int | None
    resolved: Maybe[bool]
    comments: tuple[Comment, ...]


@frozen(kw_only=True)
class Review:
    """A verdict: `state` is approved, changes_requested, commented, dismissed or the forge's own word."""

    id: str
    author: User
    state: str
    body: str
    submitted_at: datetime
    url: str


@frozen(kw_only=True)
class FileChange:
    """One file of a pull request: `status` is added, modified, deleted, renamed or copied."""

    path: str
    status: str
    additions: int
    deletions: int
    previous_path: str = ""


class Verdict(Enum):
    """What a check came to. Skipped and neutral are not failed; pending is not passed."""

    PASSED = "passed"
    FAILED = "failed"
    PENDING = "pending"
    SKIPPED = "skipped"
    NEUTRAL = "neutral"
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Check:
    """One check of a commit, whatever the forge calls it: check run, commit status or job."""

    name: str
    verdict: Maybe[Verdict]
    url: str = ""


@frozen(kw_only=True)
class BranchRules:
    """What a branch demands before something may be merged into it."""

    required_approvals: Maybe[int]
    required_checks: Maybe[tuple[str, ...]]
