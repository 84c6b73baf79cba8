"""The tool `check-adr-alignment`: whether a proposal agrees with what was decided (ARCH-7)."""

from collections.abc import Sequence

from stithy_archdocs.alignment.alignment_answer import MOST_SHOWN, AlignmentResult, make_answer
from stithy_archdocs.alignment.alignment_verdicts import RecordVerdict, reach_verdicts
from stithy_archdocs.alignment.certain_rules import SignedProposal
from stithy_archdocs.alignment.record_terms import read_record
from stithy_archdocs.alignment.technology_names import TechnologyNames, load_technologies
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import Document, DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import SearchQuery, parse_query
from stithy_archdocs.search.search_tool import BackgroundIndexer, open_index
from stithy_archdocs.search.section_ranking import SearchFilters, SectionHit, SectionRanker
from stithy_archdocs.tools import CheckAlignment
from stithy_core.spi import Scope, SyncContext

MOST_COMPARED = 10
"""Records that a search selects, and that the rules compare with the proposal."""
LEAST_COVERED = 0.05
"""Least share of the proposal's words, weighed by rarity, that a candidate has."""
LEAST_SIMILAR = 0.3
"""Least similarity of a candidate that is found by meaning alone."""
MOST_WORDS = 60
"""Words of a proposal that are searched for."""


def load_names(scope: Scope) -> TechnologyNames:
    """Load the names of technologies with those of the settings; `scope.shared(load_names)` does so once."""
    return load_technologies(scope.settings(ArchdocsSettings).competitors)


def check_alignment(worker: SyncContext, args: CheckAlignment) -> AlignmentResult:
    """Search for the records that a proposal concerns, and judge those about which a rule is certain."""
    snapshot = worker.shared(Library).get_snapshot_within()
    verdicts, missing = compare_proposal(worker.shared(open_index), snapshot, args, worker.shared(load_names))
    if snapshot.unread or missing:
        worker.shared(BackgroundIndexer).start()
    return make_answer(
        verdicts, compared=len(snapshot.list_kind(DocumentKind.ADR)), unread=snapshot.unread + missing or None
    )


def compare_proposal(
    index: SectionRanker, snapshot: DocumentSnapshot, args: CheckAlignment, technologies: TechnologyNames
) -> tuple[Sequence[RecordVerdict], int]:
    """Return what is reported of records, those that matter most first, and how many are not indexed yet."""
    proposal = SignedProposal(args.decision_description, technologies)
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

    They have its words; behind them come those that have names which compete with one that the proposal takes. The best
    one of these is among those that are shown.
    """
    if not snapshot.version or not proposal.terms:
        return (), 0
    filters = SearchFilters(kinds=(DocumentKind.ADR,))
    own = parse_query(f"{args.decision_description} {args.decision_context or ''}")
    ranking = index.rank(snapshot, SearchQuery(own.words[:MOST_WORDS], own.whole), filters, MOST_COMPARED)
    found = [hit.document for hit in ranking.hits if _is_near(hit)]
    slots = {slot for key in proposal.wanted for slot in technologies.slots.get(key, ())}
    rivals = parse_query(" ".join(key for key, own in technologies.slots.items() if not slots.isdisjoint(own)))
    if slots:
        hits = index.rank(snapshot, SearchQuery(rivals.words[:MOST_WORDS], ""), filters, MOST_SHOWN).hits
        named = [
            hit.document for hit in hits if not set(rivals.words).isdisjoint(parse_query(hit.document.title).words)
        ]
        found = [*found[: MOST_SHOWN - 1], *named[:1], *found[MOST_SHOWN - 1 :], *(hit.document for hit in hits)]
    return list({document.path: document for document in found}.values()), ranking.unread


def _is_near(hit: SectionHit) -> bool:
    """Return whether a hit has enough of a proposal to be shown."""
    return hit.covered >= LEAST_COVERED or hit.similarity >= LEAST_SIMILAR
