"""Which commits of a pull request are copies of lower commits.

A rebase, an amendment and a cherry-pick keep author, time and message of a commit. So does `git commit -C`, which
splits one commit in two, and scripts create several "wip" commits within one second. So these only name candidates:
the change of a commit decides, and each original accounts for one copy.
"""

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Literal, TypeAlias

from attrs import field, frozen

from stithy_pulls.git.commit_log import CommitEntry, list_commits
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.rebase_replay import Outcome, cherry_pick, get_tree

Likeness: TypeAlias = Literal["copy", "contained", "earlier version"]
"""The same change (copy); all of its change is already below (contained); or replaced below (earlier version)."""

MOST_COPIES = 200
POSITION = re.compile(rb"@@ -\S+ \+\S+ @@.*")
DIFF = ("diff-tree", "-p", "--root", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv")


@frozen
class CommitCopy:
    """A commit of a pull request, the SHA of the lower commit that it is a version of, and how alike the two are."""

    entry: CommitEntry
    original: str
    likeness: Likeness


@frozen
class CopySearch:
    """The copies above an index of a history, and the commit after them that only looks like a copy.

    Args:
        found: The copies, oldest first.
        kept: The commit with the author, time and message of a lower one but a change of its own; None without one.
        resembled: The SHA of that lower one; empty without one.
    """

    found: tuple[CommitCopy, ...] = ()
    kept: CommitEntry | None = None
    resembled: str = ""


@frozen
class _Version:
    """A lower head, and its commits that are not in the trunk, oldest first."""

    head: str
    entries: list[CommitEntry] = field(factory=list)


async def find_copies(
    pool: CommitPool, line: Sequence[CommitEntry], place: int, heads: Sequence[str], trunk: str
) -> CopySearch:
    """Find the copies after an index of a history, compared with the version of the lower commits that explains most.

    Args:
        pool: The commits.
        line: The history of the pull request, oldest first.
        place: The index of the last commit that is known to be a lower one; -1 without one.
        heads: The SHAs that were a lower head.
        trunk: The tip of the branch at the bottom.
    """
    best = CopySearch()
    if place + 1 >= len(line) or not await _has_candidate(pool, line[place + 1], heads, trunk):
        return best
    for head in heads:
        entries = await list_commits(pool.repository, [head], [trunk], most=MOST_COPIES)
        copies = await _match_version(pool, line, place, _Version(head, entries[::-1]))
        if (len(copies.found), copies.resembled) > (len(best.found), best.resembled):
            best = copies
    return best


async def is_replaced(pool: CommitPool, entry: CommitEntry, head: str) -> bool:
    """Return whether a head has a version of a commit, or changed what the commit had changed."""
    return await _apply_to_head(pool, entry, head) != "clean"


async def _has_candidate(pool: CommitPool, entry: CommitEntry, heads: Sequence[str], trunk: str) -> bool:
    theirs = await list_commits(pool.repository, heads, [trunk], most=MOST_COPIES)
    return any(entry.identity == other.identity and entry.sha != other.sha for other in theirs)


async def _match_version(pool: CommitPool, line: Sequence[CommitEntry], place: int, version: _Version) -> CopySearch:
    """Walk up the history while each commit is a version of a lower commit that has no other version."""
    standing = {entry.sha for entry in line}
    left = [entry for entry in version.entries if len(entry.parents) == 1 and entry.sha not in standing]
    own_shas = {entry.sha for entry in version.entries}
    for entry in line[: place + 1]:
        if entry.sha not in own_shas and (same := _list_candidates(entry, left)):
            left.remove(same[0])
    found = list[CommitCopy]()
    for entry in line[place + 1 :]:
        candidates = _list_candidates(entry, left) if len(entry.parents) == 1 else []
        if not candidates:
            break
        chosen = await _choose_original(pool, entry, candidates, version.head)
        if chosen is None:
            return CopySearch(tuple(found), entry, candidates[0].sha)
        original, likeness = chosen
        left.remove(original)
        found.append(CommitCopy(entry, original.sha, likeness))
    return CopySearch(tuple(found))


def _list_candidates(entry: CommitEntry, left: Iterable[CommitEntry]) -> list[CommitEntry]:
    return [other for other in left if other.identity == entry.identity]


async def _choose_original(
    pool: CommitPool, entry: CommitEntry, candidates: Sequence[CommitEntry], head: str
) -> tuple[CommitEntry, Likeness] | None:
    """Return the original of a commit and the likeness; None if the commit has a change of its own.

    If both change the same lines in different ways, the commit time decides: the older one was replaced.
    """
    try:
        change = await compute_change_id(pool, entry)
        for other in candidates:
            if await compute_change_id(pool, other) == change:
                return other, "copy"
        outcome = await _apply_to_head(pool, entry, head)
    except GitError:  # a commit that cannot be compared does not count as a copy
        return None
    if outcome == "empty":
        return candidates[0], "contained"
    older = [other for other in candidates if entry.committed <= other.committed]
    return (older[0], "earlier version") if older and outcome == "conflict" else None


async def _apply_to_head(pool: CommitPool, entry: CommitEntry, head: str) -> Outcome:
    """Apply a commit's change to a head, and return the result."""
    tree = await get_tree(pool.repository, head)
    merged = await cherry_pick(pool.repository, tree, entry)
    if not merged.clean:
        return "conflict"
    return "empty" if merged.tree == tree else "clean"


async def compute_change_id(pool: CommitPool, entry: CommitEntry) -> bytes:
    """Return a digest of a commit's change, independent of line numbers.

    `git patch-id` ignores white space, so it would not notice a change of indentation.
    """
    output = await pool.repository.git(*DIFF, entry.sha, network=True, time_factor=5, what="compare changes")
    lines = output.stdout.split(b"\n")[1:]  # the first line is the SHA of the commit
    kept = [POSITION.sub(b"@@", line) for line in lines if not line.startswith(b"index ")]
    return blake2b(b"\n".join(kept)).digest()
