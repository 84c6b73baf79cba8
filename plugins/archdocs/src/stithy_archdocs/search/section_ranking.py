"""Rank sections for a query, best first, with the best section of each document.

BM25 weights rare words more, and a word in a title more than one in a text. Words are stemmed, so that "deploying"
finds "deployment"; since stemming also reduces *authorization* to *author*, sections with the exact words are weighted
more, and so are those with two words in a row. A document's score is that of its names, of its best section, and a part
of that of its second-best section; it grows with the share of the query that its whole text contains. With word
vectors, the similarity of its most similar section counts as much as this score, both relative to the best document.
"""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import log
from threading import Lock
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot, Section
from stithy_archdocs.search.search_query import SearchQuery, split_words
from stithy_archdocs.search.section_groups import SEPARATOR, SectionGroup, group_sections
from stithy_archdocs.search.section_index import (
    BITS,
    MOST_SECTIONS,
    IndexReport,
    compute_digest,
    transaction,
    update_index,
)
from stithy_archdocs.search.vector_index import find_similar, update_vectors
from stithy_archdocs.search.word_vectors import VectorLoader

if TYPE_CHECKING:
    from stithy_archdocs.search.word_vectors import Vectors

CANDIDATES = 100
"""Maximum number of rows that are scored."""
SECONDS = 0.5
"""Seconds that a query waits for indexing; documents missing then are found by later queries."""
BEGINNING = 200
"""Characters of an excerpt if only the title matches."""
EXACT = 2.0
"""Factor for rows with all exact words of the query, each weighed by its rarity."""
PAIRS = 4.0
"""Factor for rows with all pairs of consecutive words of the query."""
COVERED = 2.0
"""Factor for documents with all exact words of the query."""
COMPARED = 20
"""Documents whose whole text is searched for the words of the query."""
SECOND = 0.25
"""Share of the second-best section in the score of a document."""
MOST_SIMILAR = 20
"""Documents that are found by meaning alone."""
NAMED = 100.0
"""Bonus for a document whose name is the query."""
COMMON_SHARE = 0.1
"""Share of rows from which a word is too common to select documents."""
COMMON_ROWS = 200
"""Rows up to which no word is too common: with few documents, leaving words out saves nothing."""
FEWEST_WORDS = 3
"""Number of words that are used however common they are."""
MOST_ROWS = 12_000
"""Rows that the words of a query may have together. More words, the most common ones, only weigh what others found:
otherwise the time of a query would grow with the number of documents."""

CHOOSE = (  # built from constants, as the next two
    "SELECT rowid, rank, headings, body FROM sections WHERE sections MATCH ?"  # noqa: S608
    f" {{filters}} ORDER BY rank LIMIT {CANDIDATES}"
)
COUNT = f"SELECT count(DISTINCT rowid >> {BITS}) FROM sections WHERE sections MATCH ? {{filters}}"  # noqa: S608 -- as above
COUNT_ROWS = "SELECT count(*) FROM (SELECT 1 FROM sections WHERE sections MATCH ? LIMIT ?)"
AMONG = f"rowid >> {BITS}"
EXCERPT = "SELECT {function} FROM sections WHERE sections MATCH ? AND rowid = ?"
SNIPPET = "snippet(sections, 2, char(2), char(3), '…', 32)"
HIGHLIGHT = "highlight(sections, 2, char(2), char(3))"


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

    def build_clauses(self, number: str) -> tuple[str, list[str]]:
        """Return an SQL condition on the number of a document, and its parameters."""
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
        among = f" AND {number} IN (SELECT id FROM documents WHERE {clauses})"  # noqa: S608 -- built from constants
        return among if wanted else "", [value for _, values in wanted for value in values]


@frozen(kw_only=True)
class SectionHit:
    """A matching section.

    Args:
        document: Its document.
        section: The section.
        group: The sections of the row.
        score: Relevance: positive, higher is better. Comparable only within one query.
        covered: Share of the query's words, weighed by rarity, that the whole document has; only for the best hits.
        similarity: Cosine of the vectors of the query and of the most similar section; 0 without word vectors.
        excerpt: Text around the matches, each enclosed in the characters 2 and 3.
    """

    document: Document
    section: Section
    group: SectionGroup
    score: float
    covered: float
    similarity: float
    excerpt: str


@frozen
class RankedSections:
    """The result of a query.

    Args:
        hits: The best documents.
        total: Number of all matching documents.
        missing: Number of documents that are not indexed yet.
        without_vectors: Number of documents that are found by their words, but not yet by their meaning.
    """

    hits: Sequence[SectionHit]
    total: int
    missing: int = 0
    without_vectors: int = 0

    @property
    def unread(self) -> int:
        """The number of documents that may lead to another answer later."""
        return self.missing + self.without_vectors


class SectionRanker:
    """Answers queries from one index; thread-safe.

    Args:
        store: The index.
        vectors: Loads what makes vectors, if documents are to be found by meaning as well.
    """

    def __init__(self, store: sqlite3.Connection, vectors: VectorLoader | None = None) -> None:
        self._store = store
        self._vectors = vectors
        self._lock = Lock()
        self._version: int | None = None
        self._whole = False
        self._missing: frozenset[str] = frozenset()
        self._without_vectors = 0
        self._rows = 0

    def rank(
        self,
        snapshot: DocumentSnapshot,
        query: SearchQuery,
        filters: SearchFilters,
        most: int,
        report: IndexReport | None = None,
    ) -> RankedSections:
        """Return the best matches; equal scores are sorted by path.

        Args:
            snapshot: The documents.
            query: The query.
            filters: Which documents are searched.
            most: Maximum number of documents.
            report: Receives the progress of indexing.
        """
        ends = time.monotonic() + SECONDS
        with self._lock:
            if query.words:
                self._refresh(snapshot, ends, report)
            weights = QueryWeights(query, self._count_rows(query), self._rows)
            ranked, total = self._rank_by_words(snapshot, weights, filters)
            if self._vectors is not None and query.whole and (loaded := self._vectors.loaded):
                ranked = self._add_similar(snapshot, ranked, loaded.make_vector(weights.words), filters)
            hits = [hit for one in ranked[:most] if (hit := self._make_hit(query, one))]
            unread = (len(self._missing), self._without_vectors) if query.words else (0, 0)
            return RankedSections(hits, max(total, len(hits)), *unread)

    def _rank_by_words(
        self, snapshot: DocumentSnapshot, weights: "QueryWeights", filters: SearchFilters
    ) -> tuple[list["_ScoredRow"], int]:
        """Return the best row of each document that has words of the query, and the number of such documents."""
        telling = self._select_words(weights.counts)
        if not telling:
            return [], 0
        clauses, values = filters.build_clauses(AMONG)
        given = [SearchQuery(telling, "").expression, *values]
        total = self._store.execute(COUNT.format(filters=clauses), given).fetchone()[0]
        found = self._store.execute(CHOOSE.format(filters=clauses), given).fetchall()
        return _rank_documents(weights, self._fetch_documents(snapshot, found)), total

    def _add_similar(
        self, snapshot: DocumentSnapshot, ranked: Sequence["_ScoredRow"], vector: "Vectors", filters: SearchFilters
    ) -> list["_ScoredRow"]:
        """Return the documents of both rankings, sorted by the sum of their scores, each relative to the best one."""
        rows = {one.row >> BITS: one for one in ranked}
        similar = find_similar(self._store, vector, filters.build_clauses("document"), MOST_SIMILAR, rows.keys())
        added = [((number << BITS) + one.place, 0.0, "", "") for number, one in similar.items() if number not in rows]
        rows |= {one.row >> BITS: one for one in self._fetch_documents(snapshot, added)}
        best = max((one.score for one in rows.values()), default=0.0) or 1.0
        closest = max((one.similarity for one in similar.values()), default=0.0) or 1.0
        found = []
        for number, row in rows.items():
            similarity = similar[number].similarity if number in similar else 0.0
            found.append(evolve(row, score=row.score / best + similarity / closest, similarity=similarity))
        return _sort_rows(found)

    def _count_rows(self, query: SearchQuery) -> dict[str, int]:
        """Return in how many rows each word is, the rarest first; a number above `MOST_ROWS` is a minimum."""
        most = max(MOST_ROWS, int(self._rows * COMMON_SHARE)) + 1
        counts = {
            word: self._store.execute(COUNT_ROWS, (SearchQuery((word,), "").expression, most)).fetchone()[0]
            for word in query.words
        }
        return dict(sorted(counts.items(), key=lambda one: one[1]))

    def _select_words(self, counts: Mapping[str, int]) -> tuple[str, ...]:
        """Return the words that select documents: those in few rows."""
        common = max(COMMON_ROWS, int(self._rows * COMMON_SHARE))
        chosen: list[str] = []
        rows = 0
        for word, count in counts.items():
            rows += count
            few = len(chosen) < FEWEST_WORDS or count <= common
            if chosen and (rows > MOST_ROWS or not few):
                break
            chosen += [word] if count else []
        return tuple(chosen)

    def build(self, snapshot: DocumentSnapshot, seconds: float) -> int:
        """Index documents for some seconds, and return how many are missing then, or lack vectors."""
        with self._lock:
            self._refresh(snapshot, time.monotonic() + seconds)
            return len(self._missing) + self._without_vectors

    def close(self) -> None:
        """Close the index."""
        self._store.close()

    def _refresh(self, snapshot: DocumentSnapshot, ends: float, report: IndexReport | None = None) -> None:
        if self._version is not None and snapshot.version < self._version:
            return  # another thread has already indexed a newer snapshot
        among: frozenset[str] | None = self._missing
        if self._version != snapshot.version:
            follows = self._version is not None and self._version + 1 == snapshot.version
            among = self._missing | snapshot.changed if follows else None
        if not self._whole and not snapshot.unread:
            among = None  # only a complete snapshot shows which documents of an earlier run were deleted
        changed = among is None or bool(among)
        if changed:
            self._missing = update_index(self._store, snapshot, among, ends, report=report)
            self._rows = self._store.execute("SELECT count(*) FROM sections_docsize").fetchone()[0]
        if self._vectors is not None and (changed or self._without_vectors):
            self._without_vectors = self._add_vectors(snapshot, self._vectors, ends)
        self._whole = not snapshot.unread
        self._version = snapshot.version

    def _add_vectors(self, snapshot: DocumentSnapshot, loader: VectorLoader, ends: float) -> int:
        """Add vectors until a deadline once all documents are found by words, and return how many lack them."""
        vectors = None if self._missing else loader.get(ends - time.monotonic())
        if vectors is None:
            return len(snapshot.documents) - len(self._missing)
        with transaction(self._store):
            return update_vectors(self._store, snapshot, vectors, compute_digest, ends)

    def _fetch_documents(
        self, snapshot: DocumentSnapshot, found: Sequence[tuple[int, float, str, str]]
    ) -> list["_ScoredRow"]:
        wanted = list({row >> BITS for row, *_ in found})
        paths = dict(
            self._store.execute(
                f"SELECT id, path FROM documents WHERE id IN ({_make_placeholders(wanted)})",  # noqa: S608
                wanted,
            ).fetchall()
        )
        return [
            _ScoredRow(row, -rank, document, f"{headings} {body}".lower())
            for row, rank, headings, body in found
            if (document := snapshot.documents.get(paths.get(row >> BITS, "")))
        ]

    def _make_hit(self, query: SearchQuery, best: "_ScoredRow") -> SectionHit | None:
        """Return a hit with the section of the row that fits best, and an excerpt of it.

        Returns:
            None if another process indexed another version of the document.
        """
        place = best.row & MOST_SECTIONS
        groups = group_sections(best.document)
        if max(place, 1) > len(groups):
            return None
        group = groups[max(place, 1) - 1]
        parts = self._fetch_parts(query, best.row, SNIPPET if len(group) == 1 else HIGHLIGHT) if place else []
        if parts and len(parts) != len(group):
            return None
        texts = [" ".join((*section.headings, section.text)).lower() for section in group]
        words = [sum(one in text for one in query.words) for text in texts]
        if not parts:  # only the names of the document matched, or its meaning
            parts = [section.text[:BEGINNING] for section in group]
            words = words if any(words) else [len(section.text) for section in group]
        at = max(range(len(group)), key=lambda at: (parts[at].count("\x02"), words[at]))
        return SectionHit(
            document=best.document,
            section=group[at],
            group=group,
            score=best.score,
            covered=best.covered,
            similarity=best.similarity,
            excerpt=parts[at] if parts[at].strip() else group[at].text,
        )

    def _fetch_parts(self, query: SearchQuery, row: int, function: str) -> list[str]:
        """Return the text of a row with marks around the words of the query, by section."""
        found = self._store.execute(EXCERPT.format(function=function), (query.expression, row)).fetchone()
        return found[0].split(SEPARATOR) if found else []


@frozen
class _ScoredRow:
    """A matching row: its rowid, its score, its document and its text in lower case."""

    row: int
    score: float
    document: Document
    text: str
    covered: float = 0.0
    similarity: float = 0.0


class QueryWeights:
    """The words of a query, weighed by their rarity: `words` has the weights.

    Args:
        query: The query.
        counts: In how many rows each word is.
        rows: Number of all rows.
    """

    def __init__(self, query: SearchQuery, counts: Mapping[str, int], rows: int) -> None:
        self.query = query
        self.counts = counts
        self.words = {word: log(1 + rows / max(count, 1)) for word, count in counts.items()}
        self._whole = sum(self.words.values()) or 1.0
        words = split_words(query.whole)
        self._pairs = [f"{one} {other}" for one, other in pairwise(words)]

    def measure_share(self, text: str) -> float:
        """Return the share of the words that a text in lower case contains literally, from 0 to 1."""
        return sum(weight for word, weight in self.words.items() if _has_word(text, word)) / self._whole

    def measure_pairs(self, text: str) -> float:
        """Return the share of the pairs of consecutive words that a text in lower case contains."""
        return sum(pair in text for pair in self._pairs) / len(self._pairs) if self._pairs else 0.0


def _rank_documents(weights: QueryWeights, found: Sequence[_ScoredRow]) -> list[_ScoredRow]:
    """Return the best row of each document with the score of the document, best first."""
    rows: dict[str, list[_ScoredRow]] = defaultdict(list)
    for one in found:
        rows[one.document.path].append(_weigh_row(weights, one))
    ranked = _sort_rows(_sum_scores(own) for own in rows.values())
    likely = [_weigh_document(weights, one) for one in ranked[:COMPARED]]
    return _sort_rows(likely) + ranked[COMPARED:]


def _sort_rows(rows: Iterable[_ScoredRow]) -> list[_ScoredRow]:
    return sorted(rows, key=lambda one: (-one.score, one.document.path))


def _weigh_row(weights: QueryWeights, found: _ScoredRow) -> _ScoredRow:
    whole = f"{_join_names(found.document)} {found.text}"
    factor = 1 + EXACT * weights.measure_share(whole) + PAIRS * weights.measure_pairs(whole)
    return evolve(found, score=found.score * factor)


def _join_names(document: Document) -> str:
    return " ".join((document.title, *document.names, *document.tags)).lower()


def _sum_scores(rows: Sequence[_ScoredRow]) -> _ScoredRow:
    """Return the best row of a document, with the score of the document."""
    names = sum(one.score for one in rows if not one.row & MOST_SECTIONS)
    texts = sorted((one for one in rows if one.row & MOST_SECTIONS), key=lambda one: -one.score)
    best = texts[0] if texts else rows[0]
    return evolve(best, score=names + sum(one.score * share for one, share in zip(texts, (1.0, SECOND), strict=False)))


def _weigh_document(weights: QueryWeights, found: _ScoredRow) -> _ScoredRow:
    share = weights.measure_share(f"{_join_names(found.document)} {found.document.text.lower()}")
    named = NAMED if weights.query.whole in found.document.names else 0.0
    return evolve(found, score=found.score * (1 + COVERED * share) + named, covered=share)


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
    return character.isalnum() or (character != "" and character in "+#")


def _make_placeholders(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
