"""The vectors of sections, beside the index of their words: one row for each document, removed with it."""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from stithy_archdocs.document_models import Document, DocumentSnapshot
from stithy_archdocs.search.section_groups import get_headings_below_title, group_sections, join_texts
from stithy_archdocs.search.word_vectors import DIMENSIONS, MODEL, SCALE, WordVectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from stithy_archdocs.search.word_vectors import Vectors

BLOCK = 200
"""Documents that are compared at once: more would take more memory and not less time."""
MAKE_VECTORS = (
    "CREATE TABLE vectors (document INTEGER PRIMARY KEY, model TEXT NOT NULL, data BLOB NOT NULL);\n"
    "CREATE INDEX vectors_by_model ON vectors (model, document)"
)
_INSERT = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
_SELECT_WITHOUT = "SELECT id FROM documents WHERE id NOT IN (SELECT document FROM vectors WHERE model = ?)"
_SELECT_DOCUMENT = "SELECT path, digest FROM documents WHERE id = ?"
_SELECT = "SELECT document, data FROM vectors NOT INDEXED WHERE model = ? {filters} ORDER BY document"
"""Without NOT INDEXED, the index of models is used for each document of a filter, and all vectors are sorted again."""


@frozen
class SimilarSection:
    """The section of a document whose meaning is most similar to a query.

    Args:
        place: Number of its group of sections, from 1.
        similarity: Cosine of the vectors, from -1 to 1.
    """

    place: int
    similarity: float


def update_vectors(
    store: sqlite3.Connection,
    snapshot: DocumentSnapshot,
    vectors: WordVectors,
    compute_digest: Callable[[Document], bytes],
    ends: float,
) -> int:
    """Add the vectors that indexed documents lack until a deadline, and return how many still lack them.

    The caller holds a transaction. A document that another process indexed in another version gets none.
    """
    wanted = store.execute(_SELECT_WITHOUT, (MODEL,)).fetchall()
    left = len(wanted)
    for (number,) in wanted:
        if time.monotonic() > ends:
            break
        path, digest = store.execute(_SELECT_DOCUMENT, (number,)).fetchone()
        document = snapshot.documents.get(path)
        if document is not None and compute_digest(document) == digest:
            _add_vectors(store, vectors, number, document)
            left -= 1
    return left


def _add_vectors(store: sqlite3.Connection, vectors: WordVectors, number: int, document: Document) -> None:
    """Store the vectors of a document: one for each group of sections, with the title and the headings."""
    texts = []
    for group in group_sections(document):
        headings = dict.fromkeys(one for section in group for one in get_headings_below_title(document, section))
        texts.append(" ".join((document.title, *headings, join_texts(group))))
    store.execute(_INSERT, (number, MODEL, vectors.pack(texts)))


def find_similar(
    store: sqlite3.Connection,
    vector: "Vectors",
    filters: tuple[str, Sequence[str]],
    most: int,
    among: Collection[int],
) -> dict[int, SimilarSection]:
    """Return the most similar documents, and some that are asked for, by number.

    Args:
        store: The index.
        vector: The vector of the query.
        filters: SQL condition for numbers of documents, and its parameters.
        most: Maximum number of documents, beside those asked for.
        among: Numbers of the documents that are asked for.
    """
    import numpy as np

    condition, values = filters
    select = _SELECT.format(filters=condition)
    found = list(_iterate_best(store.execute(select, (MODEL, *values)), vector))
    if not found:
        return {}
    numbers, places, scores = (np.concatenate(one) for one in zip(*found, strict=True))
    chosen = set(np.argsort(-scores, kind="stable")[:most].tolist())
    chosen |= set(np.flatnonzero(np.isin(numbers, list(among))).tolist())
    return {
        int(numbers[at]): SimilarSection(int(places[at]), float(scores[at])) for at in sorted(chosen) if scores[at] > 0
    }


def _iterate_best(
    rows: sqlite3.Cursor, vector: "Vectors"
) -> "Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Vectors]]":
    """Iterate over blocks: numbers of documents, the place of the best vector of each from 1, and its similarity."""
    import numpy as np

    while block := rows.fetchmany(BLOCK):
        block = [row for row in block if row[1]]
        if not block:
            continue
        counts = np.array([len(data) // DIMENSIONS for _, data in block])
        starts = np.cumsum(counts) - counts
        table = np.frombuffer(b"".join(data for _, data in block), dtype=np.int8).reshape(-1, DIMENSIONS)
        # `@` would use threads that wait busily for each other: more CPU time than they save
        scores = np.einsum("ij,j->i", table.astype(np.float32), vector) / SCALE
        best = np.maximum.reduceat(scores, starts)
        owners = np.repeat(np.arange(len(block)), counts)
        hits = np.flatnonzero(scores == best[owners])
        _, first = np.unique(owners[hits], return_index=True)
        yield np.array([number for number, _ in block]), hits[first] - starts + 1, best
