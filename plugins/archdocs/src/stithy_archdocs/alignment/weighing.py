"""Reduce all evidence to one verdict for each record: the most likely answer, with the strongest signal for it.

The status of a record limits its verdict: a superseded, rejected or proposed record can only be related.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_archdocs.adr.supersession import follow_supersession, get_effective_state, map_successors
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.measures import compared
from stithy_archdocs.alignment.nearest import nearest
from stithy_archdocs.alignment.odds import NOTHING, answer, odds, weights
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.document_models import DecisionState, Document, DocumentSnapshot

GATED = {
    DecisionState.SUPERSEDED: "superseded",
    DecisionState.REJECTED: "previously_rejected",
    DecisionState.DEPRECATED: "deprecated",
    DecisionState.PROPOSED: "proposed_only",
    DecisionState.DRAFT: "proposed_only",
    DecisionState.ON_HOLD: "on_hold",
}
_RANK = {CONFLICTS: 0, SUPPORTS: 1, RELATED: 2}
_UNSURE = 0.8


@frozen
class Verdict:
    """The verdict on one record.

    Args:
        document: The record.
        state: Its effective state.
        alignment: supports, conflicts or related.
        relation: More specific relation between proposal and record.
        confidence: Probability of the alignment, from 0 to 1; lower if the record has no status.
        reason: Explanation for a reader.
        signals: The evidence; that of the reason comes first.
    """

    document: Document
    state: DecisionState
    alignment: str
    relation: str
    confidence: float
    reason: str
    signals: tuple[Signal, ...] = ()


def verdicts(
    snapshot: DocumentSnapshot, proposal: Proposal, readings: Sequence[Reading], lexicon: Lexicon
) -> list[Verdict]:
    """Return the verdicts: conflicts first, then support, then related records."""
    after = map_successors(snapshot)
    found = {}
    for one in compared(proposal, readings, lexicon):
        document = one.reading.document
        state = get_effective_state(snapshot, document, after)
        likely = odds(one.measures, weights())
        said = answer(likely, one.measures, holds=state not in GATED)
        if said != NOTHING:
            told = next((signal for signal in one.signals if signal.alignment == said), None)
            first = told or nearest(said, one.proposal, one.reading)
            sure = first.confidence if likely[NOTHING] > likely[said] else likely[said]
            signs = (first, *(signal for signal in one.signals if signal is not first))
            plain = Verdict(document, state, said, first.relation, round(sure, 3), first.reason, signs)
            found[document.path] = _as_it_stands(plain, snapshot, after)
    found |= _followed(snapshot, found, after)
    return sorted(found.values(), key=lambda one: (_RANK[one.alignment], -one.confidence, one.document.path))


def _as_it_stands(verdict: Verdict, snapshot: DocumentSnapshot, after: Mapping[str, tuple[str, ...]]) -> Verdict:
    """Downgrade the verdict on a record that does not hold; lower the confidence if it has no status."""
    gate = GATED.get(verdict.state)
    if gate:
        return evolve(verdict, alignment=RELATED, relation=gate, reason=_gated(verdict, snapshot, after))
    return verdict if verdict.state.is_live else evolve(verdict, confidence=round(verdict.confidence * _UNSURE, 3))


def _gated(verdict: Verdict, snapshot: DocumentSnapshot, after: Mapping[str, tuple[str, ...]]) -> str:
    if verdict.state is DecisionState.SUPERSEDED:
        way = follow_supersession(snapshot, verdict.document, after)
        names = ", ".join(f'"{one.title}" ({one.path})' for one in way.live)
        return (
            f"it is superseded: {names}" if names else "it is superseded, and no current record is known to succeed it"
        )
    said = {
        DecisionState.REJECTED: "it was rejected",
        DecisionState.DEPRECATED: "it is deprecated",
        DecisionState.ON_HOLD: "it is on hold",
    }
    return f"{said.get(verdict.state, 'it is only proposed')}; {verdict.reason}"


def _followed(
    snapshot: DocumentSnapshot, found: Mapping[str, Verdict], after: Mapping[str, tuple[str, ...]]
) -> dict[str, Verdict]:
    """Return verdicts on the current successors of superseded records that match."""
    more = {}
    for path, verdict in sorted(found.items()):
        if verdict.state is DecisionState.SUPERSEDED:
            for document in follow_supersession(snapshot, verdict.document, after).live:
                if document.path not in found:
                    state = get_effective_state(snapshot, document, after)
                    reason = f"it supersedes {path}"
                    more[document.path] = Verdict(document, state, RELATED, "successor", verdict.confidence, reason)
    return more
