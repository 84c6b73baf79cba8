"""Rank sections for a query, best first, with the best section of each document.

BM25 weights rare words more, and a word in a title more than one in a text. Words are stemmed, so that "deploying"
finds
"deployment"; since stemming also reduces *authorization* to *author*, sections with the exact words are weighted more.
"""

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock

from attrs import evolve, frozen

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot, Section
from stithy_archdocs.search.search_query import SearchQuery
from stithy_archdocs.search.section_index import BITS, MOST_SECTIONS, update_index

CANDIDATES = 100
"""Maximum number of sections that are scored."""
SECONDS = 3.0
"""Seconds that a query waits for indexing; documents missing then are found by later queries."""
BEGINNING = 200
"""Characters of an excerpt if only the title matches."""
EXACT = 8.0
"""Factor for sections with all exact words of the query."""
NAMED = 100.0
"""Bonus for a document whose name is the query."""

CHOOSE = (  # built from constants, as the next two
    f"SELECT rowid, rank FROM sections WHERE sections MATCH ? {{filters}} ORDER BY rank LIMIT {CANDIDATES}"  # noqa: S608
)
COUNT = f"SELECT count(DISTINCT rowid >> {BITS}) FROM sections WHERE sections MATCH ? {{filters}}"  # noqa: S608 -- as above
AMONG = f" AND rowid >> {BITS} IN (SELECT id FROM documents WHERE "  # noqa: S608 -- as above
EXCERPT = "SELECT snippet(sections, 2, char(2), char(3), '…', 32) FROM sections WHERE sections MATCH ? AND rowid = ?"


@frozen(kw_only=True)
class SearchFilters:
    """Which documents are searched.

    Args:
        kinds: Kinds of documents; empty for all.
        statuses: Statuses of decision records; empty for all.
        tag: Tag that documents must have; empty for any.
        since: Earliest date of a decision, in ISO 8601; empty for any.
        until: Latest date of a decision; empty for any.
    """

    kinds: tuple[DocumentKind, ...] = ()
    statuses: tuple[str, ...] = ()
    tag: str = ""
    since: str = ""
    until: str = ""

    def build_clauses(self) -> tuple[str, list[str]]:
        """Return an SQL condition, and its parameters."""
        found: list[tuple[str, Sequence[str]]] = [
            (f"kind IN ({_make_placeholders(self.kinds)})", [kind.value for kind in self.kinds]),
            (f"status IN ({_make_placeholders(self.statuses)})", self.statuses),
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
class SectionHit:
    """A matching section.

    Args:
        document: Its document.
        section: The section.
        score: Relevance: positive, higher is better. Comparable only within one query.
        exact: Share of the query's words that occur literally, from 0 to 1.
        row: Its row in the index.
        excerpt: Text around the matches, each enclosed in the characters 2 and 3; only for the best hits.
    """

    document: Document
    section: Section
    score: float
    exact: float
    row: int
    excerpt: str = ""


@frozen
class RankedSections:
    """The result of a query.

    Args:
        hits: The best documents.
        total: Number of all matching documents.
        missing: Number of documents that are not indexed yet.
    """

    hits: Sequence[SectionHit]
    total: int
    missing: int = 0


class SectionRanker:
    """Answers queries from one index; thread-safe.

    Args:
        store: The index.
    """

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._lock = Lock()
        self._version: int | None = None
        self._whole = False
        self._missing: frozenset[str] = frozenset()

    def rank(self, snapshot: DocumentSnapshot, query: SearchQuery, filters: SearchFilters, most: int) -> RankedSections:
        """Return the best matches; equal scores are sorted by path.

        Args:
            snapshot: The documents.
            query: The query.
            filters: Which documents are searched.
            most: Maximum number of documents.
        """
        if not query.words:
            return RankedSections((), 0)
        clauses, values = filters.build_clauses()
        given = [query.expression, *values]
        ends = time.monotonic() + SECONDS
        with self._lock:
            self._refresh(snapshot, ends)
            total = self._store.execute(COUNT.format(filters=clauses), given).fetchone()[0]
            found = self._store.execute(CHOOSE.format(filters=clauses), given).fetchall()
            hits = _combine_hits(snapshot, query, found, self._fetch_paths(row >> BITS for row, _ in found))[:most]
            return RankedSections(
                [evolve(hit, excerpt=self._fetch_excerpt(query, hit)) for hit in hits], total, len(self._missing)
            )

    def build(self, snapshot: DocumentSnapshot, seconds: float) -> int:
        """Index documents for some seconds, and return how many are missing then."""
        with self._lock:
            self._refresh(snapshot, time.monotonic() + seconds)
            return len(self._missing)

    def close(self) -> None:
        """Close the index."""
        self._store.close()

    def _refresh(self, snapshot: DocumentSnapshot, ends: float) -> None:
        if self._version is not None and snapshot.version < self._version:
            return  # another thread has already indexed a newer snapshot
        among: frozenset[str] | None = self._missing
        if self._version != snapshot.version:
            follows = self._version is not None and self._version + 1 == snapshot.version
            among = self._missing | snapshot.changed if follows else None
        if not self._whole and not snapshot.unread:
            among = None  # only a complete snapshot shows which documents of an earlier run were deleted
        if among is None or among:
            self._missing = update_index(self._store, snapshot, among, ends)
        self._whole = not snapshot.unread
        self._version = snapshot.version

    def _fetch_paths(self, numbers: Iterable[int]) -> dict[int, str]:
        wanted = list(set(numbers))
        rows = self._store.execute(f"SELECT id, path FROM documents WHERE id IN ({_make_placeholders(wanted)})", wanted)  # noqa: S608
        return dict(rows.fetchall())

    def _fetch_excerpt(self, query: SearchQuery, hit: SectionHit) -> str:
        if not hit.row & MOST_SECTIONS:  # only the names of the document matched
            return hit.section.text[:BEGINNING]
        row = self._store.execute(EXCERPT, (query.expression, hit.row)).fetchone()
        return row[0] if row else ""


def _combine_hits(
    snapshot: DocumentSnapshot, query: SearchQuery, found: Sequence[tuple[int, float]], paths: Mapping[int, str]
) -> list[SectionHit]:
    """Combine the score of a document's names with that of its best section."""
    hits: dict[int, SectionHit] = {}
    called = {row >> BITS: -rank for row, rank in found if not row & MOST_SECTIONS}
    for row, rank in found:
        number, place = row >> BITS, row & MOST_SECTIONS
        document = snapshot.documents.get(paths.get(number, ""))
        if document is None or max(place, 1) > len(document.sections):  # another process indexed another version
            continue
        known = hits.get(number)
        hit = _make_hit(query, document, row, called.get(number, 0) - (rank if place else 0))
        if known is None or hit.score > known.score:
            hits[number] = hit
    return sorted(hits.values(), key=lambda hit: (-hit.score, hit.document.path))


def _make_hit(query: SearchQuery, document: Document, row: int, rank: float) -> SectionHit:
    section = document.sections[max(row & MOST_SECTIONS, 1) - 1]
    said = " ".join((document.title, *document.names, *document.tags, *section.headings, section.text)).lower()
    exact = sum(_has_word(said, word) for word in query.words) / len(query.words)
    score = rank * (1 + EXACT * exact) + (NAMED if query.whole in document.names else 0)
    return SectionHit(document=document, section=section, score=score, exact=exact, row=row)


def _has_word(text: str, word: str) -> bool:
    """Return whether a text contains a whole word; much faster than a regular expression."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not _is_word_character(text[start - 1 : start]) and not _is_word_character(text[end : end + 1]):
            return True
        start = text.find(word, end)
    return False


def _is_word_character(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "_+#")


def _make_placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
