"""Whether a change breaks its users, as far as commits say it or definitions show it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.code.touched_definitions import TouchedCode
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.facts.fact_rules import describe_break
from stithy_pulls.phrases import format_count

SCRIPT = re.compile(r"export\s+(?:declare\s+)?(?:const|let|var)\s+(?P<name>[A-Za-z$]\w*)")
VALUES = {
    ".py": re.compile(r"(?P<name>[A-Za-z]\w*)\s*(?::[^=]{1,200})?=(?!=)"),
    **dict.fromkeys((".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx"), SCRIPT),
    ".go": re.compile(r"(?:var|const)\s+(?P<name>[A-Z]\w*)"),
    ".rs": re.compile(r"pub\s+(?:const|static)\s+(?:mut\s+)?(?P<name>[A-Za-z]\w*)"),
}
"""By the ending of a file: how a line begins that makes such a value."""
OTHERS = {
    *(".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".m", ".kt", ".kts", ".dart", ".ex", ".exs", ".erl", ".lua"),
    *(
        ".rb",
        ".scala",
        ".pl",
        ".pm",
        ".sh",
        ".fs",
        ".clj",
        ".zig",
        ".hs",
        ".ml",
        ".r",
        ".jl",
        ".proto",
        ".graphql",
        ".thrift",
    ),
}
"""Endings of code of which nobody here knows what others may use."""


def list_lost_values(change: ChangedFile) -> list[str]:
    """Give the names of values that a file had and that its diff does not give back."""
    kept = set(_names(change, LineKind.ADDED))
    return [name for name in dict.fromkeys(_names(change, LineKind.REMOVED)) if name not in kept]


def is_uncovered_language(change: ChangedFile) -> bool:
    """Say whether a file is code that was there before, and of which nobody here knows what others may use."""
    return change.status != "added" and PurePosixPath(change.old_path).suffix.lower() in OTHERS


def _names(change: ChangedFile, kind: LineKind) -> Iterator[str]:
    form = VALUES.get(PurePosixPath(change.old_path).suffix.lower())
    for line in change.iterate_lines(kind) if form else ():
        if form and (found := form.match(line.text)):
            yield found["name"]


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


def find_breaking_changes(
    messages: Sequence[str], code: Maybe[TouchedCode], changes: Sequence[ChangedFile]
) -> list[BreakingChange]:
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
        what = f"{format_count(len(found), 'public definition')} changed, moved or removed: callers may break"
        return Unknown(what, "See breaking_changes.")
    if isinstance(code, Unknown):
        return Unknown(f"no commit says so, and definitions were not compared: {code.reason}", code.remedy)
    if code.unread:
        return Unknown(
            f"no commit says so, and {format_count(len(code.unread), 'file')} not compared", "Look at their diffs."
        )
    if reason := _why_unseen(code, changes):
        return Unknown(f"no commit says so, and {reason}", "Look at their diffs.")
    return Unknown(f"not all commits were read: {unread_commits}") if unread_commits else False


def _why_unseen(code: TouchedCode, changes: Sequence[ChangedFile]) -> str:
    """Return what of an interface is not compared; empty where all of it is."""
    if members := sum(count for path, count in code.members.items() if classify_file(path) == "source"):
        what = f"{format_count(members, 'line')} of public types went that define no function"
        return f"{what}: whether callers use them is not known"
    foreign = sum(map(is_uncovered_language, changes))
    return f"what others use of {format_count(foreign, 'file')} is not read in such a language" if foreign else ""


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
        evidence = f"{format_count(len(names), 'public value')} gone or renamed: {', '.join(names[:NAMED])}{more}"
        yield BreakingChange(said_by="definition", evidence=evidence, path=change.path, certain=False)
