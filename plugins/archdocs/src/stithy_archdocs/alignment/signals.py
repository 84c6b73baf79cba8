"""Run the rules that compare a proposal with a record.

Rules look at chosen and rejected options, polarity of equal names, competing names, practices, other ways to the same
end,
and shared subjects; see docs/adr/0026.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from attrs import evolve

from stithy_archdocs.alignment.deliberation import deliberates, tends
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.options import option_signals
from stithy_archdocs.alignment.practices import practice_signals
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.scope import elsewhere, purposes
from stithy_archdocs.alignment.signal import CONFLICTS, RELATED, SUPPORTS, Signal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.takes import take_signals
from stithy_archdocs.alignment.uses import Use, uses
from stithy_archdocs.alignment.ways import excludes, has_end_in, other_way, way_signals

_SURE = {"title": 0.9, "chosen": 0.9, "rejected": 0.85, "decision": 0.75}
_ORDER = ("chosen", "title", "rejected", "decision")


def signals(proposal: Proposal, reading: Reading, lexicon: Lexicon) -> list[Signal]:
    """Return all signals, the strongest first; names in the proposal are spelled as in the record."""
    found = [
        *_named(proposal, reading, lexicon),
        *option_signals(proposal, reading),
        *practice_signals(proposal, reading, lexicon),
        *way_signals(proposal, reading, lexicon),
        *take_signals(proposal, reading),
    ]
    near = _not_told_by(proposal)
    found = [_only_near(one) if one.alignment in near else one for one in found]
    return sorted(
        found, key=lambda one: (-one.confidence, one.relation, one.evidence.line if one.evidence else 0, one.reason)
    )


def _not_told_by(proposal: Proposal) -> frozenset[str]:
    """Return the alignments that a proposal cannot have: one that only asks, or only maintains what exists."""
    if deliberates(proposal.statements):
        return frozenset((SUPPORTS, CONFLICTS))
    return frozenset((SUPPORTS,)) if tends(proposal.statements) else frozenset()


def _only_near(signal: Signal) -> Signal:
    return evolve(
        signal, alignment=RELATED, relation="same_topic", rule="same-words", reason="both concern the same subject"
    )


def _named(proposal: Proposal, reading: Reading, lexicon: Lexicon) -> Iterator[Signal]:
    """Compare names: equal ones, wanted or not, and competing ones."""
    names = reading.names
    proposed = _strongest([use for statement in proposal.statements for use in uses(statement, lexicon, names)])
    recorded = _recorded(reading, lexicon, names)
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
    """Keep each name once: where the statement is about it, and the first such place."""
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


def _recorded(reading: Reading, lexicon: Lexicon, names: AbstractSet[str]) -> dict[str, Use]:
    """Return what a record states about each name; a chosen option counts more than other sentences."""
    kept: dict[str, Use] = {}
    for role in _ORDER:
        for statement in reading.statements:
            if statement.role == role and (role != "decision" or statement.cued):
                for use in uses(statement, lexicon, names):
                    if use.term not in kept or (not kept[use.term].main and use.main and role != "rejected"):
                        kept[use.term] = use
    return kept


def _same_name(use: Use, own: Use, reading: Reading, lexicon: Lexicon) -> Signal:
    sure = _SURE[own.statement.role]
    if not use.main:
        reason = f"both concern {use.name}"
        return Signal(RELATED, "same_topic", "same-name", 0.5, reason, own.statement)
    if not own.main and (own.purpose or own.statement.role != "title"):
        return Signal(RELATED, "same_topic", "same-name", 0.4, f"both are about {use.name}", own.statement)
    if use.sign == own.sign > 0 and excludes(use.statement, own.statement, lexicon):
        return other_way(own.statement)
    if use.sign == own.sign:
        reason = f"{use.name} was decided" if use.sign > 0 else f"{use.name} was not wanted either"
        rule = "chosen-option" if use.sign > 0 else "both-against"
        return Signal(SUPPORTS, "same_decision", rule, sure, reason, own.statement)
    if own.sign > 0 and not own.main:
        return Signal(RELATED, "same_topic", "same-name", 0.5, f"both are about {use.name}", own.statement)
    if own.sign > 0:
        made = Signal(
            CONFLICTS,
            "reverses",
            "polarity",
            sure,
            f"{use.name} was decided, and the proposal drops it",
            own.statement,
        )
    elif own.statement.role == "rejected":
        made = Signal(
            CONFLICTS,
            "rejected_option",
            "rejected-option",
            sure,
            f"{use.name} was considered and not chosen",
            own.statement,
        )
    else:
        made = Signal(
            CONFLICTS, "contradicts", "polarity", sure, f"the record decides against {use.name}", own.statement
        )
    return _in_scope(made, use.statement, reading, lexicon)


def _in_scope(signal: Signal, proposed: Statement, reading: Reading, lexicon: Lexicon) -> Signal:
    """Downgrade a conflict if the proposal is for another part."""
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
        if (
            slot
            and not (mentioned and mentioned.sign > 0)
            and (slot not in lexicon.several or has_end_in(use.statement, reading))
        ):
            sure = 0.7 if own.statement.role in ("title", "chosen") else 0.6
            reason = f"the record decides for {own.name}; {use.name} is another {slot.replace('_', ' ')}"
            yield _in_scope(
                Signal(CONFLICTS, "competitor", "competitor", sure, reason, own.statement),
                use.statement,
                reading,
                lexicon,
            )
        elif slot or lexicon.near(use.term, own.term):
            yield Signal(
                RELATED,
                "other_scope",
                "near-slot",
                0.3,
                f"{own.name} and {use.name} are near each other",
                own.statement,
            )
