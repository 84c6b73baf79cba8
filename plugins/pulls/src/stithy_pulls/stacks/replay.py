"""What a rebase would stop at, found by making it without a working tree.

git 2.39 takes no merge base for `merge-tree`, so each step gets commits of its own: one for the tree before the change,
and on it the tree that was reached and the tree after the change. They stay in the cache, where nothing points at them.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from attrs import define, field, frozen

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.conflicts.grouping import grouped
from stithy_pulls.conflicts.merging import Merged, merge
from stithy_pulls.git.commits import Entry
from stithy_pulls.git.faults import NoGit
from stithy_pulls.git.history import changed
from stithy_pulls.git.repository import Repository

Outcome: TypeAlias = Literal["clean", "conflict", "empty"]

MOST = 100
"""Commits that are tried; each takes some processes."""

WHO = ("-c", "user.name=stithy", "-c", "user.email=stithy@localhost", "-c", "commit.gpgSign=false")
UNTRIED = Unknown(f"only the first {MOST} commits were tried", "Rebase in a clone.")


@frozen(kw_only=True)
class Step:
    """What happens to one commit, if it is replayed: the files that it changes, and those that conflict."""

    entry: Entry
    outcome: Maybe[Outcome] | None = None
    files: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


@define
class Replay:
    """A rebase as it goes.

    Args:
        repository: The cache.
        tree: Where it stands.
        unsure: Files that a person would have to resolve: what follows in these is not known.
    """

    repository: Repository
    tree: str
    unsure: set[str] = field(factory=set)
    tried: int = 0

    async def all(self, entries: Iterable[Entry]) -> list[Step]:
        """Try commits one after the other."""
        return [await self.step(entry) for entry in entries]

    async def step(self, entry: Entry) -> Step:
        """Try the next commit, and go on from there."""
        before = await _before(self.repository, entry)
        files = tuple(sorted(await changed(self.repository, before, entry.sha)))
        if self.tried >= MOST:
            return Step(entry=entry, outcome=UNTRIED, files=files)
        self.tried += 1
        try:
            merged = await picked(self.repository, self.tree, entry)
        except NoGit as fault:
            self.unsure |= set(files)
            return Step(entry=entry, outcome=Unknown(fault.message, fault.suggestion), files=files)
        return self._went(entry, merged, files)

    def _went(self, entry: Entry, merged: Merged, files: tuple[str, ...]) -> Step:
        paths = tuple(dict.fromkeys(path for group in grouped(merged) for path in group.paths))
        fresh = tuple(path for path in paths if path not in self.unsure)
        shaken = self.unsure & {*files, *paths}
        was_empty = bool(files) and merged.tree == self.tree  # a rebase keeps what changed nothing from the beginning
        self.tree = merged.tree
        self.unsure |= set(paths)
        if fresh or (not merged.clean and not paths):
            return Step(entry=entry, outcome="conflict", files=files, conflicts=fresh)
        if shaken:
            reason = f"it depends on how {min(shaken)} is resolved before"
            return Step(entry=entry, outcome=Unknown(reason, "Resolve the first conflict."), files=files)
        return Step(entry=entry, outcome="empty" if was_empty else "clean", files=files)


async def stops(repository: Repository, tree: str, entries: Sequence[Entry]) -> Maybe[int]:
    """Count how often a rebase would stop if each conflict were resolved for what is there already.

    That is how somebody resolves commits whose changes came in by a squash; of other commits it is the fewest.

    Args:
        repository: The cache.
        tree: Of what it goes onto.
        entries: Oldest first.
    """
    if len(entries) > MOST:
        return UNTRIED
    count = 0
    for entry in entries:
        try:
            merged = await picked(repository, tree, entry)
        except NoGit as fault:
            return Unknown(fault.message, fault.suggestion)
        count += not merged.clean
        tree = merged.tree if merged.clean else tree
    return count


async def picked(repository: Repository, tree: str, entry: Entry) -> Merged:
    """Apply a commit's change to a tree.

    Raises:
        NoGit: git failed.
        Unfetched: The server does not give a file.
    """
    return await merge_trees(repository, await _before(repository, entry), tree, entry.tree)


async def merge_trees(repository: Repository, base: str, ours: str, theirs: str) -> Merged:
    """Merge two trees, given the one that both began at.

    Raises:
        NoGit: git failed.
        Unfetched: The server does not give a file.
    """
    root = await _commit(repository, base)
    return await merge(repository, await _commit(repository, ours, root), await _commit(repository, theirs, root))


async def tree_of(repository: Repository, sha: str) -> str:
    """Give the tree of a commit."""
    ran = await repository.git("rev-parse", "--verify", "--quiet", f"{sha}^{{tree}}", what="read a tree")
    return ran.out.decode().strip()


async def _before(repository: Repository, entry: Entry) -> str:
    """Give the tree that a commit changes: an empty one, where it is the first."""
    if entry.parents:
        return await tree_of(repository, entry.parents[0])
    return (await repository.git("mktree", what="make an empty tree")).out.decode().strip()


async def _commit(repository: Repository, tree: str, *parents: str) -> str:
    words = [word for parent in parents for word in ("-p", parent)]
    ran = await repository.git(*WHO, "commit-tree", tree, *words, "-m", "-", what="try a commit")
    return ran.out.decode().strip()
