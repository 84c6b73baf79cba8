"""Values for the arguments of prompts; each is one that the tools take."""

from collections import Counter
from collections.abc import Mapping, Sequence

from stithy_archdocs.records import Document, Kind, Shelf
from stithy_archdocs.rules.languages import ENDINGS

MOST = 100
KINDS = {
    "pattern_name": Kind.PATTERN,
    "pattern": Kind.PATTERN,
    "guideline_name": Kind.GUIDELINE,
    "guideline": Kind.GUIDELINE,
    "adr_id": Kind.ADR,
    "adr": Kind.ADR,
}


def values_of(shelf: Shelf, argument: str, typed: str) -> Sequence[str]:
    """Give at most 100 values: names that begin with what was typed, then documents that have such another name."""
    asked = typed.strip().lower()
    if argument == "language":
        return [name for name in ENDINGS if name.startswith(asked)]
    kind = KINDS.get(argument)
    if kind is None:
        return ()
    counts = Counter(name for document in shelf.of(kind) for name in document.names)
    named = [(name_of(document, counts), document) for document in shelf.of(kind)]
    first = [name for name, _ in named if name.lower().startswith(asked)][:MOST]
    taken = set(first)
    rest = [
        name
        for name, document in named
        if name not in taken and any(other.startswith(asked) for other in document.names)
    ]
    return (first + rest)[:MOST]


def name_of(document: Document, counts: Mapping[str, int]) -> str:
    """Give the shortest name that means a document alone: its path without its ending, with it, or its URI.

    Args:
        document: The document.
        counts: How many documents of its kind have each name.
    """
    return next((name for name in (*document.names[1:2], document.names[0]) if counts[name] == 1), document.uri)
