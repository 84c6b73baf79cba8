"""The tool `check_architecture_docs`."""

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen

from stithy_archdocs.checking.graph import graph, mermaid
from stithy_archdocs.checking.problems import problems
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.offers import CheckDocuments
from stithy_archdocs.records import Document, Problem
from stithy_core.spi import Hint, Meta, Page, SyncContext

_DRAWN = 40
"""How many records a picture in an answer has at most."""
SECONDS = 10.0
"""How long an answer waits for documents that are not read yet."""


@frozen(kw_only=True)
class Row:
    """One problem, as it is sent."""

    rule: str
    severity: str
    path: str
    line: int | None
    message: str


@frozen(kw_only=True)
class Checked:
    """The answer."""

    clean: bool
    documents: int
    errors: int
    warnings: int
    unread: Annotated[int | None, Meta("Documents that are still being read: ask again in some seconds")] = None
    graph: Annotated[str | None, Meta(cut=False)] = None
    graph_left_out: int | None = None
    problems: Page[Row]

    def render(self) -> Iterator[str]:
        """Give the verdict, then the problems."""
        yield f"{self.documents} documents: {self.errors} errors, {self.warnings} warnings"
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read: ask again in some seconds.")
        for row in self.problems:
            place = row.path if row.line is None else f"{row.path}:{row.line}"
            yield f"- {row.severity} {place} {row.rule}: {row.message}"
        if self.graph:
            yield from ["```mermaid", *self.graph.rstrip().split("\n"), "```"]
        if self.graph_left_out:
            yield Hint(f"{self.graph_left_out} more records are not drawn; `stithy archdocs graph` draws more")


def check(worker: SyncContext, args: CheckDocuments) -> Checked:
    """Look at all documents."""
    shelf = worker.shared(Library).now(SECONDS)
    wanted = [one for one in shelf.documents.values() if _meant(one, args)]
    found = [
        one
        for one in problems(worker, shelf)
        if _told(one, args, {document.path for document in wanted}, shelf.documents)
    ]
    drawn = graph(shelf, most=_DRAWN) if args.graph else None
    rows = [
        Row(rule=one.rule, severity=one.severity, path=one.path, line=one.line, message=one.message) for one in found
    ]
    errors = sum(one.severity == "error" for one in found)
    return Checked(
        clean=not found and not shelf.unread,
        documents=len(wanted),
        errors=errors,
        warnings=len(found) - errors,
        unread=shelf.unread or None,
        graph=mermaid(drawn) if drawn else None,
        graph_left_out=drawn.left_out if drawn and drawn.left_out else None,
        problems=Page(rows, key=_Keys(rows).of),
    )


class _Keys:
    """Gives each row a text that no other has: the second of two that are alike is numbered."""

    def __init__(self, rows: list[Row]) -> None:
        self._keys: dict[int, str] = {}
        seen: dict[str, int] = {}
        for row in rows:
            key = f"{row.path}:{row.line or 0}:{row.rule}"
            seen[key] = seen.get(key, 0) + 1
            self._keys[id(row)] = key if seen[key] == 1 else f"{key}:{seen[key]}"

    def of(self, row: Row) -> str:
        """Give a row's key."""
        return self._keys[id(row)]


def _meant(document: Document, args: CheckDocuments) -> bool:
    return args.resource_type in ("all", document.kind.value) and document.path.startswith(args.path)


def _told(problem: Problem, args: CheckDocuments, paths: set[str], known: dict[str, Document]) -> bool:
    if args.severity == "error" and problem.severity != "error":
        return False
    if problem.path in known:
        return problem.path in paths
    return args.resource_type == "all" and problem.path.startswith(args.path)
