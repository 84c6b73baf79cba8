"""Model records computed from a world's records: issues, pull requests, commits, changes and timelines."""

from collections.abc import Iterator, Mapping

from attrs import evolve, fields

from stithy_core.spi import (
    Comment,
    Commit,
    Event,
    Issue,
    IssueRef,
    PullRequest,
    RepositoryRef,
    Review,
    ReviewComment,
    Unknown,
)
from stithy_sandbox.world.history import Snapshot, find_changed_texts
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.tree_diff import Change, compare_trees
from stithy_sandbox.world.world_records import Conversation, Pull

ENDED = Unknown("mergeability is computed for open pull requests only")


def find_ends(store: Store, pull: Pull) -> tuple[Snapshot, Snapshot]:
    """Return the commits of base and head: the current ones, or those at the time of the merge."""
    subject = pull.subject
    home, head = subject.ref.repository, subject.head
    base_name, head_name = pull.ends or (subject.base.branch, head.branch)
    return store.commit(home, base_name), store.commit(head.repository or home, head_name)


def list_changes(store: Store, pull: Pull) -> list[Change]:
    """Return the changes of a pull request since its merge base, by path."""
    base, head = find_ends(store, pull)
    history = store.repository(pull.subject.ref.repository).history
    return compare_trees(history.find_merge_base(base.sha, head.sha).tree, head.tree)


def find_merge_changes(store: Store, pull: Pull) -> Mapping[str, str | None]:
    """Return the texts that a merge would write, by path; None for a deleted file."""
    base, head = find_ends(store, pull)
    merge_base = store.repository(pull.subject.ref.repository).history.find_merge_base(base.sha, head.sha)
    return find_changed_texts(merge_base.tree, head.tree)


def find_conflicts(store: Store, pull: Pull) -> list[str]:
    """Return the paths of files that both sides changed in different ways."""
    base, head = find_ends(store, pull)
    merge_base = store.repository(pull.subject.ref.repository).history.find_merge_base(base.sha, head.sha)
    theirs, ours = find_changed_texts(merge_base.tree, base.tree), find_changed_texts(merge_base.tree, head.tree)
    return sorted(path for path in theirs.keys() & ours.keys() if theirs[path] != ours[path])


def build_issue(conversation: Conversation) -> Issue:
    """Return the model's issue, also for a pull request."""
    subject = conversation.subject
    values = {field.name: getattr(subject, field.name) for field in fields(Issue)}
    ref = IssueRef(subject.ref.repository, subject.ref.number)
    return Issue(**values | {"ref": ref, "comment_count": len(conversation.comments)})


def find_minimized(conversation: Conversation) -> Mapping[str, str]:
    """Return the reasons why comments and reviews are minimized, by id."""
    comments = {one.id: one.minimized for one in conversation.comments if isinstance(one.minimized, str)}
    reviews = conversation.folded if isinstance(conversation, Pull) else {}
    return {name: reason for name, reason in (comments | reviews).items() if reason}


def build_pull_request(store: Store, pull: Pull) -> PullRequest:
    """Return the model's pull request in its current state."""
    base, head = find_ends(store, pull)
    files = [change.to_file_change(patches=False) for change in list_changes(store, pull)]
    subject = pull.subject
    return evolve(
        subject,
        base=evolve(subject.base, commit=base.sha),
        head=evolve(subject.head, commit=head.sha),
        archived=store.repository(subject.ref.repository).archived,
        mergeable=not find_conflicts(store, pull) if subject.state == "open" else ENDED,
        comment_count=len(pull.comments),
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
        changed_files=len(files),
    )


def list_commits(store: Store, pull: Pull) -> list[Commit]:
    """Return a pull request's commits, oldest first."""
    base, head = find_ends(store, pull)
    home = store.repository(pull.subject.ref.repository)
    return [build_commit(store, home.ref, one) for one in home.history.list_commits_between(base.sha, head.sha)]


def build_commit(store: Store, repository: RepositoryRef, snapshot: Snapshot) -> Commit:
    """Return the model's commit."""
    return Commit(
        sha=snapshot.sha,
        message=snapshot.message,
        author_name=snapshot.author.login,
        author_email=f"{snapshot.author.login}@sandbox.invalid",
        authored_at=snapshot.at,
        committed_at=snapshot.at,
        author=snapshot.author,
        committer=snapshot.author,
        parents=snapshot.parents,
        verified=False,
        url=f"{store.url}/{repository}/commit/{snapshot.sha}",
    )


KINDS = {Comment: "commented", ReviewComment: "review_commented"}


def build_timeline(store: Store, conversation: Conversation) -> list[Event]:
    """Return the events, oldest first; the id of an event is that of its object, which is unique in the world."""
    events = [*conversation.events, *(_build_comment_event(comment) for comment in conversation.comments)]
    if isinstance(conversation, Pull):
        events += _iterate_commit_events(store, conversation)
        events += [_build_review_event(review) for review in conversation.reviews if review.id]
        threads = conversation.threads.values()
        events += [_build_comment_event(comment) for thread in threads for comment in thread.comments]
    return sorted(events, key=lambda event: event.at or conversation.subject.created_at)


def _build_comment_event(comment: Comment) -> Event:
    kind = KINDS[type(comment)]
    return Event(
        id=comment.id,
        kind=kind,
        at=comment.created_at,
        actor=comment.author,
        text=comment.body,
        subject=comment.id,
        url=comment.url,
        raw=kind,
    )


def _build_review_event(review: Review) -> Event:
    return Event(
        id=review.id,
        kind="reviewed",
        at=review.submitted_at,
        actor=review.author,
        text=review.state,
        subject=review.id,
        url=review.url,
        raw="reviewed",
    )


def _iterate_commit_events(store: Store, pull: Pull) -> Iterator[Event]:
    for commit in list_commits(store, pull):
        yield Event(
            id=commit.sha,
            kind="committed",
            at=commit.committed_at,
            actor=commit.author,
            text=commit.message,
            subject=commit.sha,
            url=commit.url,
            raw="committed",
        )
