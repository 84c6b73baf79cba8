"""Commits of a sandbox: whole trees of texts, in memory."""

from collections.abc import Mapping
from datetime import datetime

from attrs import Factory, define, field, frozen

from stithy_core.spi import User
from stithy_sandbox.world.git_objects import create_commit_object

Tree = Mapping[str, str]
"""Texts by path."""


@frozen(kw_only=True)
class Snapshot:
    """A commit with its whole tree."""

    message: str
    tree: Tree
    parents: tuple[str, ...]
    author: User
    at: datetime
    sha: str = field(init=False)

    @sha.default
    def _sha(self) -> str:
        commit = create_commit_object(
            self.tree, parents=self.parents, author=self.author, at=self.at, message=self.message
        )
        return commit.sha


@define
class History:
    """The commits of a repository and all its forks, and its own branches."""

    snapshots: dict[str, Snapshot] = Factory(dict)
    branches: dict[str, str] = Factory(dict)

    def fork(self) -> "History":
        """Create the history of a fork with the same branches."""
        return History(self.snapshots, dict(self.branches))

    def find(self, name: str) -> Snapshot | None:
        """Return the commit of a branch or a SHA; None if it does not exist."""
        return self.snapshots.get(self.branches.get(name, name))

    def add(self, branch: str, snapshot: Snapshot) -> Snapshot:
        """Add a commit to a branch and return it."""
        self.snapshots[snapshot.sha] = snapshot
        self.branches[branch] = snapshot.sha
        return snapshot

    def list_ancestors(self, sha: str) -> list[str]:
        """Return the SHAs of a commit and all its ancestors, every parent before its children."""
        done: dict[str, None] = {}
        todo = [sha]
        while todo:
            waiting = [parent for parent in self.snapshots[todo[-1]].parents if parent not in done]
            if waiting:
                todo.append(waiting[0])
            else:
                done[todo.pop()] = None
        return list(done)

    def find_merge_base(self, base: str, head: str) -> Snapshot:
        """Return the merge base of two commits; it exists, since all branches share the repository's first commit."""
        common = set(self.list_ancestors(base))
        return self.snapshots[next(sha for sha in reversed(self.list_ancestors(head)) if sha in common)]

    def list_commits_between(self, base: str, head: str) -> list[Snapshot]:
        """Return the commits of `head` that `base` does not have, oldest first."""
        common = set(self.list_ancestors(base))
        return [self.snapshots[sha] for sha in self.list_ancestors(head) if sha not in common]


def apply_changes(tree: Tree, changes: Mapping[str, str | None]) -> Tree:
    """Return a tree with changes applied; None deletes a file."""
    return {path: text for path, text in {**tree, **changes}.items() if text is not None}


def find_changed_texts(old: Tree, new: Tree) -> dict[str, str | None]:
    """Return the changes from one tree to another, by path; None for a deleted file."""
    return {path: new.get(path) for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
