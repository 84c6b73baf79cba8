"""Reduce all evidence to one verdict for each record: the most likely answer, with the strongest signal for it.

The status of a record limits its verdict: a superseded, rejected or proposed record can only be related.
"""

import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from attrs import evolve, frozen

from stithy_archdocs.adr.supersession import follow_supersession, get_effective_state, map_successors
from stithy_archdocs.alignment.alignment_signal import CONFLICTS, RELATED, SUPPORTS, AlignmentSignal
from stithy_archdocs.alignment.feature_words import ProposalWords, RecordWords
from stithy_archdocs.alignment.features import compare_records
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.word_lists import load_word_list
from stithy_archdocs.document_models import DecisionState, Document, DocumentSnapshot

NOTHING = "nothing"
ANSWERS = (SUPPORTS, CONFLICTS, RELATED, NOTHING)
WEIGHTS = Path(__file__).with_name("weights.toml")

_OF_NAMES = ("chosen-option", "polarity", "rejected-option", "competitor")
_SURE = 0.5

Odds = Mapping[str, float]
"""Probability of each answer; the sum is 1."""


@cache
def load_weights() -> Mapping[str, Sequence[float]]:
    """Return the weights of each feature, one for each of `ANSWERS`; `bias` is the constant term."""
    return tomllib.loads(WEIGHTS.read_text(encoding="utf-8"))


def compute_odds(measures: Mapping[str, float], weights: Mapping[str, Sequence[float]]) -> Odds:
    """Return the probabilities for some features; features without weights are ignored."""
    told = [*weights["bias"]]
    for name, value in measures.items():
        if value and name in weights:
            told = [one + value * weight for one, weight in zip(told, weights[name], strict=True)]
    most = max(told)  # subtracted so that exp() cannot overflow
    powers = [math.exp(one - most) for one in told]
    return {choose_answer: power / sum(powers) for choose_answer, power in zip(ANSWERS, powers, strict=True)}


def choose_answer(likely: Odds, measures: Mapping[str, float], *, holds: bool) -> str:
    """Return the most likely answer.

    An uncontradicted rule about names is never overruled by "nothing". A record that does not hold is reported only if
    it would
    support or conflict if it did.
    """
    first = max(likely, key=lambda one: likely[one])
    told = next((one for one in (SUPPORTS, CONFLICTS) if f"alone {one}" in measures), RELATED)
    if first == NOTHING and any(measures.get(f"{rule} {told}", 0.0) >= _SURE for rule in _OF_NAMES):
        first = told
    return first if holds or first != RELATED else NOTHING


_MOST_WORDS = 4
_REASONS = {
    "same_decision": "it appears to agree with the decision about {}",
    "reverses": "it appears to reverse the decision about {}",
    "rejected_option": "it appears to be an option that was considered and not chosen: {}",
    "contradicts": "it appears to contradict the record about {}",
    "same_topic": "both concern {}",
}
_ENOUGH_REJECTED = 1.0
"""Least weight of words that occur only in a rejected option."""


def explain_verdict(alignment: str, proposal: Proposal, reading: ParsedRecord) -> AlignmentSignal:
    """Return a signal for a verdict of the model; names in the proposal are spelled as in the record."""
    said = ProposalWords(proposal)
    relation = _find_relation(alignment, said, RecordWords(reading))
    roles = ("rejected",) if relation == "rejected_option" else ("title", "chosen", "rejected", "decision")
    statement = _find_best_statement(said.all, [one for one in reading.statements if one.role in roles])
    own = {token.key for token in statement.tokens} if statement else frozenset()
    words = (
        ", ".join(_get_spelling(proposal, _get_shared(said.all, own) or _get_shared(said.all, reading.wide)))
        or "the same"
    )
    return AlignmentSignal(alignment, relation, "weighed", 0.0, _REASONS[relation].format(words), statement)


def _find_relation(alignment: str, said: ProposalWords, decided: RecordWords) -> str:
    if alignment != CONFLICTS:
        return {SUPPORTS: "same_decision", RELATED: "same_topic"}[alignment]
    only = decided.words("rejected") - decided.leading.keys()
    if sum(weight for key, weight in said.wanted.items() if key in only) >= _ENOUGH_REJECTED:
        return "rejected_option"
    gives_up = any(decided.leading[key][1] > 0 for key in said.unwanted if key in decided.leading)
    goes_back = not load_word_list("cue_returning").isdisjoint(token.word for token in said.proposal.words)
    return "reverses" if gives_up or goes_back else "contradicts"


def _find_best_statement(said: Mapping[str, float], statements: Sequence[Statement]) -> Statement | None:
    """Return the statement that shares most words; of equal ones the first, which is closer to the title."""
    return max(
        statements,
        key=lambda one: sum({token.key: token.weight for token in one.tokens if token.key in said}.values()),
        default=None,
    )


def _get_shared(said: Mapping[str, float], own: Collection[str]) -> Sequence[str]:
    """Return the heaviest shared words."""
    return sorted((key for key in said if key in own), key=lambda key: (-said[key], key))[:_MOST_WORDS]


def _get_spelling(proposal: Proposal, keys: Sequence[str]) -> Sequence[str]:
    """Return words as the proposal writes them."""
    written = {token.key: token.text for token in reversed(proposal.words)}
    return [written.get(key, key) for key in keys]


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
class RecordVerdict:
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
    signals: tuple[AlignmentSignal, ...] = ()


def reach_verdicts(
    snapshot: DocumentSnapshot, proposal: Proposal, readings: Sequence[ParsedRecord], lexicon: Lexicon
) -> list[RecordVerdict]:
    """Return the verdicts: conflicts first, then support, then related records."""
    after = map_successors(snapshot)
    found = {}
    for one in compare_records(proposal, readings, lexicon):
        document = one.reading.document
        state = get_effective_state(snapshot, document, after)
        likely = compute_odds(one.measures, load_weights())
        said = choose_answer(likely, one.measures, holds=state not in GATED)
        if said != NOTHING:
            told = next((signal for signal in one.signals if signal.alignment == said), None)
            first = told or explain_verdict(said, one.proposal, one.reading)
            # If the model prefers "nothing", choose_answer followed a rule about names: then its confidence counts.
            sure = first.confidence if likely[NOTHING] > likely[said] else likely[said]
            signs = (first, *(signal for signal in one.signals if signal is not first))
            plain = RecordVerdict(document, state, said, first.relation, round(sure, 3), first.reason, signs)
            found[document.path] = _apply_state(plain, snapshot, after)
    found |= _add_successors(snapshot, found, after)
    return sorted(found.values(), key=lambda one: (_RANK[one.alignment], -one.confidence, one.document.path))


def _apply_state(
    verdict: RecordVerdict, snapshot: DocumentSnapshot, after: Mapping[str, tuple[str, ...]]
) -> RecordVerdict:
    """Downgrade the verdict on a record that does not hold; lower the confidence if it has no status."""
    gate = GATED.get(verdict.state)
    if gate:
        return evolve(verdict, alignment=RELATED, relation=gate, reason=_describe_gate(verdict, snapshot, after))
    return verdict if verdict.state.is_live else evolve(verdict, confidence=round(verdict.confidence * _UNSURE, 3))


def _describe_gate(verdict: RecordVerdict, snapshot: DocumentSnapshot, after: Mapping[str, tuple[str, ...]]) -> str:
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


def _add_successors(
    snapshot: DocumentSnapshot, found: Mapping[str, RecordVerdict], after: Mapping[str, tuple[str, ...]]
) -> dict[str, RecordVerdict]:
    """Return verdicts on the current successors of superseded records that match."""
    more = {}
    for path, verdict in sorted(found.items()):
        if verdict.state is DecisionState.SUPERSEDED:
            for document in follow_supersession(snapshot, verdict.document, after).live:
                if document.path not in found:
                    state = get_effective_state(snapshot, document, after)
                    reason = f"it supersedes {path}"
                    more[document.path] = RecordVerdict(
                        document, state, RELATED, "successor", verdict.confidence, reason
                    )
    return more
