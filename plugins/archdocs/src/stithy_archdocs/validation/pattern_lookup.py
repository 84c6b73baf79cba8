"""Find the document that a pattern name means."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_names import parse_uri
from stithy_archdocs.documents.name_suggestions import find_left_out, format_unread, get_uri_name, suggest_names
from stithy_core.spi import InvalidArguments

SHOWN = 10


def find_pattern(snapshot: DocumentSnapshot, name: str) -> Document:
    """Return a pattern by name, path or URI; guidelines and decision records may have rules as well.

    Raises:
        InvalidArguments: No document matches, or several do; the message names them.
    """
    for found in _find_candidates(snapshot, name):
        if len(found) == 1:
            return found[0]
        if found:
            uris = ", ".join(document.uri for document in found[:SHOWN])
            raise InvalidArguments(
                f"ambiguous pattern name {name[:100]!r}; matches {uris}", suggestion="Pass one of the URIs."
            )
    if left := find_left_out(snapshot, name):
        raise InvalidArguments(f"{left.path} was not read: {left.message}", suggestion="Correct that, then try again.")
    nearest = [_strip_suffix(one) for one in suggest_names(snapshot, DocumentKind.PATTERN, name)]
    others = [_strip_suffix(get_uri_name(document)) for document in snapshot.list_kind(DocumentKind.PATTERN)]
    told = f"Did you mean {', '.join(nearest)}?" if nearest else f"Available: {', '.join(others[:SHOWN])}."
    suggestion = (
        told if others else "The project has no patterns. Set [archdocs] patterns in stithy.toml to their location."
    )
    raise InvalidArguments(f"unknown pattern {name[:100]!r}", suggestion=suggestion + format_unread(snapshot))


def _find_candidates(snapshot: DocumentSnapshot, name: str) -> Sequence[Sequence[Document]]:
    if "://" in name:
        asked = parse_uri(name.strip())
        exact = [document for document in snapshot.documents.values() if document.uri == name.strip()]
        return [exact, snapshot.find_named(*asked) if asked else ()]
    of_path = snapshot.documents.get(name.strip().removeprefix("./"))
    if of_path:
        return [[of_path]]
    return [
        snapshot.find_named(kind, name) for kind in (DocumentKind.PATTERN, DocumentKind.GUIDELINE, DocumentKind.ADR)
    ]


def _strip_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))
