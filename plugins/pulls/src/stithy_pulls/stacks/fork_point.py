"""Find the first own commit of a pull request: `last_upstream_commit` (PULL-33, ADR 20).

After the branch below was rewritten, a plain merge base is wrong: former heads of that branch count, or copies of them.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from attrs import evolve, field, frozen

from stithy_pulls.git.commit_log import CommitEntry, filter_present, is_ancestor, list_commits, order_oldest_first
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.path_history import find_merge_base
from stithy_pulls.stacks.commit_copies import MOST_COPIES, CopySearch, Likeness, find_copies, is_replaced
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.merge_outcome import Confidence

DropReason: TypeAlias = Likeness | Literal["below", "taken out", "merge"]
"""Why a commit is dropped.

A version of a lower commit (`Likeness`), a lower commit itself (below), a commit that a former lower head had and the
current one does not have (taken out), or a merge commit, which no rebase replays (merge).
"""

MOST_HEADS = 60
MOST_DOUBTED = 20


@frozen
class DroppedEntry:
    """A commit that the rebase omits, why, and the SHA of the commit that it is a version of; empty if of none."""

    entry: CommitEntry
    why: DropReason
    of: str = ""


@frozen(kw_only=True)
class ForkPoint:
    """The own part of a pull request's history.

    Args:
        upstream: The last commit before its own.
        own: Its own commits without merges, oldest first.
        merges: The number of merge commits among them.
        straight: Whether its own commits are exactly those between `upstream` and its head.
        foreign: The number of lower commits that it still carries and its new base does not have.
        confidence: The confidence in `upstream`.
        evidence: The evidence, as a clause.
        dropped: All other commits that neither its new base nor the branch at the bottom has, oldest first.
        kept: The own commit that looks like a copy of a lower one but differs; None without one.
        resembled: The SHA of that lower one.
    """

    upstream: str
    own: tuple[CommitEntry, ...]
    merges: int
    straight: bool
    foreign: int
    confidence: Confidence
    evidence: str
    dropped: tuple[DroppedEntry, ...] = ()
    kept: CommitEntry | None = None
    resembled: str = ""


@frozen(kw_only=True)
class LowerPulls:
    """What is known of the pull requests below.

    Args:
        heads: All SHAs that were a head of one of them, those of the nearest first.
        hidden: Whether they had heads that the forge does not name.
        present: Their current heads.
        landed: For those merged unchanged, the head, and the tip of the target before the merge.
        trunk: The tip of the branch at the bottom.
        onto: What the pull request is rebased onto.
    """

    heads: tuple[str, ...]
    hidden: bool = False
    present: tuple[str, ...] = ()
    landed: tuple[tuple[str, str], ...] = ()
    trunk: str = ""
    onto: str = ""


@frozen
class _Upstream:
    """The last commit before the own ones, the confidence, the evidence, and the copies that lead to it."""

    sha: str
    confidence: Confidence
    evidence: str
    copies: CopySearch = field(factory=CopySearch)


async def find_fork_point(pool: CommitPool, head: str, below: LowerPulls) -> ForkPoint:
    """Find the first own commit.

    Args:
        pool: The commits.
        head: The head of the pull request.
        below: The pull requests below.
    """
    line = list(reversed(await pool.list_beyond(head, below.trunk)))
    heads = [sha for sha in await filter_present(pool.repository, below.heads) if sha != head][:MOST_HEADS]
    found = _lower_confidence(below, await _find_upstream(pool, head, line, heads, below))
    upstream = found.sha
    known = await _filter_ancestors(pool, head, heads)
    without = [sha for sha in dict.fromkeys((*known, below.trunk, below.onto, upstream)) if sha]
    between = await pool.list_beyond(head, upstream) if upstream else line
    own = order_oldest_first(await pool.list_beyond(head, *without))
    below_it = await pool.list_beyond(upstream, below.onto, below.trunk) if upstream else []
    dropped = await _list_dropped(pool, head, below, own, found.copies)
    if any(one.why == "taken out" for one in dropped):
        why = "a force push removed commits from the pull request below that may now belong to this one"
        found = evolve(found, confidence="low", evidence=f"{found.evidence}, but {why}")
    return ForkPoint(
        upstream=upstream,
        own=own,
        merges=sum(len(entry.parents) > 1 for entry in between),
        straight={entry.sha for entry in between} == {entry.sha for entry in own},
        foreign=len(below_it),
        confidence=found.confidence,
        evidence=found.evidence,
        dropped=dropped,
        kept=found.copies.kept,
        resembled=found.copies.resembled,
    )


async def _list_dropped(
    pool: CommitPool, head: str, below: LowerPulls, own: Iterable[CommitEntry], copies: CopySearch
) -> tuple[DroppedEntry, ...]:
    """List the commits that the rebase omits, except those that the new base has, each with why."""
    kept = {entry.sha for entry in own}
    versions = {copy.entry.sha: copy for copy in copies.found}
    gone = [entry for entry in await pool.list_beyond(head, below.onto, below.trunk) if entry.sha not in kept]
    doubted = await _find_taken_out(pool, gone, below) if gone else set()
    rows = []
    for entry in reversed(gone):
        if copy := versions.get(entry.sha):
            rows.append(DroppedEntry(entry, copy.likeness, copy.original))
        elif len(entry.parents) > 1:
            rows.append(DroppedEntry(entry, "merge"))
        else:
            rows.append(DroppedEntry(entry, "taken out" if entry.sha in doubted else "below"))
    return tuple(rows)


async def _find_taken_out(pool: CommitPool, gone: Sequence[CommitEntry], below: LowerPulls) -> set[str]:
    """Return commits that a former lower head had, and whose change is not in the current lower heads.

    Somebody dropped them there, or moved them up into this pull request; only the author knows.
    """
    heads = await filter_present(pool.repository, below.present)
    now = (
        await list_commits(pool.repository, heads, [below.trunk] if below.trunk else [], most=MOST_COPIES)
        if heads
        else []
    )
    standing, versions = {entry.sha for entry in now}, {entry.identity for entry in now}
    former = await _list_lower_commits(pool, await filter_present(pool.repository, below.heads), below)
    lower_commits = {entry.sha for entry in former} - standing
    lower = [entry for entry in gone if entry.sha in lower_commits and entry.identity not in versions and heads]
    found = set()
    for entry in [entry for entry in lower if len(entry.parents) == 1][:MOST_DOUBTED]:
        try:
            if not await is_replaced(pool, entry, heads[0]):
                found.add(entry.sha)
        except GitError:  # a commit that cannot be compared stays classified as below
            continue
    return found


def _lower_confidence(below: LowerPulls, found: _Upstream) -> _Upstream:
    """Return low confidence if a force push hides former heads: commits above it may belong to one of them."""
    if found.confidence != "high" or not below.hidden or found.sha in {*below.heads[:1], below.onto}:
        return found
    why = "a force push below hides its former head: the first of these commits may not be its own"
    return evolve(found, confidence="low", evidence=f"{found.evidence}, but {why}")


async def _find_upstream(
    pool: CommitPool, head: str, line: Sequence[CommitEntry], heads: Sequence[str], below: LowerPulls
) -> _Upstream:
    """Return the newest commit of the history that was a lower head, or a copy of a lower commit above it."""
    lower_commits = await _list_lower_commits(pool, heads, below)
    known = {*heads, *(entry.sha for entry in lower_commits)}
    place = max((at for at, entry in enumerate(line) if entry.sha in known), default=-1)
    copies = await find_copies(pool, line, place, heads, below.trunk) if lower_commits else CopySearch()
    if copies.found:
        return _begin_above_copies(copies)
    if place >= 0:
        sha = line[place].sha
        role = "was a head of" if sha in heads else "is a commit of"
        return _Upstream(sha, "high", f"{sha[:12]} {role} the pull request below", copies)
    if await _shares_landed(pool, head, below.landed):
        sha = await find_merge_base(pool.repository, head, below.trunk)
        evidence = f"the commits of the pull request below are unchanged in its target, up to {sha[:12]}"
        return _Upstream(sha, "high", evidence, copies)
    return evolve(await _find_merge_base_upstream(pool, head, heads, below), copies=copies)


def _begin_above_copies(copies: CopySearch) -> _Upstream:
    """Return the last copy as upstream; confidence depends on whether each copy has the same change."""
    sha = copies.found[-1].entry.sha
    older = [copy for copy in copies.found if copy.likeness == "earlier version"]
    if not older:
        evidence = f"{sha[:12]} is in the history, and is a copy of a commit of the pull request below"
        return _Upstream(sha, "medium", evidence, copies)
    names = ", ".join(f"{copy.entry.sha[:12]} of {copy.original[:12]}" for copy in older[:3])
    evidence = f"the history has apparent earlier versions of lower commits, with different content ({names})"
    return _Upstream(sha, "low", evidence, copies)


async def _shares_landed(pool: CommitPool, head: str, landed: Iterable[tuple[str, str]]) -> bool:
    """Return whether a history has commits of a pull request that was merged unchanged, beyond what the target had."""
    for other, before in landed:
        shared = await find_merge_base(pool.repository, head, other)
        if shared == other or (shared and before and not await is_ancestor(pool.repository, shared, before)):
            return True
    return False


async def _find_merge_base_upstream(pool: CommitPool, head: str, heads: Sequence[str], below: LowerPulls) -> _Upstream:
    """Return the merge base if nothing else is common; it is wrong if it includes unknown lower commits."""
    onto = below.onto or below.trunk
    if onto and await is_ancestor(pool.repository, onto, head):
        return _Upstream(onto, "high", f"it is already based on {onto[:12]}")
    for other in (*heads, below.trunk):
        if other and (sha := await find_merge_base(pool.repository, head, other)):
            evidence = f"no commit of the pull request below was recognized; the merge base is {sha[:12]}"
            return _Upstream(sha, "low", evidence)
    return _Upstream("", "low", "it has no common commit with the pull request below")


async def _list_lower_commits(pool: CommitPool, heads: Sequence[str], below: LowerPulls) -> list[CommitEntry]:
    """List the commits of the pull requests below that are not in the trunk."""
    return await list_commits(pool.repository, heads, [below.trunk], most=MOST_COPIES) if heads and below.trunk else []


async def _filter_ancestors(pool: CommitPool, head: str, heads: Iterable[str]) -> list[str]:
    """Return the SHAs that are in a history."""
    return [sha for sha in heads if await is_ancestor(pool.repository, sha, head)]
