"""From a name to the document that is meant."""

from collections.abc import Sequence
from difflib import get_close_matches

from stithy_archdocs.documents.naming import asked_of
from stithy_archdocs.records import Document, Kind, Shelf
from stithy_core.spi import InvalidArguments

SHOWN = 10


def pattern_of(shelf: Shelf, name: str) -> Document:
    """Find a pattern by its name or URI; guidelines and decision records may carry rules as well.

    Raises:
        InvalidArguments: There is none, or several may be meant; the message names them.
    """
    for found in _found(shelf, name):
        if len(found) == 1:
            return found[0]
        if found:
            uris = ", ".join(document.uri for document in found[:SHOWN])
            raise InvalidArguments(
                f"{name[:100]!r} may mean several documents: {uris}", suggestion="Give one of the URIs."
            )
    names = [document.names[1] if len(document.names) > 1 else document.names[0] for document in shelf.of(Kind.PATTERN)]
    near = get_close_matches(name[:100].lower(), names, n=3) or names[:SHOWN]
    suggestion = f"Did you mean {', '.join(near)}?" if near else "No patterns are there: see [archdocs] patterns."
    raise InvalidArguments(f"no pattern is called {name[:100]!r}", suggestion=suggestion)


def _found(shelf: Shelf, name: str) -> Sequence[Sequence[Document]]:
    if "://" in name:
        asked = asked_of(name.strip())
        exact = [document for document in shelf.documents.values() if document.uri == name.strip()]
        return [exact, shelf.named(*asked) if asked else ()]
    return [shelf.named(kind, name) for kind in (Kind.PATTERN, Kind.GUIDELINE, Kind.ADR)]
