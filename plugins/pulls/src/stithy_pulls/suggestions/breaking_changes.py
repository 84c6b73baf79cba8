"""Whether a pull request breaks callers, by its commit messages and its changed definitions."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt, format_count
from stithy_pulls.code.touched_definitions import TouchedCode, TouchedDefinition
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.facts.secret_masking import mask_secrets

SCRIPT = re.compile(r"export\s+(?:declare\s+)?(?:const|let|var)\s+(?P<name>[A-Za-z$]\w*)")
VALUES = {
    ".py": re.compile(r"(?P<name>[A-Za-z]\w*)\s*(?::[^=]{1,200})?=(?!=)"),
    **dict.fromkeys((".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx"), SCRIPT),
    ".go": re.compile(r"(?:var|const)\s+(?P<name>[A-Z]\w*)"),
    ".rs": re.compile(r"pub\s+(?:const|static)\s+(?:mut\s+)?(?P<name>[A-Za-z]\w*)"),
}
"""By suffix, how a line begins that defines a public value."""
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
"""Suffixes of languages in which public definitions are not recognized."""


def list_lost_values(change: ChangedFile) -> list[str]:
    """Return the names of public values that a file no longer defines."""
    kept = set(_list_values(change, LineKind.ADDED))
    return [name for name in dict.fromkeys(_list_values(change, LineKind.REMOVED)) if name not in kept]


def is_uncovered_language(change: ChangedFile) -> bool:
    """Return whether an existing file is code in a language whose public definitions are not recognized."""
    return change.status != "added" and PurePosixPath(change.old_path).suffix.lower() in OTHERS


def _list_values(change: ChangedFile, kind: LineKind) -> Iterator[str]:
    form = VALUES.get(PurePosixPath(change.old_path).suffix.lower())
    for line in change.iterate_lines(kind) if form else ():
        if form and (found := form.match(line.text)):
            yield found["name"]


MARK = re.compile(r"^[a-z]+(?:\([^)\n]*\))?!: ", re.IGNORECASE)
FOOTER = re.compile(r"^BREAKING[ -]CHANGE: *(.*)", re.MULTILINE)
NAMED = 5
LONGEST, BEFORE = 160, 40
"""Characters of a signature, and those before the first difference."""


@frozen(kw_only=True)
class BreakingChange:
    """A breaking change.

    Args:
        said_by: commit, if the authors say so, or definition.
        evidence: The commit's words, or what happened to which definition.
        path: The file of the definition.
        certain: Whether it certainly breaks callers. A new signature may fit, and moved code may be re-exported.
    """

    said_by: str
    evidence: str
    path: str | None = None
    certain: bool


def find_breaking_changes(
    messages: Sequence[str], code: Maybe[TouchedCode], changes: Sequence[ChangedFile]
) -> list[BreakingChange]:
    """Find all breaking changes, the certain ones first.

    Args:
        messages: The commit messages, and the title of the pull request.
        code: The changed definitions.
        changes: The files.
    """
    programs = code.programs if isinstance(code, TouchedCode) else frozenset()
    libraries = [change for change in changes if classify_file(change.path) == "source" and change.path not in programs]
    values = (one for change in libraries for one in _find_lost_values(change))
    found = [
        *_find_in_messages(messages),
        *(_find_in_definitions(code) if isinstance(code, TouchedCode) else ()),
        *values,
    ]
    return sorted(found, key=lambda one: not one.certain)


def is_breaking(
    found: Sequence[BreakingChange], code: Maybe[TouchedCode], changes: Sequence[ChangedFile], unread_commits: str
) -> Maybe[bool]:
    """Return whether the pull request breaks callers: True only if certain, False only if everything was compared.

    Args:
        found: The breaking changes.
        code: The changed definitions.
        changes: The files.
        unread_commits: Why the list of commits is incomplete; empty if it is complete.
    """
    if any(one.certain for one in found):
        return True
    if found:
        what = f"{format_count(len(found), 'public definition')} changed, moved or removed: callers may break"
        return Unknown(what, "See breaking_changes.")
    if isinstance(code, Unknown):
        return Unknown(f"no commit message says so, and definitions were not compared: {code.reason}", code.remedy)
    if code.unread:
        return Unknown(
            f"no commit message says so, and {format_count(len(code.unread), 'file')} not compared",
            "Check their diffs.",
        )
    if reason := _explain_uncompared(code, changes):
        return Unknown(f"no commit message says so, and {reason}", "Check their diffs.")
    return Unknown(f"not all commits were read: {unread_commits}") if unread_commits else False


def _explain_uncompared(code: TouchedCode, changes: Sequence[ChangedFile]) -> str:
    """Return which public definitions are not compared; empty if all are."""
    if members := sum(count for path, count in code.members.items() if classify_file(path) == "source"):
        what = f"{format_count(members, 'line')} of public types removed outside of functions"
        return f"{what}; callers may use them"
    foreign = sum(map(is_uncovered_language, changes))
    return f"the public definitions of {format_count(foreign, 'file')} are not recognized" if foreign else ""


def _find_in_messages(messages: Sequence[str]) -> Iterator[BreakingChange]:
    """Yield what authors say, each once: the title often repeats a commit."""
    footers = [(message, FOOTER.search(message)) for message in messages]
    statements = [
        footer[0] if footer else message.partition("\n")[0]
        for message, footer in footers
        if footer or MARK.match(message)
    ]
    for evidence in dict.fromkeys(map(excerpt, statements)):
        yield BreakingChange(said_by="commit", evidence=evidence, certain=True)


def _find_in_definitions(code: TouchedCode) -> Iterator[BreakingChange]:
    added = {one.symbol.name for one in code.touched if one.what == "added"}
    for one in code.touched:
        if one.breaks and classify_file(one.path) == "source":
            moved = one.symbol.name in added
            statements = f"{_describe_break(one)}{', and the name is defined elsewhere' if moved else ''}"
            certain = one.what == "removed" and not moved and one.symbol.certain
            yield BreakingChange(said_by="definition", evidence=statements, path=one.path, certain=certain)


def _describe_break(touched: TouchedDefinition) -> str:
    """Return what happened to a public definition."""
    if touched.what == "removed" and touched.before:
        shown = excerpt(mask_secrets(touched.before), LONGEST)
        return f"one definition of {touched.symbol.name} was removed: `{shown}`"
    if touched.what == "removed":
        return f"{touched.symbol.keyword} {touched.symbol.name} was removed"
    was, now = _cut_to_difference(mask_secrets(touched.before), mask_secrets(touched.symbol.signature))
    return f"{touched.symbol.name} was `{was}`, is `{now}`"


def _cut_to_difference(*signatures: str) -> list[str]:
    """Shorten signatures, so that the place where they differ is shown."""
    same = next((at for at, pair in enumerate(zip(*signatures, strict=False)) if len(set(pair)) > 1), 0)
    begin = max(same - BEFORE, 0) if max(map(len, signatures)) > LONGEST else 0
    return [excerpt(("…" if begin else "") + text[begin:], LONGEST) for text in signatures]


def _find_lost_values(change: ChangedFile) -> Iterator[BreakingChange]:
    """Yield the removed public values of a file, all in one. Whether others use them is unknown."""
    if names := list_lost_values(change):
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        evidence = f"{format_count(len(names), 'public value')} removed or renamed: {', '.join(names[:NAMED])}{more}"
        yield BreakingChange(said_by="definition", evidence=evidence, path=change.path, certain=False)
