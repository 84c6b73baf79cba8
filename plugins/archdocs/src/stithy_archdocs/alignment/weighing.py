"""One answer for each record: the likeliest by all that was measured, with the strongest signal that tells it.

How a record stands decides what it may say (ADR 26).
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from stithy_archdocs.adr.chains import chain, standing, successors
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.measures import compared
from stithy_archdocs.alignment.nearest import nearest
from stithy_archdocs.alignment.odds import NOTHING, answer, odds, weights
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.records import Document, Shelf, State

GATED = {
    State.SUPERSEDED: "superseded",
    State.REJECTED: "previously_rejected",
    State.DEPRECATED: "deprecated",
    State.PROPOSED: "proposed_only",
    State.DRAFT: "proposed_only",
    State.ON_HOLD: "on_hold",
}
_RANK = {CONFLICTS: 0, SUPPORTS: 1, RELATED: 2}
_UNSURE = 0.8


@frozen
class Verdict:
    """What a record says to a proposal.

    Args:
        document: The record.
        state: How it stands in truth.
        alignment: supports, conflicts or related.
        relation: How the two stand to each other.
        confidence: How likely the answer is, from 0 to 1; less where nothing says how the record stands.
        reason: Why, for a reader.
        signals: What it rests on, that of the reason first.
    """

    document: Document
    state: State
    alignment: str
    relation: str
    confidence: float
    reason: str
    signals: tuple[Signal, ...] = ()


def verdicts(shelf: Shelf, proposal: Proposal, readings: Sequence[Reading], lexicon: Lexicon) -> list[Verdict]:
    """Give what records say: conflicts first, then support, then what is only related."""
    after = successors(shelf)
    found = {}
    for one in compared(proposal, readings, lexicon):
        document = one.reading.document
        state = standing(shelf, document, after)
        likely = odds(one.measures, weights())
        said = answer(likely, one.measures, holds=state not in GATED)
        if said != NOTHING:
            told = next((signal for signal in one.signals if signal.alignment == said), None)
            first = told or nearest(said, one.proposal, one.reading)
            sure = first.confidence if likely[NOTHING] > likely[said] else likely[said]
            signs = (first, *(signal for signal in one.signals if signal is not first))
            plain = Verdict(document, state, said, first.relation, round(sure, 3), first.reason, signs)
            found[document.path] = _as_it_stands(plain, shelf, after)
    found |= _followed(shelf, found, after)
    return sorted(found.values(), key=lambda one: (_RANK[one.alignment], -one.confidence, one.document.path))


def _as_it_stands(verdict: Verdict, shelf: Shelf, after: Mapping[str, tuple[str, ...]]) -> Verdict:
    """Take back what a record may not say that does not hold; be less sure where nothing says how it stands."""
    gate = GATED.get(verdict.state)
    if gate:
        return evolve(verdict, alignment=RELATED, relation=gate, reason=_gated(verdict, shelf, after))
    return verdict if verdict.state.live else evolve(verdict, confidence=round(verdict.confidence * _UNSURE, 3))


def _gated(verdict: Verdict, shelf: Shelf, after: Mapping[str, tuple[str, ...]]) -> str:
    if verdict.state is State.SUPERSEDED:
        way = chain(shelf, verdict.document, after)
        names = ", ".join(f'"{one.title}" ({one.path})' for one in way.live)
        return (
            f"it is superseded: {names}"
            if names
            else "it is superseded, and no record that holds is known to follow it"
        )
    said = {State.REJECTED: "it was rejected", State.DEPRECATED: "it is deprecated", State.ON_HOLD: "it is on hold"}
    return f"{said.get(verdict.state, 'it is only proposed')}; {verdict.reason}"


def _followed(shelf: Shelf, found: Mapping[str, Verdict], after: Mapping[str, tuple[str, ...]]) -> dict[str, Verdict]:
    """Add what holds now in the place of superseded records that match."""
    more = {}
    for path, verdict in sorted(found.items()):
        if verdict.state is State.SUPERSEDED:
            for document in chain(shelf, verdict.document, after).live:
                if document.path not in found:
                    state = standing(shelf, document, after)
                    reason = f"it holds now in the place of {path}"
                    more[document.path] = Verdict(document, state, RELATED, "successor", verdict.confidence, reason)
    return more
