"""Change the status of a record, and add relations to others, where and how the record states them."""

import re
import unicodedata

from stithy_archdocs.adr.status_words import STATUS_TITLE
from stithy_archdocs.authoring.folder_style import FolderStyle
from stithy_archdocs.authoring.link_shapes import find_keyed_prefix, write_link
from stithy_archdocs.document_models import DecisionState, Document, DocumentSnapshot, Section
from stithy_core.spi import UserError

_FIRST_CLAUSE = re.compile(r"(?:\[[^\]\n]*\]\([^)\n]*\)|`[^`\n]*`|[^.;])*")
"""Matches a status up to the end of its sentence; file names in links have dots."""
_UNQUOTED = re.compile(r"\w[\w ;./-]*")
_VERBS = {"supersedes": "Supersedes", "superseded_by": "Superseded by"}


def make_edit_error(document: Document, reason: str) -> UserError:
    """Return the error for a record that states its status in a form that cannot be changed here."""
    return UserError(f"{document.path} cannot be changed: {reason}", suggestion="Edit the record by hand.")


def write_status(document: Document, value: str, *, keep_rest: bool = True) -> str:
    """Return the text of a record with another status.

    Args:
        document: The record.
        value: The status, as it is written in a sentence.
        keep_rest: Whether sentences behind the old one stay.

    Raises:
        UserError: The record has no status, or one that cannot be replaced in its line.
    """
    lines, index, raw = _find_status(document)
    first = _FIRST_CLAUSE.match(raw)
    tail = raw[first.end() :] if first and keep_rest else ""
    return _replace(document, lines, index, raw, _match_case(raw, value) + tail.rstrip("."))


def add_relation(
    style: FolderStyle, snapshot: DocumentSnapshot, document: Document, relation: str, other: Document
) -> str:
    """Return the text of a record that also states its relation to another one, in the form of the folder.

    Raises:
        UserError: As for `write_status`.
    """
    lines, index, raw = _find_status(document)
    link = write_link(style, snapshot, document, other)
    if prefix := find_keyed_prefix(style, relation):
        return _insert_keyed(document, lines, index, prefix, link)
    decision = document.decision
    replaces = relation == "superseded_by" and decision and decision.status.state is not DecisionState.SUPERSEDED
    if replaces:
        return write_status(document, f"{_VERBS[relation]} {link}")
    if section := _find_status_section(document, index + 1):
        last = max(section.last, index + 1)
        return "\n".join([*lines[:last], "", f"{_VERBS[relation]} {link}", *lines[last:]])
    return _replace(document, lines, index, raw, f"{raw.rstrip('.')}; {_VERBS[relation].lower()} {link}")


def _find_status(document: Document) -> tuple[list[str], int, str]:
    """Return the lines of a record, the index of the line with its status, and the status as written there."""
    status = document.decision.status if document.decision else None
    if status is None or status.line is None or status.form in ("none", "default", "link"):
        raise make_edit_error(document, "it has no status")
    lines = document.text.split("\n")
    raw = _remove_pictures(status.raw)
    if raw not in lines[status.line - 1]:
        raise make_edit_error(document, f"its status {raw[:60]!r} is not in one line")
    return lines, status.line - 1, raw


def _remove_pictures(text: str) -> str:
    """Remove the pictures that some put before a status: they would show the old one."""
    return re.sub("".join(("[", *{one for one in text if unicodedata.category(one) == "So"}, "\ufe0f]\\s*")), "", text)


def _find_status_section(document: Document, number: int) -> Section | None:
    """Return the section below a heading such as "Status" that a line is in; None for a line with a key."""
    for section in document.sections:
        if section.headings and STATUS_TITLE.match(section.headings[-1]) and section.first < number <= section.last:
            return section
    return None


def _replace(document: Document, lines: list[str], index: int, raw: str, value: str) -> str:
    before, _, after = lines[index].rpartition(raw)
    status = document.decision.status if document.decision else None
    quoted = before.rstrip().endswith(("'", '"'))
    if status and status.form == "front_matter" and not quoted and not _UNQUOTED.fullmatch(value):
        value = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "\n".join([*lines[:index], _remove_pictures(before) + value + after, *lines[index + 1 :]])


def _insert_keyed(document: Document, lines: list[str], index: int, prefix: str, link: str) -> str:
    """Return the text with a line for the relation: the one that is there and empty, else one below the status."""
    status = document.decision.status if document.decision else None
    if status and status.state is not DecisionState.SUPERSEDED and re.search(r"(?i)ed[-_ ]?by", prefix):
        lines = write_status(document, "Superseded").split("\n")
    line = prefix + link + ("|" if prefix.lstrip().startswith("|") else "")
    for place, one in enumerate(lines):
        if one.strip() and one.rstrip() in (prefix.rstrip(), f"{prefix.rstrip()} -"):
            return "\n".join([*lines[:place], line, *lines[place + 1 :]])
    return "\n".join([*lines[: index + 1], line, *lines[index + 1 :]])


def _match_case(raw: str, value: str) -> str:
    """Return a status in the case of another: ACCEPTED, Accepted or accepted."""
    word = re.search(r"[^\W\d_]+", raw)
    if word is None:
        return value
    first = re.match(r"\w+(?: by)?", value)
    shown = first[0] if first else ""
    if word[0].isupper() and len(word[0]) > 1:
        return shown.upper() + value[len(shown) :]
    return value[0].lower() + value[1:] if word[0][0].islower() else value


def states_relation(document: Document, relation: str, other: Document) -> bool:
    """Return whether a record states that it supersedes another, or is superseded by it, as a whole."""
    links = document.decision.get_links(relation) if document.decision else ()
    return any(link.target == other.path and not link.partial for link in links)
