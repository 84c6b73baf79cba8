"""Names of values that others may use, and that a diff takes away: definitions of functions and types know none."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from stithy_pulls.diffs.records import ChangedFile, LineKind

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
