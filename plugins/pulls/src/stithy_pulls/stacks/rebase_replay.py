"""Predict where a rebase would stop, by replaying it without a working tree.

git 2.39 takes no merge base for `merge-tree`, so each step gets commits of its own: one for the tree before the change,
and on it the current tree and the tree after the change. They stay in the cache as unreferenced objects.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from attrs import define, evolve, field, frozen

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.conflicts.conflict_groups import group_messages
from stithy_pulls.conflicts.merge_tree import MergeResult, merge_commits
from stithy_pulls.git.commit_log import CommitEntry
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.loose_objects import write_commit
from stithy_pulls.git.path_history import list_changed_paths

Outcome: TypeAlias = Literal["clean", "conflict", "empty"]

MOST = 100
"""Commits that are replayed; each needs several git processes."""

UNTRIED = Unknown(f"only the first {MOST} commits were replayed", "Rebase in a clone.")


@frozen(kw_only=True)
class ReplayStep:
    """The predicted result of one commit, the files that it changes, and those that conflict."""

    entry: CommitEntry
    outcome: Maybe[Outcome] | None = None
    files: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


@define
class RebaseReplay:
    """A rebase in progress.

    Args:
        repository: The cached repository.
        tree: The current tree.
        unsure: Files with conflicts, which a person would have to resolve: later changes in them are unknown.
        tried: The number of replayed commits.
    """

    repository: GitRepository
    tree: str
    unsure: set[str] = field(factory=set)
    tried: int = 0

    def copy(self) -> "RebaseReplay":
        """Return a rebase that continues from the same result: of another pull request on the same one."""
        return evolve(self, unsure=set(self.unsure))

    async def replay_all(self, entries: Iterable[CommitEntry]) -> list[ReplayStep]:
        """Replay commits one after the other."""
        return [await self.replay_next(entry) for entry in entries]

    async def replay_next(self, entry: CommitEntry) -> ReplayStep:
        """Replay the next commit, and continue from its result."""
        before = await _get_tree_before(self.repository, entry)
        files = tuple(sorted(await list_changed_paths(self.repository, before, entry.sha)))
        if self.tried >= MOST:
            return ReplayStep(entry=entry, outcome=UNTRIED, files=files)
        self.tried += 1
        try:
            merged = await cherry_pick(self.repository, self.tree, entry)
        except GitError as fault:
            self.unsure |= set(files)
            return ReplayStep(entry=entry, outcome=Unknown(fault.message, fault.suggestion), files=files)
        return self._create_step(entry, merged, files)

    def _create_step(self, entry: CommitEntry, merged: MergeResult, files: tuple[str, ...]) -> ReplayStep:
        paths = tuple(dict.fromkeys(path for group in group_messages(merged) for path in group.paths))
        fresh = tuple(path for path in paths if path not in self.unsure)
        affected = self.unsure & {*files, *paths}
        was_empty = bool(files) and merged.tree == self.tree  # a rebase keeps commits that were empty from the start
        self.tree = merged.tree
        self.unsure |= set(paths)
        if fresh or (not merged.clean and not paths):
            return ReplayStep(entry=entry, outcome="conflict", files=files, conflicts=fresh)
        if affected:
            reason = f"it depends on the resolution of {min(affected)}"
            return ReplayStep(entry=entry, outcome=Unknown(reason, "Resolve the first conflict."), files=files)
        return ReplayStep(entry=entry, outcome="empty" if was_empty else "clean", files=files)


async def count_stops(repository: GitRepository, tree: str, entries: Sequence[CommitEntry]) -> Maybe[int]:
    """Count the stops of a rebase if each conflict is resolved in favor of the current tree.

    A user resolves commits that way whose changes came in by a squash. For other commits it is the minimum.

    Args:
        repository: The cached repository.
        tree: The tree to rebase onto.
        entries: The commits, oldest first.
    """
    if len(entries) > MOST:
        return UNTRIED
    count = 0
    for entry in entries:
        try:
            merged = await cherry_pick(repository, tree, entry)
        except GitError as fault:
            return Unknown(fault.message, fault.suggestion)
        count += not merged.clean
        tree = merged.tree if merged.clean else tree
    return count


async def cherry_pick(repository: GitRepository, tree: str, entry: CommitEntry) -> MergeResult:
    """Apply a commit's change to a tree.

    Raises:
        GitError: git failed.
        PartialFetchUnsupported: A file is missing, and the server does not support partial fetches.
    """
    return await merge_trees(repository, await _get_tree_before(repository, entry), tree, entry.tree)


async def merge_trees(repository: GitRepository, base: str, ours: str, theirs: str) -> MergeResult:
    """Merge two trees with a given common ancestor.

    Raises:
        GitError: git failed.
        PartialFetchUnsupported: A file is missing, and the server does not support partial fetches.
    """
    if ours in {base, theirs}:  # one side did not change, or both did the same
        return MergeResult(clean=True, tree=theirs)
    if base == theirs:
        return MergeResult(clean=True, tree=ours)
    root = write_commit(repository.folder, base)
    sides = (write_commit(repository.folder, side, root) for side in (ours, theirs))
    return await merge_commits(repository, *sides, immutable=True)


async def get_tree(repository: GitRepository, sha: str) -> str:
    """Return the tree of a commit."""
    if (tree := repository.trees.get(sha)) is not None:
        return tree
    words = ("rev-parse", "--verify", "--quiet", f"{sha}^{{tree}}")
    output = await repository.git(*words, what="read a tree", immutable=True)
    return output.stdout.decode().strip()


async def _get_tree_before(repository: GitRepository, entry: CommitEntry) -> str:
    """Return the tree that a commit changes; the empty tree for a root commit."""
    if entry.parents:
        return await get_tree(repository, entry.parents[0])
    return (await repository.git("mktree", what="create an empty tree", immutable=True)).stdout.decode().strip()
