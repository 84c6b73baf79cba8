"""What a forge knows of its things: issues, pull requests, comments and the like."""

from datetime import datetime
from enum import Enum

from attrs import frozen

from stithy_core.model import IssueRef, Maybe, PullRequestRef


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
class CommitCheck:
    """One check of a commit, whatever the forge calls it: check run, commit status or job."""

    name: str
    verdict: Maybe[Verdict]
    url: str = ""


@frozen(kw_only=True)
class BranchRules:
    """What a branch demands before something may be merged into it."""

    required_approvals: Maybe[int]
    required_checks: Maybe[tuple[str, ...]]
