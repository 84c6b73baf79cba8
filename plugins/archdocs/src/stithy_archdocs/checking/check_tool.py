"""The tool `check_architecture_docs`."""

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen

from stithy_archdocs.checking.decision_graph import build_graph, draw_mermaid
from stithy_archdocs.checking.problem_collection import collect_problems
from stithy_archdocs.document_models import Document, DocumentProblem
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.tools import CheckDocuments
from stithy_core.spi import Hint, Meta, Page, SyncContext

_DRAWN = 40
"""Maximum number of records in the graph of a result."""
SECONDS = 10.0
"""Seconds that a call waits for unread documents."""


@frozen(kw_only=True)
class ProblemRow:
    """One problem."""

    rule: str
    severity: str
    path: str
    line: int | None
    message: str


@frozen(kw_only=True)
class CheckResult:
    """The result of `check_architecture_docs`."""

    clean: bool
    documents: int
    errors: int
    warnings: int
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None
    graph: Annotated[str | None, Meta(cut=False)] = None
    graph_left_out: int | None = None
    problems: Page[ProblemRow]

    def render(self) -> Iterator[str]:
        """Return the totals, then the problems."""
        yield f"{self.documents} documents: {self.errors} errors, {self.warnings} warnings"
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        for row in self.problems:
            place = row.path if row.line is None else f"{row.path}:{row.line}"
            yield f"- {row.severity} {place} {row.rule}: {row.message}"
        if self.graph:
            yield from ["```mermaid", *self.graph.rstrip().split("\n"), "```"]
        if self.graph_left_out:
            yield Hint(f"{self.graph_left_out} records are not drawn; `stithy archdocs graph` draws more.")


def check_documents(worker: SyncContext, args: CheckDocuments) -> CheckResult:
    """Check all documents."""
    snapshot = worker.shared(Library).get_snapshot_blocking(SECONDS)
    wanted = [one for one in snapshot.documents.values() if _is_selected(one, args)]
    found = [
        one
        for one in collect_problems(worker, snapshot)
        if _is_reported(one, args, {document.path for document in wanted}, snapshot.documents)
    ]
    drawn = build_graph(snapshot, most=_DRAWN) if args.graph else None
    rows = [
        ProblemRow(rule=one.rule, severity=one.severity, path=one.path, line=one.line, message=one.message)
        for one in found
    ]
    errors = sum(one.severity == "error" for one in found)
    return CheckResult(
        clean=not found and not snapshot.unread,
        documents=len(wanted),
        errors=errors,
        warnings=len(found) - errors,
        unread=snapshot.unread or None,
        graph=draw_mermaid(drawn) if drawn else None,
        graph_left_out=drawn.left_out if drawn and drawn.left_out else None,
        problems=Page(rows, key=_RowKeys(rows).get_key),
    )


class _RowKeys:
    """Assigns each row a unique key; repeated ones are numbered."""

    def __init__(self, rows: list[ProblemRow]) -> None:
        self._keys: dict[int, str] = {}
        seen: dict[str, int] = {}
        for row in rows:
            key = f"{row.path}:{row.line or 0}:{row.rule}"
            seen[key] = seen.get(key, 0) + 1
            self._keys[id(row)] = key if seen[key] == 1 else f"{key}:{seen[key]}"

    def get_key(self, row: ProblemRow) -> str:
        """Return the key of a row."""
        return self._keys[id(row)]


def _is_selected(document: Document, args: CheckDocuments) -> bool:
    return args.resource_type in ("all", document.kind.value) and document.path.startswith(args.path)


def _is_reported(problem: DocumentProblem, args: CheckDocuments, paths: set[str], known: dict[str, Document]) -> bool:
    if args.severity == "error" and problem.severity != "error":
        return False
    if problem.path in known:
        return problem.path in paths
    return args.resource_type == "all" and problem.path.startswith(args.path)
