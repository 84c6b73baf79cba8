"""From signals to one answer for each record.

How it stands decides what it may say (field notes on ADRs, section 6).
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_archdocs.adr.chains import chain, standing, successors
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.signals import signals
from stithy_archdocs.records import Document, Shelf, State

_GATED = {
    State.SUPERSEDED: "superseded",
    State.REJECTED: "previously_rejected",
    State.DEPRECATED: "deprecated",
    State.PROPOSED: "proposed_only",
    State.DRAFT: "proposed_only",
    State.ON_HOLD: "on_hold",
}
_RANK = {CONFLICTS: 0, SUPPORTS: 1, RELATED: 2}
_UNSURE = 0.8
_CLEAR = 0.6
_BY_WORDS = ("practice", "other-way")
_LEAST_RELATED = 0.6


@frozen
class Verdict:
    """What a record says to a proposal.

    Args:
        document: The record.
        state: How it stands in truth.
        alignment: supports, conflicts or related.
        relation: How the two stand to each other.
        confidence: From 0 to 1.
        reason: Why, for a reader.
        signals: What it rests on, the strongest first.
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
    for reading in readings:
        heard = signals(proposal, reading, lexicon)
        if heard:
            found[reading.document.path] = _verdict(shelf, reading.document, heard, after)
    found |= _followed(shelf, found, after)
    best = max((one.confidence for one in found.values() if one.alignment == RELATED), default=0)
    kept = [
        one
        for one in found.values()
        if one.alignment != RELATED or one.confidence >= best * _LEAST_RELATED or one.relation != "same_topic"
    ]
    return sorted(kept, key=lambda one: (_RANK[one.alignment], -one.confidence, one.document.path))


def _verdict(
    shelf: Shelf, document: Document, heard: Sequence[Signal], after: Mapping[str, tuple[str, ...]]
) -> Verdict:
    state = standing(shelf, document, after)
    first = _decisive(heard)
    gate = _GATED.get(state)
    if gate:
        return Verdict(
            document, state, RELATED, gate, first.confidence, _gated(shelf, document, state, first, after), tuple(heard)
        )
    sure = first.confidence if state.live else first.confidence * _UNSURE
    return Verdict(document, state, first.alignment, first.relation, round(sure, 3), first.reason, tuple(heard))


def _decisive(heard: Sequence[Signal]) -> Signal:
    """Take the strongest signal; of two that contradict each other, a conflict only where it is as sure."""
    told = [one for one in heard if one.alignment != RELATED] or list(heard)
    against = [one for one in told if one.rule in _BY_WORDS and one.alignment == CONFLICTS and _is_main(one)]
    if against and all(one.rule in (*_BY_WORDS, "chosen-option") for one in told):
        return against[0]  # it uses the same thing, and for the opposite
    return min(told, key=lambda one: (-one.confidence, _RANK[one.alignment], one.reason))


def _is_main(signal: Signal) -> bool:
    return signal.evidence is not None and signal.evidence.role in ("title", "chosen") and signal.confidence >= _CLEAR


def _gated(shelf: Shelf, document: Document, state: State, first: Signal, after: Mapping[str, tuple[str, ...]]) -> str:
    if state is State.SUPERSEDED:
        way = chain(shelf, document, after)
        names = (
            ", ".join(f'"{one.title}" ({one.path})' for one in way.live) or "no record that holds is known to follow it"
        )
        return f"it is superseded: {names}" if way.live else f"it is superseded, and {names}"
    said = {State.REJECTED: "it was rejected", State.DEPRECATED: "it is deprecated", State.ON_HOLD: "it is on hold"}
    return f"{said.get(state, 'it is only proposed')}; {first.reason}"


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
