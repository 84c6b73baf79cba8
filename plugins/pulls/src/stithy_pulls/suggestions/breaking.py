"""Whether a change breaks its users, as far as commits say it or definitions show it."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.code.constants import is_uncovered_language, list_lost_values
from stithy_pulls.code.touching import TouchedCode
from stithy_pulls.diffs.names import classify_file
from stithy_pulls.diffs.records import ChangedFile
from stithy_pulls.facts.gathering import describe_break
from stithy_pulls.words import many

MARK = re.compile(r"^[a-z]+(?:\([^)\n]*\))?!: ", re.IGNORECASE)
FOOTER = re.compile(r"^BREAKING[ -]CHANGE: *(.*)", re.MULTILINE)
NAMED = 5


@frozen(kw_only=True)
class BreakingChange:
    """A break.

    Args:
        said_by: commit, where the authors say it, or definition.
        evidence: What they say, or what became of which definition.
        path: Of the definition.
        certain: Whether it is one: a new signature may still fit its callers, and what moved may still be found.
    """

    said_by: str
    evidence: str
    path: str | None = None
    certain: bool


def find_breaking_changes(messages: Sequence[str], code: Maybe[TouchedCode], changes: Sequence[ChangedFile]) -> list[BreakingChange]:
    """Find all breaks, the certain ones first.

    Args:
        messages: Of the commits, and the pull request's title.
        code: The definitions that are touched.
        changes: The files.
    """
    programs = code.programs if isinstance(code, TouchedCode) else frozenset()
    libraries = [change for change in changes if classify_file(change.path) == "source" and change.path not in programs]
    values = (one for change in libraries for one in _values(change))
    found = [*_said(messages), *(_shown(code) if isinstance(code, TouchedCode) else ()), *values]
    return sorted(found, key=lambda one: not one.certain)


def is_breaking(
    found: Sequence[BreakingChange], code: Maybe[TouchedCode], changes: Sequence[ChangedFile], unread_commits: str
) -> Maybe[bool]:
    """Say whether anything breaks: true only where something certainly does, false only where all was looked at.

    Args:
        found: The breaks.
        code: The definitions that are touched.
        changes: The files.
        unread_commits: Why not all commits were read; empty where they were.
    """
    if any(one.certain for one in found):
        return True
    if found:
        what = f"{many(len(found), 'public definition')} changed, moved or went: whether a caller breaks is not known"
        return Unknown(what, "Look at breaking_changes.")
    if isinstance(code, Unknown):
        return Unknown(f"no commit says so, and definitions were not compared: {code.reason}", code.remedy)
    if code.unread:
        return Unknown(f"no commit says so, and {many(len(code.unread), 'file')} not compared", "Look at their diffs.")
    if reason := _why_unseen(code, changes):
        return Unknown(f"no commit says so, and {reason}", "Look at their diffs.")
    return Unknown(f"not all commits were read: {unread_commits}") if unread_commits else False


def _why_unseen(code: TouchedCode, changes: Sequence[ChangedFile]) -> str:
    """Return what of an interface is not compared; empty where all of it is."""
    if members := sum(count for path, count in code.members.items() if classify_file(path) == "source"):
        what = f"{many(members, 'line')} of public types went that define no function"
        return f"{what}: whether callers use them is not known"
    foreign = sum(map(is_uncovered_language, changes))
    return f"what others use of {many(foreign, 'file')} is not read in such a language" if foreign else ""


def _said(messages: Sequence[str]) -> Iterator[BreakingChange]:
    """Give what authors say, each once: the title is often a commit's."""
    footers = [(message, FOOTER.search(message)) for message in messages]
    said = [
        footer[0] if footer else message.partition("\n")[0]
        for message, footer in footers
        if footer or MARK.match(message)
    ]
    for evidence in dict.fromkeys(map(excerpt, said)):
        yield BreakingChange(said_by="commit", evidence=evidence, certain=True)


def _shown(code: TouchedCode) -> Iterator[BreakingChange]:
    added = {one.symbol.name for one in code.touched if one.what == "added"}
    for one in code.touched:
        if one.breaks and classify_file(one.path) == "source":
            moved = one.symbol.name in added
            said = f"{describe_break(one)[0]}{', and one of that name is elsewhere' if moved else ''}"
            certain = one.what == "removed" and not moved and one.symbol.certain
            yield BreakingChange(said_by="definition", evidence=said, path=one.path, certain=certain)


def _values(change: ChangedFile) -> Iterator[BreakingChange]:
    """Say which values are gone, all of a file in one: whether others use them is not known."""
    if names := list_lost_values(change):
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        evidence = f"{many(len(names), 'public value')} gone or renamed: {', '.join(names[:NAMED])}{more}"
        yield BreakingChange(said_by="definition", evidence=evidence, path=change.path, certain=False)
