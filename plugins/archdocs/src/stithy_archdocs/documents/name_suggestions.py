"""Suggest names of documents for what a caller typed."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath
from urllib.parse import unquote

from stithy_archdocs.document_models import Document, DocumentKind, DocumentProblem, DocumentSnapshot
from stithy_archdocs.documents.document_names import SCHEME

MOST = 100
SHOWN = 5
_COMPARED = 500
"""Maximum number of names that are compared letter by letter."""
_WORD = re.compile(r"[^\W_]{2,}")


def complete_names(snapshot: DocumentSnapshot, kind: DocumentKind, value: str) -> Sequence[str]:
    """Return names that start with the input, then names of documents that contain it."""
    typed = value.strip().lower()
    begin, inside = [], []
    for document in snapshot.list_kind(kind):
        name = get_uri_name(document)
        fitting = name.lower().startswith(typed) or any(one.startswith(typed) for one in document.names)
        if fitting:
            begin.append(name)
        elif typed in document.path.lower() or typed in document.title.lower():
            inside.append(name)
    return [*begin, *inside][:MOST]


def suggest_names(snapshot: DocumentSnapshot, kind: DocumentKind, name: str) -> Sequence[str]:
    """Return similar names: those that contain the input, share words with it, or are spelled alike."""
    asked = name[:200].lower()
    if asked.strip() and (found := complete_names(snapshot, kind, asked)):
        return found[:SHOWN]
    words = set(_WORD.findall(asked))
    named = [(len(words & set(_WORD.findall(own.lower()))), own) for own in map(get_uri_name, snapshot.list_kind(kind))]
    shared = sorted((row for row in named if row[0]), key=lambda row: (-row[0], row[1]))
    return [own for _, own in shared[:SHOWN]] or get_close_matches(asked, [own for _, own in named[:_COMPARED]], SHOWN)


def find_left_out(snapshot: DocumentSnapshot, name: str) -> DocumentProblem | None:
    """Return why a file of that name was not read, for example because it is too large."""
    asked = _strip_suffix(name.strip().rpartition("://")[2]).lower()
    return next((one for one in snapshot.left_out if f"/{_strip_suffix(one.path)}".lower().endswith(f"/{asked}")), None)


def _strip_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix("")) if name.strip("./") else name


def get_uri_name(document: Document) -> str:
    """Return the part of a document's URI behind its kind."""
    return unquote(document.uri.removeprefix(f"{SCHEME}{document.kind.value}/"))


def format_unread(snapshot: DocumentSnapshot) -> str:
    """Return a note that documents are still being read; empty if all are read."""
    return f" {snapshot.unread} documents are still being read; try again in a few seconds." if snapshot.unread else ""
