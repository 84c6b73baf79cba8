"""Decide what is reported of each record: a verdict where a rule is certain and the record holds, else a candidate."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_archdocs.adr.supersession import follow_supersession, get_effective_state, map_successors
from stithy_archdocs.alignment.certain_rules import CONFLICTS, SUPPORTS, SignedProposal, find_verdict
from stithy_archdocs.alignment.record_terms import Passage, RecordTerms
from stithy_archdocs.alignment.technology_names import TechnologyNames
from stithy_archdocs.document_models import DecisionState, Document, DocumentSnapshot

RELATED, CANDIDATE = "related", "candidate"
GATED = {
    DecisionState.SUPERSEDED: ("superseded", "it is superseded"),
    DecisionState.REJECTED: ("previously_rejected", "it was rejected"),
    DecisionState.DEPRECATED: ("deprecated", "it is deprecated"),
    DecisionState.PROPOSED: ("proposed_only", "it is only proposed"),
    DecisionState.DRAFT: ("proposed_only", "it is only proposed"),
    DecisionState.ON_HOLD: ("on_hold", "it is on hold"),
}
"""The relation of records that do not hold, and the words for it."""
_RANK = {CONFLICTS: 0, SUPPORTS: 1, RELATED: 2}
_MOST_WORDS = 4
_NAME, _GENERIC = 2.0, 0.3
"""Weights of names and of generic words; other words weigh 1."""


@frozen
class RecordVerdict:
    """What is reported of one record.

    Args:
        document: The record.
        state: Its effective state.
        alignment: supports, conflicts or related.
        relation: More specific relation; candidate if no rule is certain.
        confidence: From 0 to 1; None for candidates.
        reason: Explanation for a reader.
        passages: The passages to read, the most important first; the role of the first may be a rule.
    """

    document: Document
    state: DecisionState
    alignment: str
    relation: str
    confidence: float | None
    reason: str
    passages: tuple[Passage, ...] = ()


def reach_verdicts(
    snapshot: DocumentSnapshot,
    proposal: SignedProposal,
    records: Sequence[RecordTerms],
    technologies: TechnologyNames,
) -> list[RecordVerdict]:
    """Return what is reported of records, given best first: conflicts, then support, then the others."""
    after = map_successors(snapshot)
    verdicts = [
        _describe_record(proposal, record, get_effective_state(snapshot, record.document, after), technologies)
        for record in records
    ]
    if any(one.relation == "contradicts" for one in verdicts):
        verdicts = [_weaken_support(one) for one in verdicts]
    verdicts.sort(key=lambda one: _RANK[one.alignment])
    return _insert_successors(snapshot, verdicts, after)


def _describe_record(
    proposal: SignedProposal, record: RecordTerms, state: DecisionState, technologies: TechnologyNames
) -> RecordVerdict:
    """Return the most certain finding about a record that holds, else a candidate, or why the record does not hold."""
    passages = _choose_passages(proposal, record)
    found = [] if state in GATED else find_verdict(proposal, record, technologies)
    if not found:
        relation, gate = GATED.get(state, (CANDIDATE, ""))
        reason = f"{gate}; {_describe_words(proposal, record)}" if gate else _describe_words(proposal, record)
        return RecordVerdict(record.document, state, RELATED, relation, None, reason, passages)
    first = found[0]
    shown = (evolve(first.passage, role=first.rule), *(one for one in passages if one is not first.passage))
    return RecordVerdict(record.document, state, first.alignment, first.relation, first.confidence, first.reason, shown)


def _weaken_support(verdict: RecordVerdict) -> RecordVerdict:
    """Return a candidate in place of support, because another record decides against what the proposal wants."""
    if verdict.alignment != SUPPORTS:
        return verdict
    reason = f"{verdict.reason}, but another record decides against what the proposal wants"
    return evolve(verdict, alignment=RELATED, relation=CANDIDATE, confidence=None, reason=reason)


def _describe_words(proposal: SignedProposal, record: RecordTerms) -> str:
    shared = sorted(proposal.find_shared(record.topic), key=lambda key: (-_weigh(proposal, key), key))
    words = proposal.list_texts(shared[:_MOST_WORDS])
    return f"both speak of {words}" if words else "its text has words of the proposal"


def _choose_passages(proposal: SignedProposal, record: RecordTerms) -> tuple[Passage, ...]:
    """Return the sentence of the decision and the option that share most with the proposal; the title if neither."""
    sentence = max(record.sentences, key=lambda one: _score(proposal, one), default=None)
    options = [one for one in record.options if _score(proposal, one)]
    option = max(options, key=lambda one: _score(proposal, one), default=None)
    return tuple(one for one in (sentence, option) if one) or (record.title,)


def _score(proposal: SignedProposal, passage: Passage) -> float:
    return sum(_weigh(proposal, key) for key in sorted(proposal.find_shared(passage.stems)))


def _weigh(proposal: SignedProposal, key: str) -> float:
    term = proposal.terms[key]
    return _NAME if term.is_name else 1.0 if term.is_distinctive else _GENERIC


def _insert_successors(
    snapshot: DocumentSnapshot, verdicts: Sequence[RecordVerdict], after: Mapping[str, tuple[str, ...]]
) -> list[RecordVerdict]:
    """Insert the current successors of superseded records behind them, unless a rule is certain about them."""
    shown: dict[str, RecordVerdict] = {}
    for verdict in verdicts:
        shown.setdefault(verdict.document.path, verdict)
        superseded = verdict.state is DecisionState.SUPERSEDED
        for document in follow_supersession(snapshot, verdict.document, after).live if superseded else ():
            state = get_effective_state(snapshot, document, after)
            reason = f"it supersedes {verdict.document.path}"
            shown.setdefault(document.path, RecordVerdict(document, state, RELATED, "successor", None, reason))
    return list(shown.values())
