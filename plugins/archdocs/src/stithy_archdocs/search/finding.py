"""`search-architecture`: which documents say something of a subject, and where in them (ARCH-5)."""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

from attrs import frozen
from platformdirs import user_cache_dir

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.offers import SearchArchitecture
from stithy_archdocs.records import Kind, Shelf
from stithy_archdocs.search.ranking import Filters, Hit, Ranker, Ranking
from stithy_archdocs.search.store import below_title, opened
from stithy_archdocs.search.words import read_query
from stithy_core.spi import Hint, Meta, Page, Scope, SyncContext

MARKS = re.compile(r"[\x02\x03]+")
SPACE = re.compile(r"\s+")


@frozen(kw_only=True)
class Row:
    """One document that answers, by the section of it that does so best."""

    uri: Annotated[str, Meta("Read it whole with resources/read")]
    title: str
    resource_type: str
    relevance_score: Annotated[float, Meta("Positive; higher is better; comparable within this answer only")]
    excerpt: Annotated[str, Meta("The words that were found stand between **")]
    section: Annotated[str | None, Meta("The headings that lead to it")]
    path: str
    lines: Annotated[str, Meta("First and last line of the section")]
    status: str | None = None
    date: str | None = None


@frozen(kw_only=True)
class Found:
    """What was found, the best first."""

    results: Page[Row]
    total_matches: Annotated[int, Meta("Documents that match in all, before max_results")]
    searched: Annotated[int, Meta("Documents that were looked through")]
    unread: Annotated[int | None, Meta("Documents that are still being read: ask again in some seconds")] = None
    note: Annotated[str | None, Meta("Why there are no results, and what that does not show", cut=False)] = None

    def render(self) -> Iterator[str]:
        """Return lines that say where to read on."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read: ask again in some seconds.")
        if self.searched:
            yield f"{self.total_matches} of {self.searched} documents match."
        if self.note:
            yield self.note
        for row in self.results:
            where = f"{row.path}:{row.lines}" + (f" ({row.section})" if row.section else "")
            status = f" [{row.status}]" if row.status else ""
            yield f"- {row.uri} {row.title}{status} | {where} | {row.excerpt}"


def index_of(scope: Scope) -> Ranker:
    """Open the index of a server's documents; `scope.shared(index_of)` does so once."""
    root = str(scope.shared(Library).root)
    name = blake2b(root.encode(errors="surrogateescape"), digest_size=12).hexdigest()
    return Ranker(opened(Path(user_cache_dir("stithy")) / "archdocs" / f"{name}.sqlite"))


def search(worker: SyncContext, args: SearchArchitecture) -> Found:
    """Search the documents."""
    shelf = worker.shared(Library).within()
    filters = filters_of(args)
    query = read_query(args.query)
    ranking = worker.shared(index_of).rank(shelf, query, filters, args.max_results) if shelf.version else Ranking((), 0)
    rows = [_row(hit) for hit in ranking.hits]
    page = Page(rows, key=lambda row: row.uri, limit=args.max_results, total=ranking.total)
    unread = shelf.unread + ranking.missing
    if unread:
        go_on(worker)
    searched = max(_searched(shelf, filters) - ranking.missing, 0)
    return Found(
        results=page,
        total_matches=ranking.total,
        searched=searched,
        unread=unread or None,
        note=None if ranking.total else _why_nothing(has_words=bool(query.words), searched=searched, unread=unread),
    )


def _why_nothing(*, has_words: bool, searched: int, unread: int) -> str | None:
    """Return why there are no results: an absence is claimed only where there are no documents."""
    if not has_words:
        return "The query has no word that can be searched for. Ask with letters or digits."
    if searched:
        return (
            "No document that the filters leave has a word of the query."
            " That does not show that none is about it: try other words, or fewer filters."
        )
    return None if unread else "There are no such documents here. [archdocs] in stithy.toml says where they are."


def go_on(worker: SyncContext, *, index: bool = True, tasks: Iterable[Callable[[], object]] = ()) -> None:
    """Go on with what an answer left undone, behind it; see `Builder.go_on`."""
    from stithy_archdocs.search.background import Builder

    worker.shared(Builder).go_on(index=index, tasks=tasks)


def filters_of(args: SearchArchitecture) -> Filters:
    """Give what a caller wants to see only."""
    kinds = () if args.resource_type == "all" else (Kind(args.resource_type),)
    since, until = (day or "" for day in (args.since, args.until))
    return Filters(kinds=kinds, statuses=args.status, tag=args.tag or "", since=since, until=until)


def _searched(shelf: Shelf, filters: Filters) -> int:
    return sum(not filters.kinds or document.kind in filters.kinds for document in shelf.documents.values())


def _row(hit: Hit) -> Row:
    document, section, decision = hit.document, hit.section, hit.document.decision
    return Row(
        uri=document.uri,
        title=document.title,
        resource_type=document.kind.value,
        relevance_score=round(hit.score, 3),
        excerpt=SPACE.sub(" ", MARKS.sub("**", hit.excerpt)).strip(),
        section=" > ".join(below_title(document, section)) or None,
        path=document.path,
        lines=f"{section.first}-{section.last}",
        status=decision.status.state.value if decision else None,
        date=decision.date.isoformat() if decision and decision.date else None,
    )
