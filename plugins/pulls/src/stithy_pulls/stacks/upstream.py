"""Where a pull request's own commits begin: `last_upstream_commit` (field notes on merges, section 1).

A plain merge base is wrong once the branch below was rewritten: what was its head before counts, or a copy of it.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_pulls.git.commits import Entry, is_ancestor, log, own_first, present
from stithy_pulls.git.history import merge_base
from stithy_pulls.stacks.ground import Ground
from stithy_pulls.stacks.merges import Confidence

MOST_COPIES = 200
MOST_HEADS = 60


@frozen(kw_only=True)
class Border:
    """What of a pull request's history is its own.

    Args:
        upstream: The last commit before its own.
        own: Its own commits without merges, oldest first.
        merges: How many merge commits stand among them.
        straight: Whether its own are just what lies between `upstream` and its head.
        foreign: How many commits of those below it still carries that its new base has not.
        confidence: In `upstream`.
        evidence: What says so.
    """

    upstream: str
    own: tuple[Entry, ...]
    merges: int
    straight: bool
    foreign: int
    confidence: Confidence
    evidence: str


@frozen(kw_only=True)
class Below:
    """What is known of those that a pull request stands on.

    Args:
        heads: All SHAs that were a head of one of them, that nearest to it first.
        hidden: Whether they had heads that nobody names.
        landed: Of those whose commits came into the target as they were, the head, and where the target was before.
        trunk: The tip of the branch at the bottom.
        onto: What the pull request is to stand on.
    """

    heads: tuple[str, ...]
    hidden: bool = False
    landed: tuple[tuple[str, str], ...] = ()
    trunk: str = ""
    onto: str = ""


async def border_of(ground: Ground, head: str, below: Below) -> Border:
    """Find where the own commits begin.

    Args:
        ground: Where the commits are.
        head: The pull request's head.
        below: What it stands on.
    """
    line = list(reversed(await ground.beyond(head, below.trunk)))
    heads = [sha for sha in await present(ground.repository, below.heads) if sha != head][:MOST_HEADS]
    upstream, confidence, evidence = _doubted(below, *await _upstream(ground, head, line, heads, below))
    known = await _within(ground, head, heads)
    without = [sha for sha in dict.fromkeys((*known, below.trunk, below.onto, upstream)) if sha]
    between = await ground.beyond(head, upstream) if upstream else line
    own = own_first(await ground.beyond(head, *without))
    below_it = await ground.beyond(upstream, below.onto, below.trunk) if upstream else []
    return Border(
        upstream=upstream,
        own=own,
        merges=sum(len(entry.parents) > 1 for entry in between),
        straight={entry.sha for entry in between} == {entry.sha for entry in own},
        foreign=len(below_it),
        confidence=confidence,
        evidence=evidence,
    )


def _doubted(below: Below, upstream: str, confidence: Confidence, evidence: str) -> tuple[str, Confidence, str]:
    """Doubt what was found where heads are not named: what stands above it may have been of one of these."""
    if confidence != "high" or not below.hidden or upstream in {*below.heads[:1], below.onto}:
        return upstream, confidence, evidence
    why = "a force push below hides what was its head: the first of these commits may not be its own"
    return upstream, "low", f"{evidence}, but {why}"


async def _upstream(
    ground: Ground, head: str, line: Sequence[Entry], heads: Sequence[str], below: Below
) -> tuple[str, Confidence, str]:
    """Choose the newest commit of the history that was a head, or a copy of one of theirs above it."""
    theirs = await _theirs(ground, heads, below)
    known = {*heads, *(entry.sha for entry in theirs)}
    place = max((at for at, entry in enumerate(line) if entry.sha in known), default=-1)
    end = _extended(line, place, theirs)
    if end > place:
        sha = line[end].sha
        return sha, "medium", f"{sha[:12]} is in the history, with author, time and words of a commit of the one below"
    if place >= 0:
        sha = line[place].sha
        said = "was a head of" if sha in heads else "is a commit of"
        return sha, "high", f"{sha[:12]} {said} the one below"
    if await _shares(ground, head, below.landed):
        sha = await merge_base(ground.repository, head, below.trunk)
        return sha, "high", f"the commits of the one below are in its target as they were, up to {sha[:12]}"
    return await _parted(ground, head, heads, below)


async def _shares(ground: Ground, head: str, landed: Iterable[tuple[str, str]]) -> bool:
    """Say whether a history has commits of one that landed as it was, and not only what the target had before."""
    for other, before in landed:
        shared = await merge_base(ground.repository, head, other)
        if shared == other or (shared and before and not await is_ancestor(ground.repository, shared, before)):
            return True
    return False


async def _parted(ground: Ground, head: str, heads: Sequence[str], below: Below) -> tuple[str, Confidence, str]:
    """Give where the two parted, of whom nothing else is in common: right unless it holds what nobody knows of."""
    onto = below.onto or below.trunk
    if onto and await is_ancestor(ground.repository, onto, head):
        return onto, "high", f"it stands on {onto[:12]} already"
    for other in (*heads, below.trunk):
        if other and (sha := await merge_base(ground.repository, head, other)):
            return sha, "low", f"nothing of the one below was recognised; {sha[:12]} is where the two parted"
    return "", "low", "it has no commit in common with the one below"


async def _theirs(ground: Ground, heads: Sequence[str], below: Below) -> list[Entry]:
    """List the commits of those below that are not in the trunk."""
    return await log(ground.repository, heads, [below.trunk], most=MOST_COPIES) if heads and below.trunk else []


def _extended(line: Sequence[Entry], place: int, theirs: Iterable[Entry]) -> int:
    """Go on from a place as long as the commits are copies of theirs: rewritten ones keep author, time and words."""
    copies = {entry.identity for entry in theirs}
    while place + 1 < len(line) and _is_copy(line[place + 1], copies):
        place += 1
    return place


def _is_copy(entry: Entry, copies: set[tuple[str, str, str, str]]) -> bool:
    return len(entry.parents) == 1 and entry.identity in copies


async def _within(ground: Ground, head: str, heads: Iterable[str]) -> list[str]:
    """Keep those that are in a history."""
    return [sha for sha in heads if await is_ancestor(ground.repository, sha, head)]
