"""From a name to the document that is meant."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from stithy_archdocs.documents.naming import asked_of
from stithy_archdocs.documents.nearby import near, own_name, unread
from stithy_archdocs.records import Document, Kind, Problem, Shelf
from stithy_core.spi import InvalidArguments

SHOWN = 10


def pattern_of(shelf: Shelf, name: str) -> Document:
    """Return a pattern by its name, path or URI; guidelines and decision records may carry rules as well.

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
    if left := _left_out(shelf, name):
        raise InvalidArguments(
            f"{left.path} is not read: {left.message}", suggestion="Make it readable, and ask again."
        )
    nearest = [_bare(one) for one in near(shelf, Kind.PATTERN, name)]
    others = [_bare(own_name(document)) for document in shelf.of(Kind.PATTERN)]
    told = f"Did you mean {', '.join(nearest)}?" if nearest else f"There are {', '.join(others[:SHOWN])}."
    suggestion = told if others else "No patterns are there: [archdocs] patterns in stithy.toml says where they are."
    raise InvalidArguments(f"no pattern is called {name[:100]!r}", suggestion=suggestion + unread(shelf))


def _found(shelf: Shelf, name: str) -> Sequence[Sequence[Document]]:
    if "://" in name:
        asked = asked_of(name.strip())
        exact = [document for document in shelf.documents.values() if document.uri == name.strip()]
        return [exact, shelf.named(*asked) if asked else ()]
    of_path = shelf.documents.get(name.strip().removeprefix("./"))
    if of_path:
        return [[of_path]]
    return [shelf.named(kind, name) for kind in (Kind.PATTERN, Kind.GUIDELINE, Kind.ADR)]


def _left_out(shelf: Shelf, name: str) -> Problem | None:
    """Return why a file of that name is no document, such as that it is too large."""
    asked = _bare(name.strip().rpartition("://")[2]).lower()
    return next((one for one in shelf.left_out if f"/{_bare(one.path)}".lower().endswith(f"/{asked}")), None)


def _bare(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))
