"""The hunks that fit into a number of lines: those with facts first, each in its place, and every cut said."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from stithy_pulls.diffs.records import ChangedFile, DiffHunk
from stithy_pulls.facts.records import Fact
from stithy_pulls.facts.secrets import LineMasker, mask_secrets

SHARES = 4
"""One file gets at most this part of all lines, while others wait."""
LONGEST = 300
"""Characters of a line."""


@frozen
class DiffExcerpt:
    """Lines of one file: how many of them are shown, and how many there are."""

    text: str = ""
    shown: int = 0
    lines: int = 0


def allocate_excerpts(changes: Sequence[ChangedFile], facts: Mapping[str, Sequence[Fact]], most: int) -> Mapping[str, DiffExcerpt]:
    """Share the lines out.

    Args:
        changes: The files, the most important first.
        facts: By path.
        most: How many lines of diff there may be.
    """
    share = max(most // min(max(len(changes), 1), SHARES), 1)
    given: dict[str, int] = {}
    left = most
    for limit in (share, most):  # what nobody needed goes to the first ones
        for change in changes:
            wanted = min(_length(change), limit) - given.get(change.path, 0)
            more = max(min(wanted, left), 0)
            given[change.path] = given.get(change.path, 0) + more
            left -= more
    return {change.path: _excerpt(change, facts.get(change.path, ()), given[change.path]) for change in changes}


def _hunks(change: ChangedFile) -> Sequence[DiffHunk]:
    return change.hunks if isinstance(change.hunks, tuple) else ()


def _length(change: ChangedFile) -> int:
    return sum(len(hunk.lines) + 1 for hunk in _hunks(change))


def _excerpt(change: ChangedFile, facts: Sequence[Fact], most: int) -> DiffExcerpt:
    """Take the hunks with the heaviest facts first, and show them in their order."""
    hunks = list(enumerate(_hunks(change)))
    ranked = sorted(hunks, key=lambda one: (-_weight(one[1], facts), one[0]))
    taken: dict[int, int] = {}
    left = most
    for place, hunk in ranked:
        if left > 1:
            taken[place] = min(len(hunk.lines), left - 1)
            left -= taken[place] + 1
    text = "\n".join(
        line for place, hunk in hunks if place in taken for line in _written(hunk, taken[place], change.path)
    )
    shown = sum(taken.values()) + len(taken)
    return DiffExcerpt(text, shown, _length(change))


def _weight(hunk: DiffHunk, facts: Sequence[Fact]) -> int:
    first, last = hunk.new_start, hunk.new_start + hunk.new_count
    return sum(fact.points + 1 for fact in facts if fact.line and first <= fact.line < last)


def _written(hunk: DiffHunk, most: int, path: str) -> Iterator[str]:
    masking = LineMasker(path)
    yield mask_secrets(hunk.header, path)
    for line in hunk.lines[:most]:
        text = masking.mask_line(line.text)
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}… [{len(text)} chars]"
        yield f"{line.kind.value}{text}"
    if most < len(hunk.lines):
        yield "…"
