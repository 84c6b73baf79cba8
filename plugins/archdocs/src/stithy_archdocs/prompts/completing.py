"""Values for the arguments of prompts; each is one that the tools take."""

from collections.abc import Sequence

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
    named = [(name_of(shelf, document), document) for document in shelf.of(kind)]
    first = [name for name, _ in named if name.lower().startswith(asked)]
    rest = [
        name
        for name, document in named
        if name not in first and any(other.startswith(asked) for other in document.names)
    ]
    return (first + rest)[:MOST]


def name_of(shelf: Shelf, document: Document) -> str:
    """Give the shortest name that means a document alone: its path without its ending, with it, or its URI."""
    for name in (*document.names[1:2], document.names[0]):
        if list(shelf.named(document.kind, name)) == [document]:
            return name
    return document.uri
