"""The signals that a record gives to a proposal, in the order of the field notes on ADRs, section 6."""

from collections.abc import Iterator, Sequence

from attrs import evolve

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.options import option_signals
from stithy_archdocs.alignment.polarity import DROP
from stithy_archdocs.alignment.practices import practice_signals
from stithy_archdocs.alignment.reading import Proposal, Reading, Statement
from stithy_archdocs.alignment.scope import elsewhere, purposes
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.uses import Use, uses

_SURE = {"title": 0.9, "chosen": 0.9, "rejected": 0.85, "decision": 0.75}
_ORDER = ("chosen", "title", "rejected", "decision")
_SHARED_WEIGHT = 1.6


def signals(proposal: Proposal, reading: Reading, lexicon: Lexicon) -> list[Signal]:
    """Give all signals, the strongest first."""
    found = [
        *_named(proposal, reading, lexicon),
        *option_signals(proposal, reading),
        *practice_signals(proposal, reading, lexicon),
    ]
    if not any(one.alignment != RELATED for one in found):
        found += _topic(proposal, reading)
    return sorted(
        found, key=lambda one: (-one.confidence, one.relation, one.evidence.line if one.evidence else 0, one.reason)
    )


def _named(proposal: Proposal, reading: Reading, lexicon: Lexicon) -> Iterator[Signal]:
    """Compare names: the same one wanted or not, or two that exclude each other."""
    proposed = _strongest([use for statement in proposal.statements for use in uses(statement, lexicon)])
    recorded = _recorded(reading, lexicon)
    taken = {term for term, use in recorded.items() if use.sign > 0}
    for use in proposed.values():
        own = recorded.get(use.term)
        if own is not None:
            yield _same_name(use, own, reading, lexicon)
        if (own is None or not own.main) and use.sign > 0 and use.main:
            rivals = [
                recorded[term]
                for term in sorted(taken)
                if recorded[term].main and recorded[term].statement.role != "rejected"
            ]
            yield from _rivals(use, rivals, proposed, reading, lexicon)


def _strongest(found: Sequence[Use]) -> dict[str, Use]:
    """Take each name once: where it is what is spoken of, and first."""
    kept: dict[str, Use] = {}
    for use in found:
        before = kept.get(use.term)
        if (
            before is None
            or (use.main and not before.main)
            or (use.main and use.statement.cued and not before.statement.cued)
        ):
            kept[use.term] = use
    return kept


def _recorded(reading: Reading, lexicon: Lexicon) -> dict[str, Use]:
    """Give what a record says of each name; what is chosen counts more than what is told of it."""
    kept: dict[str, Use] = {}
    for role in _ORDER:
        for statement in reading.statements:
            if statement.role == role and (role != "decision" or statement.cued):
                for use in uses(statement, lexicon):
                    if use.term not in kept or (not kept[use.term].main and use.main and role != "rejected"):
                        kept[use.term] = use
    return kept


def _same_name(use: Use, own: Use, reading: Reading, lexicon: Lexicon) -> Signal:
    sure = _SURE[own.statement.role]
    if not use.main:
        reason = f"both are about {use.term}"
        return Signal(RELATED, "same_topic", "same-name", 0.5, reason, own.statement)
    if not own.main and own.statement.role in ("decision", "rejected", "chosen"):
        return Signal(RELATED, "same_topic", "same-name", 0.4, f"both are about {use.term}", own.statement)
    if use.sign == own.sign:
        reason = f"{use.term} was decided" if use.sign > 0 else f"{use.term} was not wanted either"
        rule = "chosen-option" if use.sign > 0 else "both-against"
        return Signal(SUPPORTS, "same_decision", rule, sure, reason, own.statement)
    if own.sign > 0 and not own.main:
        return Signal(RELATED, "same_topic", "same-name", 0.5, f"both are about {use.term}", own.statement)
    if own.sign > 0:
        made = Signal(
            CONFLICTS,
            "reverses",
            "polarity",
            sure,
            f"{use.term} was decided, and the proposal gives it up",
            own.statement,
        )
    elif own.statement.role == "rejected":
        made = Signal(
            CONFLICTS,
            "rejected_option",
            "rejected-option",
            sure,
            f"{use.term} was considered and not chosen",
            own.statement,
        )
    else:
        made = Signal(
            CONFLICTS, "contradicts", "polarity", sure, f"the record decides against {use.term}", own.statement
        )
    return _in_scope(made, use.statement, reading, lexicon)


def _in_scope(signal: Signal, proposed: Statement, reading: Reading, lexicon: Lexicon) -> Signal:
    """Take a conflict back where the proposal is for another part."""
    decided = [statement for statement in reading.statements if statement.role in ("title", "chosen")] or [
        statement for statement in reading.statements if statement.role == "decision"
    ]
    if signal.evidence is None or not elsewhere(
        purposes([proposed], lexicon), reading, [*decided, signal.evidence], lexicon
    ):
        return signal
    return evolve(
        signal,
        alignment=RELATED,
        relation="other_scope",
        confidence=0.5,
        reason=signal.reason + ", but for another part",
    )


def _rivals(
    use: Use, chosen: Sequence[Use], proposed: dict[str, Use], reading: Reading, lexicon: Lexicon
) -> Iterator[Signal]:
    for own in chosen:
        slot = lexicon.rivals(use.term, own.term)
        mentioned = proposed.get(own.term)
        if slot and not (mentioned and mentioned.sign > 0):
            sure = 0.7 if own.statement.role in ("title", "chosen") else 0.6
            reason = f"the record decides for {own.term}; {use.term} is another {slot.replace('_', ' ')}"
            yield _in_scope(
                Signal(CONFLICTS, "competitor", "competitor", sure, reason, own.statement),
                use.statement,
                reading,
                lexicon,
            )
        elif lexicon.near(use.term, own.term):
            yield Signal(
                RELATED,
                "other_scope",
                "near-slot",
                0.3,
                f"{own.term} and {use.term} are near each other",
                own.statement,
            )


def _topic(proposal: Proposal, reading: Reading) -> Iterator[Signal]:
    """Say that both are about the same; nothing below the floor."""
    said = {token.key: token.weight for token in proposal.words if token.telling and token.word not in DROP}
    total = sum(said.values())
    for known, least, sure in ((reading.topic, 0.3, 0.35), (reading.wide, 0.4, 0.25)):
        shared = sorted(key for key in said if key in known)
        weight = sum(said[key] for key in shared)
        if len(shared) > 1 and weight >= _SHARED_WEIGHT and weight / total >= least:
            reason = "both are about " + ", ".join(sorted(shared, key=lambda key: (-said[key], key))[:4])
            yield Signal(RELATED, "same_topic", "same-words", round(sure + 0.1 * weight / total, 3), reason)
            return
