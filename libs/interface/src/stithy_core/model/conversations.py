"""People and their conversations: issues, pull requests, comments, reviews, threads and events."""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum

from attrs import frozen

from stithy_core.model import NOT_REPORTED, IssueRef, Listing, Maybe, PullRequestRef, RepositoryRef

BEGINNING = datetime.min.replace(tzinfo=UTC)


class UserKind(Enum):
    """The kind of an account."""

    PERSON = "person"
    BOT = "bot"
    ORGANIZATION = "organization"
    GHOST = "ghost"


@frozen(kw_only=True)
class User:
    """An account of the forge. A deleted one is a ghost without an id.

    Args:
        login: The name that people mention it by; `ghost` for a deleted account. On some forges two accounts may have
            the same.
        id: The forge's id of it; empty for a deleted account, or where the forge reports only the login.
        kind: Its kind; unknown if the forge reports a word that stithy does not know, or no kind.
    """

    login: str
    id: str = ""
    kind: Maybe[UserKind] = UserKind.PERSON

    @property
    def key(self) -> str:
        """What identifies the account on its forge: its id, or the login if the forge reports only that."""
        return self.id or f"login {self.login.lower()}"

    def is_same_account(self, other: "User") -> bool:
        """Return whether two users are one account: by their ids if both have one, otherwise by their logins."""
        if self.id and other.id:
            return self.id == other.id
        return self.login.lower() == other.login.lower()


@frozen(kw_only=True)
class Label:
    """A label of an issue or a pull request.

    Args:
        name: Its name.
        colour: Six hexadecimal digits without `#`; empty if the forge has no colours.
        description: Its description; empty without one.
    """

    name: str
    colour: str = ""
    description: str = ""


@frozen(kw_only=True)
class Reaction:
    """The number of reactions with one emoji.

    Args:
        content: The forge's word for the emoji: `+1`, `heart`.
        count: How many people used it, from 1 on.
    """

    content: str
    count: int


@frozen(kw_only=True)
class Issue:
    """An issue of a tracker. A pull request is an issue as well: read as one, it has `is_pull_request`.

    Args:
        ref: Its repository and number, by the repository's current name.
        title: Its title.
        body: Its description in Markdown; empty without one.
        state: open or closed; a merged pull request is closed.
        author: Its author.
        locked: Whether only users who can push may comment; unknown if the forge does not report it here.
        created_at: When it was opened, in UTC.
        updated_at: When anything about it changed last, in UTC; unknown if the forge does not report it.
        url: Its page.
        closed_at: When it was closed or merged; None while it is open.
        labels: Its labels, in the forge's order.
        assignees: The accounts that it is assigned to.
        milestone: The title of its milestone; empty without one.
        comment_count: The number of general comments, without review comments; unknown if the forge's number includes
            other things, or it does not report one here.
        association: The author's role as the forge names it, such as `MEMBER`; empty if it does not.
        is_pull_request: Whether the number is that of a pull request.
    """

    ref: IssueRef
    title: str
    body: str
    state: str
    author: User
    locked: Maybe[bool]
    created_at: datetime
    updated_at: Maybe[datetime]
    url: str
    closed_at: datetime | None = None
    labels: tuple[Label, ...] = ()
    assignees: tuple[User, ...] = ()
    milestone: str = ""
    comment_count: Maybe[int] = NOT_REPORTED
    association: str = ""
    is_pull_request: bool = False


@frozen(kw_only=True)
class BranchRef:
    """One end of a pull request: a branch at a commit.

    Args:
        branch: Its name; the ref of the pull request's head if the branch was deleted and the forge keeps that ref.
        commit: Its whole SHA in the pull request; empty if the forge does not report it, also where it reports an
            abbreviated one only, as in lists.
        repository: The branch's repository; None if it was deleted.
    """

    branch: str
    commit: str = ""
    repository: RepositoryRef | None = None


@frozen(kw_only=True)
class StackPlace:
    """The place of a pull request in a stack that the forge itself keeps.

    Args:
        number: The number of the stack in the repository.
        position: Its position; 1 is the lowest.
        size: The number of pull requests in the stack; unknown if the forge does not report it here.
    """

    number: int
    position: int
    size: Maybe[int] = NOT_REPORTED


@frozen(kw_only=True)
class PullRequest(Issue):
    """A pull request; `ref` has the repository's current name, even if it was requested by an old one.

    Args:
        ref: Its repository and number.
        is_pull_request: Always True.
        draft: Whether it is a draft; unknown if the forge does not report it here.
        merged: Whether it was merged.
        head: The branch to be merged.
        base: The branch to merge into.
        archived: Whether the repository is archived and takes no writes; unknown if the forge does not report it here.
        mergeable: Whether the forge finds no conflict. Unknown while it computes, and where a list does not report it;
            `NOT_REPORTED` if it never reports it, so that no tool reads the pull request again for it.
        forge_state: The forge's own word for the state before the merge, such as `blocked`; empty without one.
        blocked: Whether that word means that a rule of the base is unmet, without naming it; False if it means that
            all are met. Unknown if its words do not tell.
        merged_at: When it was merged; None if it was not.
        merged_by: Who merged it; None if it was not merged, or if the forge does not report it.
        merge_commit: The SHA on the base that the merge made, also of a squash; empty if it was not merged.
        requested_reviewers: Reviewers who have not answered; unknown in lists of forges that include those who have.
        requested_teams: Teams, by name, whose review was requested and is missing.
        additions: Added lines; unknown in lists of most forges.
        deletions: Deleted lines; unknown in lists of most forges.
        changed_files: The number of changed files; unknown in lists of most forges.
        stack: Its place in a stack that the forge keeps; None if it is in none, or if the forge has no stacks.
    """

    ref: PullRequestRef
    is_pull_request: bool = True
    draft: Maybe[bool]
    merged: bool
    head: BranchRef
    base: BranchRef
    archived: Maybe[bool]
    mergeable: Maybe[bool] = NOT_REPORTED
    forge_state: str = ""
    blocked: Maybe[bool] = NOT_REPORTED
    merged_at: datetime | None = None
    merged_by: User | None = None
    merge_commit: str = ""
    requested_reviewers: Maybe[tuple[User, ...]] = ()
    requested_teams: tuple[str, ...] = ()
    additions: Maybe[int] = NOT_REPORTED
    deletions: Maybe[int] = NOT_REPORTED
    changed_files: Maybe[int] = NOT_REPORTED
    stack: StackPlace | None = None

    @property
    def from_fork(self) -> bool:
        """Whether the head is in another repository than the base, or in one that was deleted."""
        return self.head.repository != self.base.repository


@frozen(kw_only=True)
class Comment:
    """A comment in a conversation.

    Args:
        id: Its id; unique among the general comments of a conversation, and among the comments of its threads.
        body: Its text in Markdown, as the forge stores it.
        author: Its author.
        created_at: When it was written, in UTC.
        updated_at: When it was last edited, in UTC; `created_at` if it never was.
        url: Its page.
        association: The author's role as the forge names it, such as `MEMBER`; empty if it does not.
        reactions: The reactions by emoji, empty for none; unknown if they would need a request for each comment.
        api_url: Its URL in the API; empty if it has none.
        minimized: Why the forge hides it, in its own word (resolved, outdated, spam); empty if it does not. Unknown if
            only `Comments.minimized` reports it.
    """

    id: str
    body: str
    author: User
    created_at: datetime
    updated_at: datetime
    url: str
    association: str = ""
    reactions: Maybe[tuple[Reaction, ...]] = NOT_REPORTED
    api_url: str = ""
    minimized: Maybe[str] = NOT_REPORTED


@frozen(kw_only=True)
class ReviewComment(Comment):
    """A comment in a review thread.

    Args:
        review: The id of the review that it was submitted with; empty for none, or if the forge does not report it.
        pending: Whether only its author can see it yet.
        commit: The SHA that it refers to; empty if the forge does not report it, or the thread has no place.
    """

    review: str = ""
    pending: bool = False
    commit: str = ""


@frozen(kw_only=True)
class Thread:
    """A review thread: a discussion at a place in the code, or one without a place that can be resolved.

    A discussion that has neither a place nor a resolution belongs to `Comments`, with its replies. No comment is in
    both lists.

    Args:
        id: The forge's own id of the thread; that of its first comment if threads have no ids.
        path: The file; None if the thread has no place in the code.
        line: The line in the file of `side`; if the thread is outdated, the original line. None for the whole file, and
            without a file.
        resolved: Whether it is resolved; unknown if the forge does not report it, or threads cannot be resolved there.
        comments: Its comments, oldest first: the first one opened it.
        side: LEFT for the old file, RIGHT for the new one; of no meaning without a path.
        start_line: The first line, if it spans several lines; else None.
        outdated: Whether the code has changed since, False without a path; unknown if the forge does not report it.
        resolved_by: The user who resolved it; None if it is not resolved, or the forge does not report it.
        hunk: The lines of the diff around it, up to its line; empty if the forge does not report them.
        cut: Why comments are missing; empty if none are.
        takes_replies: Whether `Threads.reply` works in it; False for what can only be resolved, such as a task.
        unchanged: In a result of `resolve` or `unresolve`: whether it was in that state already, and nothing was sent.
    """

    id: str
    path: str | None
    line: int | None
    resolved: Maybe[bool]
    comments: tuple[ReviewComment, ...]
    side: str = "RIGHT"
    start_line: int | None = None
    outdated: Maybe[bool] = NOT_REPORTED
    resolved_by: User | None = None
    hunk: str = ""
    cut: str = ""
    takes_replies: bool = True
    unchanged: bool = False

    @property
    def place(self) -> str:
        """The place as `path:line`, or `path` for a whole file; empty if the thread has no place in the code."""
        path = self.path or ""
        return path if self.line is None else f"{path}:{self.line}"

    @property
    def sort_key(self) -> tuple[str, int, datetime, str]:
        """The key for the order of `Threads.list`: path, line, time and id; what is missing comes first."""
        began = self.comments[0].created_at if self.comments else BEGINNING
        return self.path or "", self.line or 0, began, self.id

    def named(self, name: str) -> bool:
        """Return whether an id refers to this thread: its own id, or that of any comment in it."""
        return name == self.id or any(name == comment.id for comment in self.comments)


@frozen(kw_only=True)
class Reply:
    """A reply in a review thread.

    Args:
        comment: The comment that was posted.
        thread: The id of the thread, or of its first comment.
        way: How it was posted if the forge has no operation for it, and what that lacks.
        repeated: Whether it existed already, so that nothing was sent.
    """

    comment: ReviewComment
    thread: str
    way: str = ""
    repeated: bool = False


@frozen(kw_only=True)
class Review:
    """A review, or a verdict that is not an event: a vote or an approval that the forge only reports as a state.

    Such a verdict is the current one of its author. It has no time and no text, and often neither id nor URL.

    Args:
        id: Its id; empty for a verdict without one. An author has at most one of those.
        author: Its author.
        state: approved, changes_requested, commented, dismissed, pending, or the forge's own word.
        body: Its text; empty for a verdict alone.
        submitted_at: Its time. None while it is pending, and for a verdict whose time the forge does not report: then
            `state` is not pending.
        url: Its page; empty if it has none.
        commit: The SHA that was reviewed; empty if the forge does not report it.
        stale: Whether the head has moved since; unknown if the forge reports neither that nor the commit.
        official: Whether it counts towards the required approvals; unknown if the forge or the token's permissions do
            not reveal it.
        association: The author's role as the forge names it; empty if it does not.
        api_url: Its URL in the API; empty if it has none.
    """

    id: str
    author: User
    state: str
    body: str
    submitted_at: datetime | None
    url: str
    commit: str = ""
    stale: Maybe[bool] = NOT_REPORTED
    official: Maybe[bool] = NOT_REPORTED
    association: str = ""
    api_url: str = ""

    @property
    def key(self) -> str:
        """What identifies it among the reviews of its pull request: its id, or its author for one without an id."""
        return self.id or f"by {self.author.key}"


@frozen(kw_only=True)
class CommentBlock:
    """Comments of a conversation that follow one another, as many as one request returns.

    Args:
        comments: The comments, oldest first; `total` is the number of comments of the whole conversation.
        before: The cursor of the comments before them; empty if there are none.
    """

    comments: Listing[Comment]
    before: str


@frozen(kw_only=True)
class Conversation:
    """What people wrote on a pull request.

    Args:
        viewer: The token's user.
        threads: The review threads, as `Threads.list` returns them.
        reviews: The reviews, as `Reviews.list` returns them.
        newest: The newest comments.
        minimized: Why the reviews and the newest comments are minimized, by id, as `Comments.minimized` returns it.
    """

    viewer: User
    threads: Listing[Thread]
    reviews: Listing[Review]
    newest: CommentBlock
    minimized: Mapping[str, str]


@frozen(kw_only=True)
class Event:
    """Something that happened to an issue or a pull request.

    Args:
        id: Its id: unique within one timeline, and the same at each reading.
        kind: commented, reviewed, review_commented, committed, pushed, force_pushed, merged, closed, reopened,
            labeled, unlabeled, assigned, unassigned, renamed, referenced, review_requested,
            review_request_removed, review_dismissed, locked, unlocked, milestoned, demilestoned,
            base_changed, head_deleted, head_restored, ready_for_review, converted_to_draft, or the forge's own word.
        at: Its time; None if the forge does not report it.
        actor: The user; None for none, or a deleted account.
        text: The text that was written, or the label, title or name that was changed; else empty.
        subject: The id or SHA of the comment, review, commit or issue that it refers to; empty for none.
        url: Its page; empty if it has none of its own.
        raw: The forge's own word for its kind.
        api_url: Its URL in the API; empty if it has none.
        previous: The value before: for force_pushed the head's SHA, for base_changed the branch; empty if the forge
            does not report it.
    """

    id: str
    kind: str
    at: datetime | None
    actor: User | None = None
    text: str = ""
    subject: str = ""
    url: str = ""
    raw: str = ""
    api_url: str = ""
    previous: str = ""
