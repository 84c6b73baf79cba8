"""People, and what they say to each other: issues, pull requests, comments, reviews, threads and events."""

from datetime import datetime
from enum import Enum

from attrs import frozen

from stithy_core.model import NOT_REPORTED, IssueRef, Maybe, PullRequestRef, RepositoryRef


class UserKind(Enum):
    """What sort of account it is."""

    PERSON = "person"
    BOT = "bot"
    ORGANIZATION = "organization"
    GHOST = "ghost"


@frozen
class User:
    """An account of the forge. A deleted one is a ghost without an id."""

    login: str
    id: str = ""
    kind: Maybe[UserKind] = UserKind.PERSON


@frozen
class Label:
    """What an issue or a pull request is marked with; `colour` is six hexadecimal digits, or empty."""

    name: str
    colour: str = ""
    description: str = ""


@frozen
class Reaction:
    """How many answered with an emoji: `content` is the forge's word, `+1` or `heart`."""

    content: str
    count: int


@frozen(kw_only=True)
class Issue:
    """An issue of a tracker: `state` is open or closed. `association` is what the forge calls the author here.

    A pull request is an issue as well, and read as one it says so by `is_pull_request`.
    """

    ref: IssueRef
    title: str
    body: str
    state: str
    author: User
    locked: Maybe[bool]
    created_at: datetime
    updated_at: datetime
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
        branch: Its name; `refs/pull/3/head` where the branch is gone.
        commit: The SHA that the pull request is about; empty where the forge does not say.
        repository: Where it is; None where that repository was deleted.
    """

    branch: str
    commit: str = ""
    repository: RepositoryRef | None = None


@frozen(kw_only=True)
class PullRequest(Issue):
    """A pull request; `ref` has the repository's present name, also where an old one was asked for.

    Args:
        draft: Whether it says that it is not ready.
        merged: Whether it was merged; then `merged_at`, `merged_by` and `merge_commit` say when, by whom and how.
        mergeable: Whether the forge finds no conflict. Unknown while it computes, and where a list does not tell.
        forge_state: The forge's own word for what stands before the merge, such as `blocked`; empty without one.
        blocked: Whether it says by that word that a rule of the base is unmet, without saying which; False where it
            says that none is. Unknown where its words do not tell.
        head: What is to be merged.
        base: Into what.
        archived: Whether the repository takes no writes.
        requested_reviewers: Who is asked and has not answered; unknown in lists of forges that mix in who has.
        requested_teams: Likewise, by name.
        additions: Lines; with `deletions` and `changed_files` unknown in lists of most forges.
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

    @property
    def from_fork(self) -> bool:
        """Whether the head lies in another repository than the base, or in one that is gone."""
        return self.head.repository != self.base.repository


@frozen(kw_only=True)
class Comment:
    """What somebody wrote in a conversation; `association` is what the forge calls the author there.

    Args:
        api_url: Where the API has it; empty where it has no address of its own.
        minimized: Why the forge folds it away, in its own word (resolved, outdated, spam); empty where it does not.
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
    """What somebody wrote in a thread; `review` is the id of the review that it came with, or empty.

    Args:
        pending: Whether only its author sees it yet.
        commit: The SHA that it was written on.
    """

    review: str = ""
    pending: bool = False
    commit: str = ""


@frozen
class Thread:
    """A conversation at a place in the diff: the first of `comments` opened it.

    Args:
        id: The forge's own id of the thread; that of its first comment where threads have none.
        path: The file.
        line: The line in the file of `side`; where the thread is outdated, as it was. None for the whole file.
        resolved: Whether it is settled.
        comments: All of them, oldest first.
        side: LEFT for the old file, RIGHT for the new one.
        start_line: Where it begins, if it spans several lines.
        outdated: Whether the code has changed since.
        resolved_by: Who settled it.
        hunk: The lines of the diff around it.
        cut: Why there are more comments; empty where they are all.
        unchanged: Of what `resolve` or `unresolve` gave, whether it was found as wanted, so that nothing was sent.
    """

    id: str
    path: str
    line: int | None
    resolved: Maybe[bool]
    comments: tuple[ReviewComment, ...]
    side: str = "RIGHT"
    start_line: int | None = None
    outdated: Maybe[bool] = NOT_REPORTED
    resolved_by: User | None = None
    hunk: str = ""
    cut: str = ""
    unchanged: bool = False

    def named(self, name: str) -> bool:
        """Return whether an id refers to this thread: its own id, or that of any comment in it."""
        return name == self.id or any(name == comment.id for comment in self.comments)


@frozen(kw_only=True)
class Reply:
    """An answer in a thread.

    Args:
        comment: What was posted.
        thread: A name of the thread: its id, or that of its first comment.
        way: How it was made where the forge has no way of its own, and what that lacks.
        repeated: Whether it was there before, so that nothing was sent.
    """

    comment: ReviewComment
    thread: str
    way: str = ""
    repeated: bool = False


@frozen(kw_only=True)
class Review:
    """A verdict: `state` is approved, changes_requested, commented, dismissed, pending, or the forge's own word.

    Args:
        commit: The SHA it was given on.
        stale: Whether the head has moved since.
        official: Whether it counts towards what the branch demands.
        submitted_at: None while it is pending.
        api_url: Where the API has it; empty where it has no address of its own.
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


@frozen(kw_only=True)
class Event:
    """Something that happened to an issue or a pull request.

    Args:
        id: Unique within one timeline, and the same at each reading.
        kind: commented, reviewed, review_commented, committed, pushed, force_pushed, merged, closed, reopened,
            labeled, unlabeled, assigned, unassigned, renamed, referenced, review_requested,
            review_request_removed, review_dismissed, locked, unlocked, milestoned, demilestoned,
            base_changed, head_deleted, head_restored, ready_for_review, converted_to_draft, or the forge's own word.
        at: When; None where the forge does not say.
        actor: Who; None for nobody, or a deleted account.
        text: What was written, or the label, title or name it is about.
        subject: The id or SHA of the comment, review, commit or issue it is about.
        raw: The forge's own word.
        api_url: Where the API has it; empty where it has no address of its own.
        previous: What was there before: of force_pushed the head's SHA, of base_changed the branch; empty where the
            forge does not say.
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
