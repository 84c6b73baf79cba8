"""What is known of documents: frozen records, made once per version of a file, without any reading of files.

Everything that was found in a text says where: a path relative to the project and lines that count from 1.
"""

import datetime as dt
from collections.abc import Sequence
from enum import Enum

from attrs import frozen


class Kind(Enum):
    """The three kinds of documents, as URIs and `resource_type` name them."""

    GUIDELINE = "guidelines"
    PATTERN = "patterns"
    ADR = "adr"


class State(Enum):
    """What a status comes down to."""

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
    def live(self) -> bool:
        """Whether the decision holds now."""
        return self in (State.ACCEPTED, State.IMPLEMENTED)


class Outcome(Enum):
    """What became of an option."""

    CHOSEN = "chosen"
    REJECTED = "rejected"
    UNSTATED = "unstated"


@frozen(kw_only=True)
class Section:
    """A part of a document under one heading, without the parts below it.

    Args:
        headings: The titles of the headings above it and its own; empty for what stands before the first.
        text: What it says, without its heading.
        first: Its first line, which is its heading's.
        last: Its last line.
    """

    headings: tuple[str, ...]
    text: str
    first: int
    last: int


@frozen(kw_only=True)
class Status:
    """How a decision stands.

    Args:
        raw: As it is written; empty where nothing says it.
        state: What it comes down to.
        form: Where it was found: heading, bullet, bold, table, front_matter, rst, link, default, none.
        confidence: From 0 to 1.
        line: Where; None where nothing says it.
    """

    raw: str = ""
    state: State = State.UNKNOWN
    form: str = "none"
    confidence: float = 0.0
    line: int | None = None


@frozen(kw_only=True)
class Link:
    """One record's word about another.

    Args:
        relation: supersedes, superseded_by, amends, amended_by or related.
        raw: As it is written.
        target: The path of the record that is meant; None where it is not there.
        candidates: The paths that it may mean, where that is more than one.
        partial: Whether it holds for a part only.
        line: Where it is written.
    """

    relation: str
    raw: str
    target: str | None = None
    candidates: tuple[str, ...] = ()
    partial: bool = False
    line: int


@frozen(kw_only=True)
class Option:
    """What was chosen, or could have been."""

    text: str
    outcome: Outcome
    line: int


@frozen(kw_only=True)
class Problem:
    """What is wrong with a document, for whom keeps it.

    Args:
        rule: A short name that never changes: duplicate-number, broken-link, yaml, …
        message: What is wrong, and what to do.
        path: In which document.
        line: Where.
        severity: error or warning.
    """

    rule: str
    message: str
    path: str
    line: int | None = None
    severity: str = "warning"


@frozen(kw_only=True)
class Decision:
    """What only an architecture decision record has.

    Args:
        numbers: Under which it may be asked for, as text without leading zeros; none is an identity.
        status: How it stands.
        date: When it was decided; not the date in a status.
        deciders: Who decided.
        review: When to look at it again.
        links: To other records.
        options: What was chosen and what was not.
    """

    numbers: tuple[str, ...] = ()
    status: Status = Status()
    date: dt.date | None = None
    deciders: tuple[str, ...] = ()
    review: dt.date | None = None
    links: tuple[Link, ...] = ()
    options: tuple[Option, ...] = ()

    def links_of(self, relation: str) -> tuple[Link, ...]:
        """Give the links of one relation."""
        return tuple(link for link in self.links if link.relation == relation)


@frozen(kw_only=True)
class Document:
    """One document, as it was when it was read.

    Args:
        path: Its identity: relative to the project, with slashes.
        uri: Where it is read: `architecture://adr/…`; made of the path under its root.
        kind: What it is.
        title: Its first heading, without number and without the word ADR; the file's name where it has none.
        names: All by which it may be asked for, in lower case: the path under the root with and without its ending, the
            slug, the numbers, the id of its front matter.
        text: The whole text.
        sections: Its parts, in order.
        tags: What its front matter says it is about.
        matter: The front matter, as plain JSON values.
        decision: What it is as a decision record; None for guidelines and patterns.
        problems: What is wrong with it alone; what is wrong between documents is found by the checks.
    """

    path: str
    uri: str
    kind: Kind
    title: str
    names: tuple[str, ...]
    text: str
    sections: tuple[Section, ...]
    tags: tuple[str, ...] = ()
    matter: dict[str, object]
    decision: Decision | None = None
    problems: tuple[Problem, ...] = ()


@frozen(kw_only=True)
class Shelf:
    """All documents at one moment.

    Args:
        version: Grows with every change, from 1; whoever keeps something made from a shelf compares it.
        documents: By path.
        changed: The paths that are new, other or gone since the version before.
        left_out: What was found and not read (too large, too many, a link out of the root), by path.
        unread: How many documents are new or changed, and were not read yet for want of time; they will be.
    """

    version: int
    documents: dict[str, Document]
    changed: frozenset[str] = frozenset()
    left_out: tuple[Problem, ...] = ()
    unread: int = 0

    def of(self, kind: Kind) -> Sequence[Document]:
        """Give the documents of a kind, by path."""
        return [document for _, document in sorted(self.documents.items()) if document.kind is kind]

    def named(self, kind: Kind, name: str) -> Sequence[Document]:
        """Give the documents that a name may mean: one by its path, else all that have it among their names."""
        asked = name.strip().strip("/").lower()
        found = [document for document in self.of(kind) if asked in document.names]
        exact = [document for document in found if document.names[0] == asked]
        return exact or found
