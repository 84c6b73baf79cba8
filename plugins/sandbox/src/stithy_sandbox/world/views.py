"""Model records computed from a world's records: issues, pull requests, commits and changes."""

from collections.abc import Mapping

from attrs import evolve, fields

from stithy_core.spi import Commit, Issue, IssueRef, PullRequest, RepositoryRef, Unknown
from stithy_sandbox.world.diffs import Change, changes
from stithy_sandbox.world.history import Snapshot, difference
from stithy_sandbox.world.records import Conversation, Pull
from stithy_sandbox.world.store import Store

ENDED = Unknown("mergeability is computed for open pull requests only")


def ends(store: Store, pull: Pull) -> tuple[Snapshot, Snapshot]:
    """Return the commits of base and head: the current ones, or those at the time of the merge."""
    subject = pull.subject
    home, head = subject.ref.repository, subject.head
    base_name, head_name = pull.ends or (subject.base.branch, head.branch)
    return store.commit(home, base_name), store.commit(head.repository or home, head_name)


def changes_of(store: Store, pull: Pull) -> list[Change]:
    """Return the changes of a pull request since its merge base, by path."""
    base, head = ends(store, pull)
    history = store.repository(pull.subject.ref.repository).history
    return changes(history.parted(base.sha, head.sha).tree, head.tree)


def owned_changes(store: Store, pull: Pull) -> Mapping[str, str | None]:
    """Return the texts that a merge would write, by path; None for a deleted file."""
    base, head = ends(store, pull)
    parted = store.repository(pull.subject.ref.repository).history.parted(base.sha, head.sha)
    return difference(parted.tree, head.tree)


def clashes(store: Store, pull: Pull) -> list[str]:
    """Return the paths of files that both sides changed in different ways."""
    base, head = ends(store, pull)
    parted = store.repository(pull.subject.ref.repository).history.parted(base.sha, head.sha)
    theirs, ours = difference(parted.tree, base.tree), difference(parted.tree, head.tree)
    return sorted(path for path in theirs.keys() & ours.keys() if theirs[path] != ours[path])


def issue_of(conversation: Conversation) -> Issue:
    """Return the model's issue, also for a pull request."""
    kept = conversation.subject
    told = {field.name: getattr(kept, field.name) for field in fields(Issue)}
    ref = IssueRef(kept.ref.repository, kept.ref.number)
    return Issue(**told | {"ref": ref, "comment_count": len(conversation.comments)})


def folded(conversation: Conversation) -> Mapping[str, str]:
    """Return the reasons why comments and reviews are minimized, by id."""
    comments = {one.id: one.minimized for one in conversation.comments if isinstance(one.minimized, str)}
    reviews = conversation.folded if isinstance(conversation, Pull) else {}
    return {made: reason for made, reason in (comments | reviews).items() if reason}


def pull_request_of(store: Store, pull: Pull) -> PullRequest:
    """Return the model's pull request in its current state."""
    base, head = ends(store, pull)
    files = [change.as_file(patches=False) for change in changes_of(store, pull)]
    kept = pull.subject
    return evolve(
        kept,
        base=evolve(kept.base, commit=base.sha),
        head=evolve(kept.head, commit=head.sha),
        archived=store.repository(kept.ref.repository).archived,
        mergeable=not clashes(store, pull) if kept.state == "open" else ENDED,
        comment_count=len(pull.comments),
        additions=sum(file.additions for file in files),
        deletions=sum(file.deletions for file in files),
        changed_files=len(files),
    )


def commits_of(store: Store, pull: Pull) -> list[Commit]:
    """Return a pull request's commits, oldest first."""
    base, head = ends(store, pull)
    home = store.repository(pull.subject.ref.repository)
    return [commit_of(store, home.ref, one) for one in home.history.alone(base.sha, head.sha)]


def commit_of(store: Store, repository: RepositoryRef, snapshot: Snapshot) -> Commit:
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
