"""Immutable models of documents, built once for each version of a file; nothing here reads files.

Everything that was parsed from a text has its position: a path relative to the project, and lines that count from 1.
"""

import datetime as dt
import sys
import zlib
from array import array
from collections.abc import Sequence
from enum import Enum

from attrs import frozen

_MOST_SHORT = (1 << 16) - 1
"""Largest number of 16 bits: nearly all documents have fewer lines."""


class DocumentKind(Enum):
    """The kinds of documents, with the names used in URIs and in `resource_type`."""

    GUIDELINE = "guidelines"
    PATTERN = "patterns"
    ADR = "adr"


class DecisionState(Enum):
    """The normalized status of a decision record."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    DRAFT = "draft"
    ON_HOLD = "on_hold"
    IMPLEMENTED = "implemented"
    UNKNOWN = "unknown"

    @property
    def is_live(self) -> bool:
        """Whether the decision holds now."""
        return self in (DecisionState.ACCEPTED, DecisionState.IMPLEMENTED)


class OptionOutcome(Enum):
    """Whether an option was chosen."""

    CHOSEN = "chosen"
    REJECTED = "rejected"
    UNSTATED = "unstated"


@frozen(kw_only=True)
class Section:
    """The text below one heading, without the sections below it.

    Args:
        headings: Titles of its heading and of all headings above it, outermost first; empty for text before the first
            heading.
        text: The text without the heading.
        first: First line: that of its heading.
        last: Last line that is not blank.
    """

    headings: tuple[str, ...]
    text: str
    first: int
    last: int


@frozen
class DocumentText:
    """The text of a document, compressed, with its sections: of a large project, most texts are rarely read.

    Args:
        packed: The compressed text.
        titles: The title of each section's own heading; empty for text before the first heading.
        numbers: Four numbers for each section: how many headings it has, its first line, the first line of its text,
            and its last line.
    """

    packed: bytes
    titles: tuple[str, ...]
    numbers: "array[int]"

    @classmethod
    def pack(cls, text: str, sections: Sequence[Section]) -> "DocumentText":
        """Compress a text; the text of each section must be whole lines of it."""
        numbers: list[int] = []
        for section in sections:
            many = section.text.count("\n") + 1 if section.text else 0
            numbers += (len(section.headings), section.first, section.last + 1 - many, section.last)
        # Records of one template have the same headings.
        titles = tuple(sys.intern(section.headings[-1]) if section.headings else "" for section in sections)
        packed = zlib.compress(text.encode(errors="surrogatepass"))
        return cls(packed, titles, array("H" if max(numbers, default=0) <= _MOST_SHORT else "I", numbers))

    @property
    def heading_line(self) -> int:
        """The line of the first heading; 1 if there is none."""
        return next((first for many, first in zip(self.numbers[::4], self.numbers[1::4], strict=True) if many), 1)

    def unpack(self) -> str:
        """Return the text."""
        return zlib.decompress(self.packed).decode(errors="surrogatepass")

    def unpack_sections(self) -> tuple[Section, ...]:
        """Return the sections with their texts."""
        lines = self.unpack().split("\n")
        numbers = iter(self.numbers)
        headings: tuple[str, ...] = ()
        made = []
        for title, many, first, start, last in zip(self.titles, numbers, numbers, numbers, numbers, strict=True):
            headings = (*headings[: many - 1], title) if many else ()
            made.append(Section(headings=headings, text="\n".join(lines[start - 1 : last]), first=first, last=last))
        return tuple(made)


@frozen(kw_only=True)
class DecisionStatus:
    """The status of a decision record.

    Args:
        raw: The text as written; empty if the record has no status.
        state: The normalized status.
        form: How it is written: heading, bullet, bold, table, front_matter, rst, name, link, default or none.
        confidence: From 0 to 1.
        line: Line number; None if the record has no status.
    """

    raw: str = ""
    state: DecisionState = DecisionState.UNKNOWN
    form: str = "none"
    confidence: float = 0.0
    line: int | None = None


@frozen(kw_only=True)
class RecordLink:
    """A relation to another record, as one record states it.

    Args:
        relation: supersedes, superseded_by, amends, amended_by or related.
        raw: The text as written.
        target: Path of the other record; None if no record or several match.
        candidates: Paths of the records that match, if there are several.
        partial: Whether only a part is superseded or amended.
        line: Line number.
    """

    relation: str
    raw: str
    target: str | None = None
    candidates: tuple[str, ...] = ()
    partial: bool = False
    line: int


@frozen(kw_only=True)
class DecisionOption:
    """An option of a decision record, chosen or not."""

    text: str
    outcome: OptionOutcome
    line: int


@frozen(kw_only=True)
class DocumentProblem:
    """A problem in a document, for its maintainers.

    Args:
        rule: A short stable identifier: duplicate-number, broken-link, yaml, …
        message: What is wrong, and how to fix it.
        path: Path of the document.
        line: Line number.
        severity: error or warning.
    """

    rule: str
    message: str
    path: str
    line: int | None = None
    severity: str = "warning"


@frozen(kw_only=True)
class Decision:
    """What only decision records have.

    Args:
        numbers: Numbers by which it can be requested, as text without leading zeros. They need not be unique.
        status: The status.
        date: Date of the decision; a date in the status is not used.
        deciders: Names of the deciders.
        review: Date of the next review.
        links: Relations to other records.
        options: Its options with their outcomes.
    """

    numbers: tuple[str, ...] = ()
    status: DecisionStatus = DecisionStatus()
    date: dt.date | None = None
    deciders: tuple[str, ...] = ()
    review: dt.date | None = None
    links: tuple[RecordLink, ...] = ()
    options: tuple[DecisionOption, ...] = ()

    def get_links(self, relation: str) -> tuple[RecordLink, ...]:
        """Return the links of one relation."""
        return tuple(link for link in self.links if link.relation == relation)


@frozen(kw_only=True)
class Document:
    """One version of a document.

    Args:
        path: Its identity: the path relative to the project, with slashes.
        uri: URI of the resource, `architecture://adr/…`, built from the path below its location.
        kind: The kind of document.
        title: Its first heading without number and without the word ADR; the file name if it has no heading.
        names: All names by which it can be requested, in lower case: the path below its location with and without
            suffix, the slug, the numbers, the id in its front matter.
        content: Its text and its sections.
        tags: The tags in its front matter.
        matter: The front matter, as plain JSON values.
        decision: The parsed decision; None for guidelines and patterns.
        problems: Problems of this document alone; `checking` finds those between documents.
    """

    path: str
    uri: str
    kind: DocumentKind
    title: str
    names: tuple[str, ...]
    content: DocumentText
    tags: tuple[str, ...] = ()
    matter: dict[str, object]
    decision: Decision | None = None
    problems: tuple[DocumentProblem, ...] = ()

    @property
    def text(self) -> str:
        """The whole text; unpacked at each access."""
        return self.content.unpack()

    @property
    def sections(self) -> tuple[Section, ...]:
        """Its sections, in order; unpacked at each access."""
        return self.content.unpack_sections()


@frozen(kw_only=True)
class DocumentSnapshot:
    """All documents at one moment.

    Args:
        version: Grows by 1 with every change, from 1; 0 before the first read. Caches compare it.
        documents: The documents, by path and sorted by it.
        changed: Paths that were added, changed or deleted since the previous version.
        left_out: Files that were found but not read (too large, too many, a link out of the project).
        unread: How many new or changed documents were not read yet because time ran out; they follow.
    """

    version: int
    documents: dict[str, Document]
    changed: frozenset[str] = frozenset()
    left_out: tuple[DocumentProblem, ...] = ()
    unread: int = 0

    def list_kind(self, kind: DocumentKind) -> Sequence[Document]:
        """Return the documents of a kind, sorted by path."""
        return [document for document in self.documents.values() if document.kind is kind]

    def find_named(self, kind: DocumentKind, name: str) -> Sequence[Document]:
        """Return the documents that a name matches: the one with that path, else all that have the name."""
        asked = name.strip().strip("/").lower()
        found = [document for document in self.list_kind(kind) if asked in document.names]
        exact = [document for document in found if document.names[0] == asked]
        return exact or found
