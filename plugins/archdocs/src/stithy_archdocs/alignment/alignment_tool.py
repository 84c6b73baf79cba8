"""The tool `check-adr-alignment`: whether a proposal agrees with what was decided (ARCH-7)."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

from attrs import frozen

from stithy_archdocs.alignment.alignment_verdicts import RecordVerdict, reach_verdicts
from stithy_archdocs.alignment.lexicon import Lexicon, load_lexicon
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal, parse_proposal, parse_record
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import SearchQuery, parse_query
from stithy_archdocs.search.search_tool import continue_in_background, open_index
from stithy_archdocs.search.section_ranking import SearchFilters
from stithy_archdocs.tools import CheckAlignment
from stithy_core.spi import Hint, Meta, Scope, SyncContext

MOST_EVIDENCE = 3
_QUOTE = 240


@frozen(kw_only=True)
class Evidence:
    """A passage of a record that supports the verdict."""

    quote: str
    path: str
    line: int
    rule: str


@frozen(kw_only=True)
class RelatedRecord:
    """A record that concerns the proposal."""

    uri: Annotated[str, Meta("Pass to resources/read for the whole record")]
    title: str
    adr_id: str
    status: str
    alignment: Literal["supports", "conflicts", "related"]
    reason: str
    relation: Annotated[str, Meta("More specific relation between proposal and record", cut=False)]
    confidence: Annotated[float, Meta("From 0 to 1")]
    evidence: list[Evidence]


@frozen(kw_only=True)
class RecordConflict:
    """A record that the proposal conflicts with."""

    adr_uri: str
    conflict_description: str


@frozen(kw_only=True)
class AlignmentResult:
    """The result of `check-adr-alignment`: conflicts first."""

    related_adrs: list[RelatedRecord]
    conflicts: list[RecordConflict]
    suggestions: list[str]
    compared: Annotated[int, Meta("Number of decision records")]
    omitted: Annotated[int, Meta("Related records that are not shown")] = 0
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None

    def render(self) -> Iterator[str]:
        """Return one line for each record."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        if not self.compared and not self.unread:
            yield Hint("The project has no decision records. Set their location in [archdocs] in stithy.toml.")
            return
        if not self.related_adrs:
            yield Hint(f"No relation to the proposal was recognized in {self.compared} decision records.")
        for one in self.related_adrs:
            yield (
                f"- {one.alignment} ({one.relation}, {one.confidence}): {one.uri} {one.title} [{one.status}]:"
                f" {one.reason}"
            )
            for place in one.evidence:
                yield f"  {place.path}:{place.line} ({place.rule}) {place.quote}"
        yield from (f"Suggestion: {text}" for text in self.suggestions)


def make_related(verdict: RecordVerdict) -> RelatedRecord:
    """Convert a verdict to a result."""
    document = verdict.document
    numbers = document.decision.numbers if document.decision else ()
    return RelatedRecord(
        uri=document.uri,
        title=document.title,
        adr_id=numbers[0] if numbers else document.names[1] if len(document.names) > 1 else document.names[0],
        status=verdict.state.value,
        alignment=verdict.alignment,  # type: ignore[arg-type]
        reason=verdict.reason,
        relation=verdict.relation,
        confidence=round(verdict.confidence, 2),
        evidence=_collect_evidence(verdict),
    )


def _collect_evidence(verdict: RecordVerdict) -> list[Evidence]:
    """Return the passages, each once; those for the verdict's own alignment first."""
    found: dict[int, Evidence] = {}
    for signal in sorted(verdict.signals, key=lambda one: one.alignment != verdict.alignment):
        said = signal.evidence
        if said is not None and said.line not in found:
            found[said.line] = Evidence(
                quote=said.quote[:_QUOTE], path=verdict.document.path, line=said.line, rule=signal.rule
            )
    if not found:
        line = next((section.first for section in verdict.document.sections if section.headings), 1)
        found[line] = Evidence(quote=verdict.document.title, path=verdict.document.path, line=line, rule="same-words")
    return list(found.values())[:MOST_EVIDENCE]


def describe_conflict(verdict: RecordVerdict) -> str:
    """Return one line with what a proposal conflicts with, and where."""
    place = _collect_evidence(verdict)[0]
    return f'{verdict.reason}: "{place.quote}" ({place.path}:{place.line})'


def make_suggestions(shown: Sequence[RecordVerdict], *, has_records: bool) -> list[str]:
    """Return what to do next."""
    said = []
    conflicts = [one.document.path for one in shown if one.alignment == "conflicts"]
    relations = {one.relation for one in shown}
    if conflicts:
        read = f"Read {', '.join(conflicts)}."
        said.append(f"{read} To accept the proposal, write a record that supersedes what it conflicts with.")
    if "previously_rejected" in relations:
        said.append("It was rejected before: state what has changed since.")
    if "superseded" in relations:
        said.append("Refer to the current record, not to the superseded one.")
    if "proposed_only" in relations:
        said.append("A proposal on the same subject is still open: decide both together.")
    if has_records and not shown:
        said.append(
            "That no relation was recognized does not prove that no record covers this: call"
            " search-architecture (resource_type adr) and read the results before writing a record."
        )
    return said


MOST_COMPARED = 60
"""Maximum number of records that each of two searches selects; with fewer records no search is needed."""
MOST_SHOWN = 10
MOST_RELATED = 5
MOST_READ = 2_000
"""Maximum number of parsed records in the cache."""
SECONDS = 10.0
"""Seconds of parsing for one answer; the remaining records are parsed in the background and reported as unread."""
_MOST_WORDS = 60


class RecordCache:
    """Cache of parsed records; one instance for each server."""

    def __init__(self, scope: Scope) -> None:
        self.lexicon = load_lexicon(scope.settings(ArchdocsSettings).competitors)
        self._kept: OrderedDict[str, ParsedRecord] = OrderedDict()
        self._lock = threading.Lock()

    def is_cached(self, document: Document) -> bool:
        """Return whether the current version of a record is in the cache."""
        with self._lock:
            known = self._kept.get(document.path)
        return known is not None and known.document == document

    def get(self, document: Document) -> ParsedRecord:
        """Return the parsed record; it is parsed again if the document changed."""
        with self._lock:
            known = self._kept.get(document.path)
            if known is not None and known.document == document:
                self._kept.move_to_end(document.path)
                return known
        made = parse_record(document, self.lexicon)
        with self._lock:
            self._kept[document.path] = made
            while len(self._kept) > MOST_READ:
                self._kept.popitem(last=False)
        return made


def check_alignment(worker: SyncContext, args: CheckAlignment) -> AlignmentResult:
    """Compare a proposal with the records."""
    snapshot = worker.shared(Library).get_snapshot_within()
    readings = worker.shared(RecordCache)
    proposal = parse_proposal(args.decision_description, readings.lexicon)
    near = []
    documents, missing = select_records(worker, snapshot, args, proposal, readings.lexicon)
    ends = time.monotonic() + SECONDS
    for document in documents:
        worker.check()
        if time.monotonic() > ends and not readings.is_cached(document):
            break
        near.append(readings.get(document))
    later = documents[len(near) :]
    missing += len(later)
    if snapshot.unread or missing:
        tasks = [partial(readings.get, document) for document in later]
        continue_in_background(worker, index=bool(snapshot.unread or missing > len(later)), tasks=tasks)
    found = reach_verdicts(snapshot, proposal, near, readings.lexicon)
    shown = _select_shown(found)
    return AlignmentResult(
        related_adrs=[make_related(one) for one in shown],
        conflicts=[
            RecordConflict(adr_uri=one.document.uri, conflict_description=describe_conflict(one))
            for one in shown
            if one.alignment == "conflicts"
        ],
        suggestions=make_suggestions(shown, has_records=bool(snapshot.list_kind(DocumentKind.ADR))),
        compared=len(snapshot.list_kind(DocumentKind.ADR)),
        omitted=len(found) - len(shown),
        unread=snapshot.unread + missing or None,
    )


def select_records(
    worker: SyncContext, snapshot: DocumentSnapshot, args: CheckAlignment, proposal: Proposal, lexicon: Lexicon
) -> tuple[Sequence[Document], int]:
    """Return the records worth comparing, and how many are not indexed yet.

    With few records these are all; with many, those that a search finds by the words of the proposal and by the names
    of
    competing technologies.
    """
    records = snapshot.list_kind(DocumentKind.ADR)
    if len(records) <= MOST_COMPARED:
        return records, 0
    index = worker.shared(open_index)
    filters = SearchFilters(kinds=(DocumentKind.ADR,))
    own = parse_query(args.decision_description).words + parse_query(args.decision_context or "").words
    slots = {slot for token in proposal.words for slot in lexicon.slots.get(token.term, ())}
    names = [name.lower() for slot in sorted(slots) for name in lexicon.members[slot]]
    found: dict[str, Document] = {}
    missing = 0
    for words in (own, parse_query(" ".join(names)).words):
        if words:
            ranking = index.rank(
                snapshot, SearchQuery(tuple(dict.fromkeys(words))[:_MOST_WORDS], ""), filters, MOST_COMPARED
            )
            found |= {hit.document.path: hit.document for hit in ranking.hits}
            missing = ranking.missing
    return [document for _, document in sorted(found.items())], missing


def _select_shown(found: Sequence[RecordVerdict]) -> list[RecordVerdict]:
    near = [one for one in found if one.alignment == "related"]
    few = {one.document.path for one in near[:MOST_RELATED]} | {
        one.document.path for one in near if one.relation == "successor"
    }
    return [one for one in found if one.alignment != "related" or one.document.path in few][:MOST_SHOWN]
