"""Names of documents that fit what somebody typed, or that come near it."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from urllib.parse import unquote

from stithy_archdocs.documents.naming import SCHEME
from stithy_archdocs.records import Document, Kind, Shelf

MOST = 100
SHOWN = 5
_COMPARED = 500
"""Names that are compared letter by letter."""
_WORD = re.compile(r"[^\W_]{2,}")


def completions(shelf: Shelf, kind: Kind, value: str) -> Sequence[str]:
    """Give names that begin with what was typed, then those of documents that have it anywhere."""
    typed = value.strip().lower()
    begin, inside = [], []
    for document in shelf.of(kind):
        name = own_name(document)
        fitting = name.lower().startswith(typed) or any(one.startswith(typed) for one in document.names)
        if fitting:
            begin.append(name)
        elif typed in document.path.lower() or typed in document.title.lower():
            inside.append(name)
    return [*begin, *inside][:MOST]


def near(shelf: Shelf, kind: Kind, name: str) -> Sequence[str]:
    """Give names that somebody may have meant: those that have the name, its words, or nearly its letters."""
    asked = name[:200].lower()
    if asked.strip() and (found := completions(shelf, kind, asked)):
        return found[:SHOWN]
    words = set(_WORD.findall(asked))
    named = [(len(words & set(_WORD.findall(own.lower()))), own) for own in map(own_name, shelf.of(kind))]
    shared = sorted((row for row in named if row[0]), key=lambda row: (-row[0], row[1]))
    return [own for _, own in shared[:SHOWN]] or get_close_matches(asked, [own for _, own in named[:_COMPARED]], SHOWN)


def own_name(document: Document) -> str:
    """Give what stands in a document's URI."""
    return unquote(document.uri.removeprefix(f"{SCHEME}{document.kind.value}/"))


def unread(shelf: Shelf) -> str:
    """Say that not all is known yet; nothing where it is."""
    return f" {shelf.unread} documents are still being read: ask again in some seconds." if shelf.unread else ""
