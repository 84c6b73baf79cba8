"""Where a pull request's own commits begin: `last_upstream_commit` (PULL-33, ADR 20).

A plain merge base is wrong once the branch below was rewritten: what was its head before counts, or a copy of it.
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
"""Why a commit is dropped: as a version of one below, as one of those below itself, as one that a former head of these
had and the present one has not, or as a merge, which no rebase replays."""

MOST_HEADS = 60
MOST_DOUBTED = 20


@frozen
class DroppedEntry:
    """A commit of a pull request that a restack leaves out, why, and the SHA of what it is a version of, if of one."""

    entry: CommitEntry
    why: DropReason
    of: str = ""


@frozen(kw_only=True)
class ForkPoint:
    """What of a pull request's history is its own.

    Args:
        upstream: The last commit before its own.
        own: Its own commits without merges, oldest first.
        merges: How many merge commits stand among them.
        straight: Whether its own are just what lies between `upstream` and its head.
        foreign: How many commits of those below it still carries that its new base has not.
        confidence: In `upstream`.
        evidence: What says so.
        dropped: All other commits that neither its new base nor the branch at the bottom has, oldest first.
        kept: The own commit that looks like a copy of one below and has work of its own; None where there is none.
        resembled: The SHA of the one below.
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
    """What is known of those that a pull request stands on.

    Args:
        heads: All SHAs that were a head of one of them, that nearest to it first.
        hidden: Whether they had heads that nobody names.
        present: The SHAs that are their heads now.
        landed: Of those whose commits came into the target as they were, the head, and where the target was before.
        trunk: The tip of the branch at the bottom.
        onto: What the pull request is to stand on.
    """

    heads: tuple[str, ...]
    hidden: bool = False
    present: tuple[str, ...] = ()
    landed: tuple[tuple[str, str], ...] = ()
    trunk: str = ""
    onto: str = ""


@frozen
class _Upstream:
    """The last commit before the own ones, how sure that is, and what is known of the copies that lead to it."""

    sha: str
    confidence: Confidence
    evidence: str
    copies: CopySearch = field(factory=CopySearch)


async def find_fork_point(pool: CommitPool, head: str, below: LowerPulls) -> ForkPoint:
    """Find where the own commits begin.

    Args:
        pool: Where the commits are.
        head: The pull request's head.
        below: What it stands on.
    """
    line = list(reversed(await pool.list_beyond(head, below.trunk)))
    heads = [sha for sha in await filter_present(pool.repository, below.heads) if sha != head][:MOST_HEADS]
    found = _doubted(below, await _upstream(pool, head, line, heads, below))
    upstream = found.sha
    known = await _within(pool, head, heads)
    without = [sha for sha in dict.fromkeys((*known, below.trunk, below.onto, upstream)) if sha]
    between = await pool.list_beyond(head, upstream) if upstream else line
    own = order_oldest_first(await pool.list_beyond(head, *without))
    below_it = await pool.list_beyond(upstream, below.onto, below.trunk) if upstream else []
    dropped = await _dropped(pool, head, below, own, found.copies)
    if any(one.why == "taken out" for one in dropped):
        why = "a force push took commits out of the one below that may be its own now"
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


async def _dropped(
    pool: CommitPool, head: str, below: LowerPulls, own: Iterable[CommitEntry], copies: CopySearch
) -> tuple[DroppedEntry, ...]:
    """List the commits that a restack leaves out, each with why; those that the new base has are not among them."""
    kept = {entry.sha for entry in own}
    versions = {copy.entry.sha: copy for copy in copies.found}
    gone = [entry for entry in await pool.list_beyond(head, below.onto, below.trunk) if entry.sha not in kept]
    doubted = await _taken_out(pool, gone, below) if gone else set()
    rows = []
    for entry in reversed(gone):
        if copy := versions.get(entry.sha):
            rows.append(DroppedEntry(entry, copy.likeness, copy.original))
        elif len(entry.parents) > 1:
            rows.append(DroppedEntry(entry, "merge"))
        else:
            rows.append(DroppedEntry(entry, "taken out" if entry.sha in doubted else "below"))
    return tuple(rows)


async def _taken_out(pool: CommitPool, gone: Sequence[CommitEntry], below: LowerPulls) -> set[str]:
    """Find commits that a former head of those below had, and of whose change nothing is in their present heads.

    Somebody dropped them there, or moved them up into this pull request: nothing but the author can tell.
    """
    heads = await filter_present(pool.repository, below.present)
    now = (
        await list_commits(pool.repository, heads, [below.trunk] if below.trunk else [], most=MOST_COPIES)
        if heads
        else []
    )
    standing, versions = {entry.sha for entry in now}, {entry.identity for entry in now}
    former = await _theirs(pool, await filter_present(pool.repository, below.heads), below)
    theirs = {entry.sha for entry in former} - standing
    asked = [entry for entry in gone if entry.sha in theirs and entry.identity not in versions and heads]
    found = set()
    for entry in [entry for entry in asked if len(entry.parents) == 1][:MOST_DOUBTED]:
        try:
            if not await is_replaced(pool, entry, heads[0]):
                found.add(entry.sha)
        except GitError:  # what cannot be compared stays as it was found
            continue
    return found


def _doubted(below: LowerPulls, found: _Upstream) -> _Upstream:
    """Doubt what was found where heads are not named: what stands above it may have been of one of these."""
    if found.confidence != "high" or not below.hidden or found.sha in {*below.heads[:1], below.onto}:
        return found
    why = "a force push below hides what was its head: the first of these commits may not be its own"
    return evolve(found, confidence="low", evidence=f"{found.evidence}, but {why}")


async def _upstream(
    pool: CommitPool, head: str, line: Sequence[CommitEntry], heads: Sequence[str], below: LowerPulls
) -> _Upstream:
    """Choose the newest commit of the history that was a head, or a copy of one of theirs above it."""
    theirs = await _theirs(pool, heads, below)
    known = {*heads, *(entry.sha for entry in theirs)}
    place = max((at for at, entry in enumerate(line) if entry.sha in known), default=-1)
    copies = await find_copies(pool, line, place, heads, below.trunk) if theirs else CopySearch()
    if copies.found:
        return _above_copies(copies)
    if place >= 0:
        sha = line[place].sha
        said = "was a head of" if sha in heads else "is a commit of"
        return _Upstream(sha, "high", f"{sha[:12]} {said} the one below", copies)
    if await _shares(pool, head, below.landed):
        sha = await find_merge_base(pool.repository, head, below.trunk)
        told = f"the commits of the one below are in its target as they were, up to {sha[:12]}"
        return _Upstream(sha, "high", told, copies)
    return evolve(await _parted(pool, head, heads, below), copies=copies)


def _above_copies(copies: CopySearch) -> _Upstream:
    """Begin above the last copy: sure as far as each changes what its original changes."""
    sha = copies.found[-1].entry.sha
    older = [copy for copy in copies.found if copy.likeness == "earlier version"]
    if not older:
        told = f"{sha[:12]} is in the history, and is a copy of a commit of the one below"
        return _Upstream(sha, "medium", told, copies)
    names = ", ".join(f"{copy.entry.sha[:12]} of {copy.original[:12]}" for copy in older[:3])
    told = f"the history has what looks like an earlier version of commits below, with another content ({names})"
    return _Upstream(sha, "low", told, copies)


async def _shares(pool: CommitPool, head: str, landed: Iterable[tuple[str, str]]) -> bool:
    """Say whether a history has commits of one that landed as it was, and not only what the target had before."""
    for other, before in landed:
        shared = await find_merge_base(pool.repository, head, other)
        if shared == other or (shared and before and not await is_ancestor(pool.repository, shared, before)):
            return True
    return False


async def _parted(pool: CommitPool, head: str, heads: Sequence[str], below: LowerPulls) -> _Upstream:
    """Return where the two parted, if they have nothing else in common: right unless it holds unknown commits."""
    onto = below.onto or below.trunk
    if onto and await is_ancestor(pool.repository, onto, head):
        return _Upstream(onto, "high", f"it stands on {onto[:12]} already")
    for other in (*heads, below.trunk):
        if other and (sha := await find_merge_base(pool.repository, head, other)):
            told = f"nothing of the one below was recognised; {sha[:12]} is where the two parted"
            return _Upstream(sha, "low", told)
    return _Upstream("", "low", "it has no commit in common with the one below")


async def _theirs(pool: CommitPool, heads: Sequence[str], below: LowerPulls) -> list[CommitEntry]:
    """List the commits of those below that are not in the trunk."""
    return await list_commits(pool.repository, heads, [below.trunk], most=MOST_COPIES) if heads and below.trunk else []


async def _within(pool: CommitPool, head: str, heads: Iterable[str]) -> list[str]:
    """Keep those that are in a history."""
    return [sha for sha in heads if await is_ancestor(pool.repository, sha, head)]
