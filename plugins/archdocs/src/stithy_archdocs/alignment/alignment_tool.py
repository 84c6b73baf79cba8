"""The tool `check-adr-alignment`: whether a proposal agrees with what was decided (ARCH-7)."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from attrs import frozen

from stithy_archdocs.alignment.alignment_verdicts import CANDIDATE, RecordVerdict, reach_verdicts
from stithy_archdocs.alignment.certain_rules import CONFLICTS, SignedProposal
from stithy_archdocs.alignment.record_terms import read_record
from stithy_archdocs.alignment.signed_terms import parse_terms
from stithy_archdocs.alignment.technology_names import TechnologyNames, load_technologies
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import SearchQuery, parse_query
from stithy_archdocs.search.search_tool import BackgroundIndexer, open_index
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_archdocs.tools import CheckAlignment
from stithy_core.spi import Hint, Meta, Scope, SyncContext

MOST_COMPARED = 10
"""Records that a search selects, and that the rules compare with the proposal."""
MOST_SHOWN = 5
LEAST_COVERED = 0.05
"""Least share of the proposal's words, weighed by rarity, that a candidate has."""
MOST_WORDS = 60
"""Words of a proposal that are searched for."""
MOST_EVIDENCE = 2
DETAILED = 1
"""Records with all of their evidence; the others have the most important passage."""
_QUOTE = 180
_TITLE = 120


@frozen(kw_only=True)
class Evidence:
    """A passage of a record to decide by."""

    quote: str
    line: int
    rule: Annotated[str, Meta("The rule that rests on it; for candidates, what it is: decision, rejected-option, …")]


@frozen(kw_only=True)
class RelatedRecord:
    """A record that concerns the proposal."""

    uri: Annotated[str, Meta("Pass to resources/read for the whole record")]
    path: str
    title: str
    adr_id: str
    status: str
    alignment: Literal["supports", "conflicts", "related"]
    reason: str
    relation: Annotated[str, Meta("More specific relation; candidate: not judged, read the evidence", cut=False)]
    confidence: Annotated[float | None, Meta("From 0 to 1, for supports and conflicts only")]
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
    omitted: Annotated[int, Meta("Other records that were found")] = 0
    unread: Annotated[int | None, Meta("Documents that are still being read; try again in a few seconds")] = None

    def render(self) -> Iterator[str]:
        """Return one line for each record."""
        if self.unread:
            yield Hint(f"{self.unread} more documents are still being read; try again in a few seconds.")
        if not self.compared and not self.unread:
            yield Hint("The project has no decision records. Set their location in [archdocs] in stithy.toml.")
            return
        if not self.related_adrs:
            yield Hint(f"No word of the proposal leads to one of the {self.compared} decision records searched.")
        for one in self.related_adrs:
            sure = "" if one.confidence is None else f", {one.confidence}"
            yield f"- {one.alignment} ({one.relation}{sure}): {one.uri} {one.title} [{one.status}]: {one.reason}"
            for place in one.evidence:
                yield f"  {one.path}:{place.line} ({place.rule}) {place.quote}"
        yield from (f"Suggestion: {text}" for text in self.suggestions)


def make_related(verdict: RecordVerdict, place: int) -> RelatedRecord:
    """Convert a verdict to a result; the first ones have more evidence."""
    document = verdict.document
    numbers = document.decision.numbers if document.decision else ()
    return RelatedRecord(
        uri=document.uri,
        path=document.path,
        title=document.title[:_TITLE],
        adr_id=numbers[0] if numbers else document.names[1] if len(document.names) > 1 else document.names[0],
        status=verdict.state.value,
        alignment=verdict.alignment,  # type: ignore[arg-type]
        reason=verdict.reason,
        relation=verdict.relation,
        confidence=verdict.confidence,
        evidence=_collect_evidence(verdict)[: MOST_EVIDENCE if place < DETAILED else 1],
    )


def _collect_evidence(verdict: RecordVerdict) -> list[Evidence]:
    """Return the passages, each line once."""
    found: dict[int, Evidence] = {}
    for rule, passage in verdict.passages:
        found.setdefault(passage.line, Evidence(quote=passage.quote[:_QUOTE], line=passage.line, rule=rule))
    return list(found.values())


def describe_conflict(verdict: RecordVerdict) -> str:
    """Return one line with what a proposal conflicts with, and where."""
    line = verdict.passages[0][1].line
    return f"{verdict.reason} ({verdict.document.path}:{line})"


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
    if CANDIDATE in relations:
        said.append("Candidates were found by their words and not judged: read their evidence and decide yourself.")
    if has_records and not shown:
        said.append(
            "That nothing was found does not prove that no record covers this: call search-architecture"
            " (resource_type adr) with other words before writing a record."
        )
    return said


def load_names(scope: Scope) -> TechnologyNames:
    """Load the names of technologies with those of the settings; `scope.shared(load_names)` does so once."""
    return load_technologies(scope.settings(ArchdocsSettings).competitors)


def check_alignment(worker: SyncContext, args: CheckAlignment) -> AlignmentResult:
    """Search for the records that a proposal concerns, and judge those about which a rule is certain."""
    snapshot = worker.shared(Library).get_snapshot_within()
    verdicts, missing = compare_proposal(worker.shared(open_index), snapshot, args, worker.shared(load_names))
    if snapshot.unread or missing:
        worker.shared(BackgroundIndexer).start()
    shown = verdicts[:MOST_SHOWN]
    count = len(snapshot.list_kind(DocumentKind.ADR))
    return AlignmentResult(
        related_adrs=[make_related(one, place) for place, one in enumerate(shown)],
        conflicts=[
            RecordConflict(adr_uri=one.document.uri, conflict_description=describe_conflict(one))
            for one in shown
            if one.alignment == CONFLICTS
        ],
        suggestions=make_suggestions(shown, has_records=bool(count)),
        compared=count,
        omitted=len(verdicts) - len(shown),
        unread=snapshot.unread + missing or None,
    )


def compare_proposal(
    index: SectionRanker, snapshot: DocumentSnapshot, args: CheckAlignment, technologies: TechnologyNames
) -> tuple[Sequence[RecordVerdict], int]:
    """Return what is reported of records, those that matter most first, and how many are not indexed yet."""
    proposal = SignedProposal(parse_terms(args.decision_description, technologies))
    found, missing = find_records(index, snapshot, args, proposal, technologies)
    records = [read_record(document, technologies) for document in found]
    return reach_verdicts(snapshot, proposal, records, technologies), missing


def find_records(
    index: SectionRanker,
    snapshot: DocumentSnapshot,
    args: CheckAlignment,
    proposal: SignedProposal,
    technologies: TechnologyNames,
) -> tuple[Sequence[Document], int]:
    """Return the records for a proposal, best first, and how many are not indexed yet.

    They have its words; behind them come those that have names which compete with one that the proposal takes.
    """
    if not snapshot.version or not proposal.terms:
        return (), 0
    filters = SearchFilters(kinds=(DocumentKind.ADR,))
    own = parse_query(f"{args.decision_description} {args.decision_context or ''}")
    ranking = index.rank(snapshot, SearchQuery(own.words[:MOST_WORDS], own.whole), filters, MOST_COMPARED)
    found = {hit.document.path: hit.document for hit in ranking.hits if hit.covered >= LEAST_COVERED}
    slots = {slot for key in proposal.taken for slot in technologies.slots.get(key, ())}
    rivals = " ".join(name for slot in sorted(slots) for name in technologies.members[slot])
    if rivals:
        words = parse_query(rivals).words[:MOST_WORDS]
        hits = index.rank(snapshot, SearchQuery(words, ""), filters, MOST_SHOWN).hits
        found |= {hit.document.path: hit.document for hit in hits if hit.document.path not in found}
    return list(found.values()), ranking.missing
