"""Which sections answer a query, the best first: of each document the best one.

BM25 weighs rare words more, and a word in a title more than one in a text. Words are reduced to their stems, so that
"deploying" finds "deployment"; since *authorization* becomes *author* so, what has the very words is weighed more.
"""

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from attrs import evolve, frozen

from stithy_archdocs.records import Document, Kind, Section, Shelf
from stithy_archdocs.search.store import BITS, MOST_SECTIONS, update
from stithy_archdocs.search.words import Query

CANDIDATES = 100
"""Sections that are looked at closely."""
SECONDS = 3.0
"""How long a query may wait for documents to be put into the index; what is missing then comes with the next."""
BEGINNING = 200
"""Characters of an excerpt where only the title was found."""
EXACT = 8.0
"""How much more counts what has all the very words of the query."""
NAMED = 100.0
"""What a document gets that is called as the query says."""

CHOOSE = (  # of constants, as the next two
    f"SELECT rowid, rank FROM sections WHERE sections MATCH ? {{filters}} ORDER BY rank LIMIT {CANDIDATES}"  # noqa: S608
)
COUNT = f"SELECT count(DISTINCT rowid >> {BITS}) FROM sections WHERE sections MATCH ? {{filters}}"  # noqa: S608 -- as above
AMONG = f" AND rowid >> {BITS} IN (SELECT id FROM documents WHERE "  # noqa: S608 -- as above
EXCERPT = "SELECT snippet(sections, 2, char(2), char(3), '…', 32) FROM sections WHERE sections MATCH ? AND rowid = ?"


@frozen(kw_only=True)
class Filters:
    """What of the documents is looked at.

    Args:
        kinds: Of which kinds; all when there is none.
        statuses: Of records, how they must stand.
        tag: What they must be tagged with.
        since: The earliest date of a decision, as ISO 8601 writes it.
        until: The latest.
    """

    kinds: tuple[Kind, ...] = ()
    statuses: tuple[str, ...] = ()
    tag: str = ""
    since: str = ""
    until: str = ""

    def clauses(self) -> tuple[str, list[str]]:
        """Give them as SQL, and the values in it."""
        found: list[tuple[str, Sequence[str]]] = [
            (f"kind IN ({_marks(self.kinds)})", [kind.value for kind in self.kinds]),
            (f"status IN ({_marks(self.statuses)})", self.statuses),
            (
                "id IN (SELECT document FROM tags WHERE tag = ?)",
                [self.tag.lower()] if self.tag else [],
            ),
            ("date >= ?", [self.since] if self.since else []),
            ("date <= ? AND date != ''", [self.until] if self.until else []),
        ]
        wanted = [(clause, values) for clause, values in found if values]
        clauses = " AND ".join(clause for clause, _ in wanted)
        return f"{AMONG}{clauses})" if wanted else "", [value for _, values in wanted for value in values]


@frozen(kw_only=True)
class Hit:
    """A section that answers.

    Args:
        document: Of which document.
        section: Which part of it.
        score: How well it answers: positive, and more is better. Comparable within one query only.
        exact: Which share of the query's words it has to the letter, from 0 to 1.
        row: Where the index has it.
        excerpt: What it says of it, each word that was found between the characters 2 and 3; for the best hits only.
    """

    document: Document
    section: Section
    score: float
    exact: float
    row: int
    excerpt: str = ""


@frozen
class Ranking:
    """What was found.

    Args:
        hits: The best documents.
        total: How many match in all.
        missing: How many are not in the index yet.
    """

    hits: Sequence[Hit]
    total: int
    missing: int = 0


class Ranker:
    """Answers queries from one index. It may be asked by several threads.

    Args:
        store: The index.
    """

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._lock = Lock()
        self._version: int | None = None
        self._whole = False
        self._missing: frozenset[str] = frozenset()

    def rank(self, shelf: Shelf, query: Query, filters: Filters, most: int) -> Ranking:
        """Find what answers, the best first; what ties is in the order of paths.

        Args:
            shelf: What there is.
            query: What is looked for.
            filters: What of it counts.
            most: How many documents at most.
        """
        if not query.words:
            return Ranking((), 0)
        clauses, values = filters.clauses()
        given = [query.expression, *values]
        ends = time.monotonic() + SECONDS
        with self._lock:
            self._refresh(shelf, ends)
            total = self._store.execute(COUNT.format(filters=clauses), given).fetchone()[0]
            found = self._store.execute(CHOOSE.format(filters=clauses), given).fetchall()
            hits = _hits(shelf, query, found, self._paths(row >> BITS for row, _ in found))[:most]
            return Ranking([evolve(hit, excerpt=self._excerpt(query, hit)) for hit in hits], total, len(self._missing))

    def build(self, shelf: Shelf, seconds: float) -> int:
        """Go on putting documents into the index for some seconds, and return how many are missing then."""
        with self._lock:
            self._refresh(shelf, time.monotonic() + seconds)
            return len(self._missing)

    def close(self) -> None:
        """Close the index."""
        self._store.close()

    def _refresh(self, shelf: Shelf, ends: float) -> None:
        if self._version is not None and shelf.version < self._version:
            return  # somebody who asked later was faster
        among: frozenset[str] | None = self._missing
        if self._version != shelf.version:
            follows = self._version is not None and self._version + 1 == shelf.version
            among = self._missing | shelf.changed if follows else None
        if not self._whole and not shelf.unread:
            among = None  # what an earlier run indexed and is not there any more is known only now
        if among is None or among:
            self._missing = update(self._store, shelf, among, ends)
        self._whole = not shelf.unread
        self._version = shelf.version

    def _paths(self, numbers: Iterable[int]) -> dict[int, str]:
        wanted = list(set(numbers))
        rows = self._store.execute(f"SELECT id, path FROM documents WHERE id IN ({_marks(wanted)})", wanted)  # noqa: S608
        return dict(rows.fetchall())

    def _excerpt(self, query: Query, hit: Hit) -> str:
        if not hit.row & MOST_SECTIONS:  # only what the document is called was found
            return hit.section.text[:BEGINNING]
        row = self._store.execute(EXCERPT, (query.expression, hit.row)).fetchone()
        return row[0] if row else ""


def _hits(shelf: Shelf, query: Query, found: Sequence[tuple[int, float]], paths: Mapping[int, str]) -> list[Hit]:
    """Put together what a document is called and the best of its sections."""
    hits: dict[int, Hit] = {}
    called = {row >> BITS: -rank for row, rank in found if not row & MOST_SECTIONS}
    for row, rank in found:
        number, place = row >> BITS, row & MOST_SECTIONS
        document = shelf.documents.get(paths.get(number, ""))
        if document is None or max(place, 1) > len(document.sections):  # another process saw another version
            continue
        known = hits.get(number)
        hit = _hit(query, document, row, called.get(number, 0) - (rank if place else 0))
        if known is None or hit.score > known.score:
            hits[number] = hit
    return sorted(hits.values(), key=lambda hit: (-hit.score, hit.document.path))


def _hit(query: Query, document: Document, row: int, rank: float) -> Hit:
    section = document.sections[max(row & MOST_SECTIONS, 1) - 1]
    said = " ".join((document.title, *document.names, *document.tags, *section.headings, section.text)).lower()
    exact = sum(_has(said, word) for word in query.words) / len(query.words)
    score = rank * (1 + EXACT * exact) + (NAMED if query.whole in document.names else 0)
    return Hit(document=document, section=section, score=score, exact=exact, row=row)


def _has(text: str, word: str) -> bool:
    """Say whether a text has a word as a word; much faster than a regular expression."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not _joins(text[start - 1 : start]) and not _joins(text[end : end + 1]):
            return True
        start = text.find(word, end)
    return False


def _joins(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "_+#")


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
