"""The tool `search-architecture`: which documents cover a subject, and in which section (ARCH-5)."""

import re
import threading
import time
from collections.abc import Iterator
from hashlib import blake2b
from logging import DEBUG, INFO
from pathlib import Path
from typing import Annotated

from attrs import frozen
from platformdirs import user_cache_dir

from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.section_groups import get_headings_below_title
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import RankedSections, SearchFilters, SectionHit, SectionRanker
from stithy_archdocs.search.word_vectors import open_vectors
from stithy_archdocs.tools import SearchArchitecture
from stithy_archdocs.watch_service import StopEvent
from stithy_core.spi import ConfigError, Hint, Meta, Page, Scope, SyncContext

MARKS = re.compile(r"[\x02\x03]+")
SPACE = re.compile(r"\s+")


@frozen(kw_only=True)
class SearchResult:
    """One matching document, with its best section."""

    uri: Annotated[str, Meta("Pass to resources/read for the whole document")]
    title: str
    resource_type: str
    relevance_score: Annotated[float, Meta("Positive; higher is better; comparable only within this answer")]
    excerpt: Annotated[str, Meta("Matched words are enclosed in **")]
    section: Annotated[str | None, Meta("Path of headings")]
    path: str
    lines: Annotated[str, Meta("First and last line of the section")]
    status: str | None = None
    date: str | None = None


@frozen(kw_only=True)
class SearchResults:
    """The result of a search, best match first."""

    results: Page[SearchResult]
    total_matches: Annotated[int, Meta("All documents with a rarer word of the query, before max_results")]
    searched: Annotated[int, Meta("Documents that were searched")]
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None
    note: Annotated[str | None, Meta("Why there are no results, and what that does not prove", cut=False)] = None

    def render(self) -> Iterator[str]:
        """Return one line for each result."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        if self.searched:
            yield f"{self.total_matches} of {self.searched} documents match."
        if self.note:
            yield self.note
        for row in self.results:
            where = f"{row.path}:{row.lines}" + (f" ({row.section})" if row.section else "")
            status = f" [{row.status}]" if row.status else ""
            yield f"- {row.uri} {row.title}{status} | {where} | {row.excerpt}"


def open_index(scope: Scope) -> SectionRanker:
    """Open the index of a server's documents; `scope.shared(open_index)` does so once.

    Raises:
        ConfigError: The settings ask for word vectors, and these are not installed.
    """
    root = str(scope.shared(Library).root)
    name = blake2b(root.encode(errors="surrogateescape"), digest_size=12).hexdigest()
    vectors = open_vectors() if scope.settings(ArchdocsSettings).vectors else None
    return SectionRanker(open_store(Path(user_cache_dir("stithy")) / "archdocs" / f"{name}.sqlite"), vectors)


def search_documents(worker: SyncContext, args: SearchArchitecture) -> SearchResults:
    """Search the documents."""
    snapshot = worker.shared(Library).get_snapshot_within()
    filters = make_filters(args)
    query = parse_query(args.query)
    ranking = (
        worker.shared(open_index).rank(snapshot, query, filters, args.max_results, worker.progress)
        if snapshot.version
        else RankedSections((), 0)
    )
    rows = [_make_result(hit) for hit in ranking.hits]
    page = Page(rows, key=lambda row: row.uri, limit=args.max_results, total=ranking.total)
    unread = snapshot.unread + ranking.unread
    if unread:
        worker.shared(BackgroundIndexer).start()
    searched = max(_count_searched(snapshot, filters) - ranking.missing, 0)
    return SearchResults(
        results=page,
        total_matches=ranking.total,
        searched=searched,
        unread=unread or None,
        note=None if ranking.total else _explain_nothing(has_words=bool(query.words), searched=searched, unread=unread),
    )


def _explain_nothing(*, has_words: bool, searched: int, unread: int) -> str | None:
    """Return why there are no results; only a project without documents is reported as certain."""
    if not has_words:
        return "The query has no searchable word. Use letters or digits."
    if searched:
        return (
            "No document that passes the filters contains a word of the query."
            " That does not prove that none covers the subject: try other words or fewer filters."
        )
    return None if unread else "The project has no such documents. Set their location in [archdocs] in stithy.toml."


def make_filters(args: SearchArchitecture) -> SearchFilters:
    """Build the filters from the arguments."""
    kinds = () if args.resource_type == "all" else (DocumentKind(args.resource_type),)
    since, until = (day or "" for day in (args.since, args.until))
    return SearchFilters(kinds=kinds, statuses=args.status, tag=args.tag or "", since=since, until=until)


def _count_searched(snapshot: DocumentSnapshot, filters: SearchFilters) -> int:
    return sum(not filters.kinds or document.kind in filters.kinds for document in snapshot.documents.values())


def _make_result(hit: SectionHit) -> SearchResult:
    document, section, decision = hit.document, hit.section, hit.document.decision
    return SearchResult(
        uri=document.uri,
        title=document.title,
        resource_type=document.kind.value,
        relevance_score=round(hit.score, 3),
        excerpt=SPACE.sub(" ", MARKS.sub("**", hit.excerpt)).strip(),
        section=" > ".join(get_headings_below_title(document, section)) or None,
        path=document.path,
        lines=f"{section.first}-{section.last}",
        status=decision.status.state.value if decision else None,
        date=decision.date.isoformat() if decision and decision.date else None,
    )


SECONDS = 0.25
"""Seconds of writing after which the index is released for queries."""
LEAST_PAUSE = 0.05
BACKGROUND_SECONDS = 4.0
"""Seconds of reading at once: each start over a large project costs a walk over its folders."""


class BackgroundIndexer:
    """Reads and indexes what is missing; one instance for each server, `scope.shared(BackgroundIndexer)`.

    It uses at most half of the time of one thread.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._stopping = scope.shared(StopEvent)
        self._lock = threading.Lock()
        self._running = False
        self._wanted = False

    def start(self) -> None:
        """Start the background thread, unless it runs: it continues until nothing is missing."""
        with self._lock:
            self._wanted = True
            if self._running or self._stopping.is_set():
                return
            self._running = True
        threading.Thread(target=self._run, name="stithy-archdocs", daemon=True).start()

    def _run(self) -> None:
        """Alternate between working and pausing; a failure is logged, and the next query starts again."""
        try:
            while not self._stopping.is_set():
                begun = time.monotonic()
                if not self._step():
                    return
                self._stopping.wait(max(LEAST_PAUSE, time.monotonic() - begun))
        except ConfigError as error:
            self._scope.log.error("the documents are not indexed: %s. %s", error, error.suggestion)  # noqa: TRY400
        except Exception:
            self._scope.log.exception("indexing documents in the background failed")
        with self._lock:
            self._running = False

    def _step(self) -> bool:
        """Do one part of the remaining work; if nothing remains, mark the thread as stopped and return False."""
        with self._lock:
            wanted, self._wanted = self._wanted, False  # a query that finds documents missing meanwhile sets it again
            if not wanted:
                self._running = False
                return False
        if not self._build_step():
            with self._lock:
                self._wanted = True
        return True

    def _build_step(self) -> bool:
        """Read and index more documents, and return whether all are done."""
        snapshot = self._scope.shared(Library).get_snapshot_within(BACKGROUND_SECONDS)
        if not snapshot.version:
            return False
        missing = self._scope.shared(open_index).build(snapshot, SECONDS)
        done = not missing and not snapshot.unread
        text = "the index has all %d documents" if done else "the index has %d documents; %d are missing"
        given = (len(snapshot.documents),) if done else (len(snapshot.documents) - missing, missing + snapshot.unread)
        self._scope.log.log(INFO if done else DEBUG, text, *given)
        return done
