"""Which commits of a pull request are copies of commits below it.

A rebase, an amendment and a cherry-pick leave a commit its author, time and message, but so does `git commit -C`, which
splits one commit in two, and a script commits "wip" twice in one second. So these only name candidates: what a commit
changes decides, and each original accounts for one copy.
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
"""It changes the same; all that it changes is below already; or an older version that the one below replaced."""

MOST_COPIES = 200
POSITION = re.compile(rb"@@ -\S+ \+\S+ @@.*")
DIFF = ("diff-tree", "-p", "--root", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv")


@frozen
class CommitCopy:
    """A commit of a pull request, the SHA of the commit below that it is a version of, and how alike the two are."""

    entry: CommitEntry
    original: str
    likeness: Likeness


@frozen
class CopySearch:
    """The commits above a place that are copies, and the commit behind them that only looks like one.

    Args:
        found: The copies, oldest first.
        kept: The commit that has the author, time and message of one below, and work of its own.
        resembled: The SHA of the one below; empty where there is none.
    """

    found: tuple[CommitCopy, ...] = ()
    kept: CommitEntry | None = None
    resembled: str = ""


@frozen
class _Version:
    """The commits of one head below that are not in the trunk, oldest first, and the head."""

    head: str
    entries: list[CommitEntry] = field(factory=list)


async def find_copies(
    pool: CommitPool, line: Sequence[CommitEntry], place: int, heads: Sequence[str], trunk: str
) -> CopySearch:
    """Find the copies that follow a place in a history, by that version of the commits below that explains most.

    Args:
        pool: Where the commits are.
        line: The history of the pull request, oldest first.
        place: The last commit that is known to be one of those below; -1 where there is none.
        heads: The SHAs that were a head of one of those below.
        trunk: The tip of the branch at the bottom.
    """
    best = CopySearch()
    if place + 1 >= len(line) or not await _resembles(pool, line[place + 1], heads, trunk):
        return best
    for head in heads:
        entries = await list_commits(pool.repository, [head], [trunk], most=MOST_COPIES)
        copies = await _match(pool, line, place, _Version(head, entries[::-1]))
        if (len(copies.found), copies.resembled) > (len(best.found), best.resembled):
            best = copies
    return best


async def is_replaced(pool: CommitPool, entry: CommitEntry, head: str) -> bool:
    """Check whether a head has a version of a commit, or changed what the commit had changed."""
    return await _replayed(pool, entry, head) != "clean"


async def _resembles(pool: CommitPool, entry: CommitEntry, heads: Sequence[str], trunk: str) -> bool:
    theirs = await list_commits(pool.repository, heads, [trunk], most=MOST_COPIES)
    return any(entry.identity == other.identity and entry.sha != other.sha for other in theirs)


async def _match(pool: CommitPool, line: Sequence[CommitEntry], place: int, version: _Version) -> CopySearch:
    """Go up a history as long as each commit is a version of a commit below that no other one is a version of."""
    standing = {entry.sha for entry in line}
    left = [entry for entry in version.entries if len(entry.parents) == 1 and entry.sha not in standing]
    own_shas = {entry.sha for entry in version.entries}
    for entry in line[: place + 1]:
        if entry.sha not in own_shas and (same := _candidates(entry, left)):
            left.remove(same[0])
    found = list[CommitCopy]()
    for entry in line[place + 1 :]:
        candidates = _candidates(entry, left) if len(entry.parents) == 1 else []
        if not candidates:
            break
        chosen = await _compare(pool, entry, candidates, version.head)
        if chosen is None:
            return CopySearch(tuple(found), entry, candidates[0].sha)
        original, likeness = chosen
        left.remove(original)
        found.append(CommitCopy(entry, original.sha, likeness))
    return CopySearch(tuple(found))


def _candidates(entry: CommitEntry, left: Iterable[CommitEntry]) -> list[CommitEntry]:
    return [other for other in left if other.identity == entry.identity]


async def _compare(
    pool: CommitPool, entry: CommitEntry, candidates: Sequence[CommitEntry], head: str
) -> tuple[CommitEntry, Likeness] | None:
    """Choose the original of a commit; None where it has work of its own.

    Where both change the same lines in different ways, the time of the commit decides: the older one was replaced.
    """
    try:
        change = await compute_change_id(pool, entry)
        for other in candidates:
            if await compute_change_id(pool, other) == change:
                return other, "copy"
        outcome = await _replayed(pool, entry, head)
    except GitError:  # what cannot be compared is nobody's copy
        return None
    if outcome == "empty":
        return candidates[0], "contained"
    older = [other for other in candidates if entry.committed <= other.committed]
    return (older[0], "earlier version") if older and outcome == "conflict" else None


async def _replayed(pool: CommitPool, entry: CommitEntry, head: str) -> Outcome:
    """Apply a commit's change to a head, and return what comes of it."""
    tree = await get_tree(pool.repository, head)
    merged = await cherry_pick(pool.repository, tree, entry)
    if not merged.clean:
        return "conflict"
    return "empty" if merged.tree == tree else "clean"


async def compute_change_id(pool: CommitPool, entry: CommitEntry) -> bytes:
    """Return a digest of what a commit changes, wherever its lines stand.

    `git patch-id` leaves white space out, so that a change of indentation would be none.
    """
    output = await pool.repository.git(*DIFF, entry.sha, network=True, time_factor=5, what="compare changes")
    lines = output.stdout.split(b"\n")[1:]  # the first names the commit
    kept = [POSITION.sub(b"@@", line) for line in lines if not line.startswith(b"index ")]
    return blake2b(b"\n".join(kept)).digest()
