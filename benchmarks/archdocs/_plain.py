"""The baseline for search: FTS5 over whole documents, with its own ranking."""

import sqlite3
from collections.abc import Iterable

from stithy_archdocs.search.search_query import SearchQuery


class WholeDocumentIndex:
    """An index of whole documents.

    Args:
        documents: Pairs of path and text.
    """

    def __init__(self, documents: Iterable[tuple[str, str]]) -> None:
        self.store = sqlite3.connect(":memory:")
        self.store.execute(
            "CREATE VIRTUAL TABLE whole USING fts5 (path UNINDEXED, body, tokenize = 'porter unicode61')"
        )
        self.store.executemany("INSERT INTO whole VALUES (?, ?)", documents)

    def rank(self, query: SearchQuery, most: int) -> list[str]:
        """Return the paths of the best documents."""
        statement = "SELECT path FROM whole WHERE whole MATCH ? ORDER BY rank, path LIMIT ?"
        return [path for (path,) in self.store.execute(statement, (query.expression, most))]
