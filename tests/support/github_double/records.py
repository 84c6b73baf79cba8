"""Records of the double's world."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, field

if TYPE_CHECKING:
    from github_double.check_records import Artifact, CheckRun, Status, WorkflowRun

BOT = "Bot"
PERMISSIONS = ("none", "read", "triage", "write", "maintain", "admin")
REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


@define(kw_only=True, eq=False)
class Account:
    """A user, a bot or an organization; REST shows a bot's login with `[bot]` behind it, GraphQL does not.

    An organization with `sign_on` wants tokens authorised for it before they see what is private.
    """

    login: str
    id: int
    kind: str = "User"
    created_at: datetime
    sign_on: bool = False


@define(kw_only=True, eq=False)
class Token:
    """A token that admits requests; `scopes` is None for tokens without, such as fine-grained ones.

    It is `installed` where an app's installation got it, and `authorised` for organizations with single sign-on.
    """

    account: Account
    scopes: tuple[str, ...] | None = None
    expires_at: datetime | None = None
    installed: bool = False
    authorised: bool = True


@define(kw_only=True, eq=False)
class Commit:
    """A snapshot: `tree` holds each file by path, as text or, where it is binary, as bytes."""

    sha: str
    message: str
    author: Account | None
    name: str
    at: datetime
    parents: tuple[str, ...]
    tree: dict[str, str | bytes]
    signed: bool = False

    @property
    def email(self) -> str:
        return f"{self.name}@example.invalid"


@define(kw_only=True, eq=False)
class Protection:
    """Classic branch protection; `pushers` are the logins that may push, where not everybody with write access may.

    `apps` has the app's slug for each of `contexts` that only one app may report.
    """

    approvals: int | None = 1
    contexts: tuple[str, ...] = ()
    apps: dict[str, str] = field(factory=dict)
    strict: bool = False
    conversations: bool = False
    code_owners: bool = False
    dismiss_stale: bool = False
    admins: bool = False
    last_push: bool = False
    signatures: bool = False
    linear: bool = False
    locked: bool = False
    pushers: tuple[str, ...] | None = None


@define(kw_only=True, eq=False)
class Rule:
    """One rule of a ruleset: `parameters` as REST names them."""

    type: str
    parameters: dict[str, Any]
    ruleset: int
    branch: str


@define(kw_only=True, eq=False)
class Label:
    name: str
    id: int
    color: str = "ededed"
    description: str | None = None


@define(kw_only=True, eq=False)
class Repository:
    """A repository; `permissions` are by login, and what is public everybody reads."""

    id: int
    owner: Account
    name: str
    private: bool
    archived: bool = False
    default_branch: str = "main"
    created_at: datetime
    parent: "Repository | None" = None
    permissions: dict[str, str] = Factory(dict)
    branches: dict[str, str] = Factory(dict)
    labels: dict[str, Label] = Factory(dict)
    issues: "dict[int, Issue]" = Factory(dict)
    statuses: "list[Status]" = Factory(list)
    check_runs: "list[CheckRun]" = Factory(list)
    runs: "dict[int, WorkflowRun]" = Factory(dict)
    artifacts: "dict[int, Artifact]" = Factory(dict)
    protections: dict[str, Protection] = Factory(dict)
    rules: list[Rule] = Factory(list)
    merge_methods: tuple[str, ...] = ("merge", "squash", "rebase")

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def allows(self, account: Account | None, permission: str) -> bool:
        """Return whether an account, None for an anonymous one, has at least that permission."""
        given = self.permissions.get(account.login, "none") if account else "none"
        given = "admin" if account is self.owner else given
        if given == "none" and not self.private:
            given = "read"
        return PERMISSIONS.index(given) >= PERMISSIONS.index(permission)


@define(kw_only=True, eq=False)
class Comment:
    """A comment; `user` is None for a deleted account, `minimized` is the reason of minimizing."""

    id: int
    body: str
    user: Account | None
    created_at: datetime
    updated_at: datetime
    reactions: dict[str, int] = Factory(dict)
    minimized: str | None = None


@define(kw_only=True, eq=False)
class Event:
    """Something of the timeline that has no other home; `more` is what REST says beside the common fields."""

    id: int
    event: str
    actor: Account
    created_at: datetime
    more: dict[str, Any] = Factory(dict)


@define(kw_only=True, eq=False)
class Issue:
    """An issue, or the conversation of a pull request."""

    id: int
    number: int
    repository: Repository
    title: str
    body: str | None
    user: Account | None
    created_at: datetime
    updated_at: datetime
    state: str = "open"
    closed_at: datetime | None = None
    locked: bool = False
    labels: list[Label] = Factory(list)
    assignees: list[Account] = Factory(list)
    comments: list[Comment] = Factory(list)
    events: list[Event] = Factory(list)


@define(kw_only=True, eq=False)
class Review:
    """A verdict; `submitted_at` is None while it is pending, and `minimized` is why it is folded away."""

    id: int
    user: Account | None
    body: str
    state: str
    commit: str
    created_at: datetime
    submitted_at: datetime | None
    minimized: str | None = None


@define(kw_only=True, eq=False)
class ReviewComment(Comment):
    """A comment in a thread."""

    thread: "Thread"
    review: Review | None
    commit: str


@define(kw_only=True, eq=False)
class Thread:
    """A conversation at a place in the diff; `line` is None where it is outdated, or of the whole file."""

    id: int
    pull: "Pull"
    path: str
    line: int | None
    original_line: int | None
    start_line: int | None = None
    side: str = "RIGHT"
    subject: str = "line"
    hunk: str = ""
    outdated: bool = False
    resolved_by: Account | None = None
    comments: list[ReviewComment] = Factory(list)


@define(kw_only=True, eq=False)
class Pull(Issue):
    """A pull request. `head_repository` is None where the fork was deleted; `computing` reads find it undecided.

    `owners` are the logins and slugs that are asked as owners of its code, `queued` its place and state in the queue,
    and `held` says that GitHub finds a rule unmet which the double knows nothing of. `stack` is the number of
    its stack, and its place in it.
    """

    head: str
    head_sha: str
    head_repository: Repository | None
    base: str
    base_sha: str
    draft: bool = False
    mergeable: bool = True
    computing: int = 0
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_commit: str | None = None
    reviewers: list[Account] = Factory(list)
    teams: list[str] = Factory(list)
    owners: tuple[str, ...] = ()
    queued: tuple[int, str] | None = None
    auto_merge: bool = False
    held: bool = False
    stack: tuple[int, int] | None = None
    reviews: list[Review] = Factory(list)
    threads: list[Thread] = Factory(list)

    @property
    def review_comments(self) -> "list[ReviewComment]":
        """All of them, in the order they were written."""
        return sorted((c for thread in self.threads for c in thread.comments), key=lambda comment: comment.id)
