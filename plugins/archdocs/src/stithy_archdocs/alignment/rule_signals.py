"""Run the rules that compare a proposal with a record.

Rules look at chosen and rejected options, polarity of equal names, competing names, practices, other ways to the same
end,
and shared subjects; see docs/adr/0026.
"""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from attrs import evolve, frozen

from stithy_archdocs.alignment.alignment_signal import CONFLICTS, RELATED, SUPPORTS, AlignmentSignal
from stithy_archdocs.alignment.clause_objects import is_object, is_title_subject
from stithy_archdocs.alignment.deliberation import is_deliberation, is_maintenance
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.means_and_purpose import PURPOSES, WITH, get_action
from stithy_archdocs.alignment.option_rules import find_option_signals, find_take_signals
from stithy_archdocs.alignment.polarity_cues import TAKE
from stithy_archdocs.alignment.practice_rules import find_practice_signals
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.way_rules import find_way_signals, has_end_in, is_exclusive, make_other_way_signal
from stithy_archdocs.alignment.word_lists import load_word_list
from stithy_archdocs.alignment.word_stems import STOP, get_generic_stems

_LEADS = TAKE | {"with", "by", "via", "using", "through", "as"}
_BESIDES = 2.0
_FOLLOWING = load_word_list("following")


@frozen
class NameUse:
    """A name in a statement.

    Args:
        term: Its key.
        name: The name for a reader.
        sign: 1 if it is wanted, -1 if not.
        main: Whether the statement is about it.
        purpose: Whether it belongs to the purpose.
        statement: The statement.
    """

    term: str
    name: str
    sign: int
    main: bool
    purpose: bool
    statement: Statement


def find_name_uses(statement: Statement, lexicon: Lexicon, own: AbstractSet[str]) -> Iterator[NameUse]:
    """Iterate over the names in a statement: those of the lexicon, and the record's own.

    In "the Kafka consumer" the name only says which consumer, so the statement is not about Kafka.
    """
    for at, (token, sign) in enumerate(zip(statement.tokens, statement.signs, strict=True)):
        if token.term in lexicon.slots or token.key in own:
            name = token.term if token.term in lexicon.slots else token.text
            main = _is_main(statement, at, lexicon, own)
            yield NameUse(token.key, name, sign, main, _is_purpose(statement, at), statement)


def _is_main(statement: Statement, at: int, lexicon: Lexicon, own: AbstractSet[str]) -> bool:
    if statement.role in ("chosen", "rejected"):
        return _is_option(statement, at)
    if (
        (at and statement.tokens[at - 1].word == "of")
        or _is_compound(statement.tokens, at, lexicon)
        or _is_purpose(statement, at)
    ):
        return False
    if statement.role == "title":
        return is_title_subject(statement.tokens, at) or statement.tokens[at].key in own
    return statement.role != "decision" or is_object(statement.tokens, at)


def _is_option(statement: Statement, at: int) -> bool:
    """Return whether an option is a name, and not a sentence that contains one."""
    besides = sum(token.weight for token in statement.tokens if not token.term)
    return besides <= _BESIDES or not any(token.is_distinctive for token in statement.tokens[:at])


def _is_purpose(statement: Statement, at: int) -> bool:
    """Return whether a name says what something is for: "use Swift to build watchOS apps"."""
    leads = [token.word for token in statement.tokens[:at] if token.word in PURPOSES or token.word in WITH]
    if leads and leads[-1] in PURPOSES and not statement.means[at]:
        return True
    return (
        not statement.means[at]
        and not get_action(statement.tokens)
        and any(
            inside and token.is_distinctive
            for inside, token in zip(statement.means[:at], statement.tokens, strict=False)
        )
    )


def _is_compound(words: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or not after.is_distinctive or (at and words[at - 1].word in _LEADS) or _has_task(words, at):
        return False
    if after.term:
        return not lexicon.find_shared_slot(words[at].term, after.term)
    kinds = lexicon.get_slot_words(lexicon.slots.get(words[at].term, ()))
    beyond = words[at + 2] if at + 2 < len(words) else None
    verb = after.word.endswith(("ed", "ing")) and (beyond is None or beyond.word in STOP)
    return not (after.word in _FOLLOWING or after.stem in kinds or after.stem in get_generic_stems() or verb)


def _has_task(words: Sequence[Token], at: int) -> bool:
    """Return whether a name gets a task: "let Flux deploy it"; not "let Dependabot open its requests"."""
    own = any(token.word in ("its", "their") for token in words[at + 1 : at + 4])
    return at > 0 and words[at - 1].word in ("have", "let") and not own


_PURPOSE_LEADS = load_word_list("purpose_leads")
_NO_PURPOSE = load_word_list("no_purpose")
_EVERYWHERE = load_word_list("everywhere")
_PURPOSE_STOPS = load_word_list("purpose_stops")


def find_purposes(statements: Iterable[Statement], lexicon: Lexicon) -> frozenset[str]:
    """Return the stems that say what something is for: words after "for", "in" etc. that are not names or kinds."""
    return frozenset(word for statement in statements for word in _iterate_purposes(statement.tokens, lexicon))


def _iterate_purposes(words: Sequence[Token], lexicon: Lexicon) -> Iterator[str]:
    kinds = lexicon.get_slot_words(slot for token in words if token.term for slot in lexicon.slots.get(token.term, ()))
    inside = False
    for token in words:
        if token.word in _PURPOSE_LEADS:
            inside = True
        elif token.is_mark or token.word in _PURPOSE_STOPS:
            inside = inside and token.word in ("and", "or", ",")
        elif (
            inside
            and token.is_distinctive
            and not token.term
            and token.stem not in kinds
            and token.stem not in get_generic_stems()
            and token.word not in _NO_PURPOSE
        ):
            yield token.stem


def is_global(statement: Statement) -> bool:
    """Return whether a statement applies to the whole system."""
    return any(token.word in _EVERYWHERE for token in statement.tokens)


def is_elsewhere(
    proposed: frozenset[str], reading: ParsedRecord, record: Sequence[Statement], lexicon: Lexicon
) -> bool:
    """Return whether a proposal is for a part that a record with another purpose does not mention."""
    if not proposed or proposed & reading.wide:
        return False
    return bool(find_purposes(record, lexicon)) and not any(is_global(statement) for statement in record)


_SURE = {"title": 0.9, "chosen": 0.9, "rejected": 0.85, "decision": 0.75}
_ORDER = ("chosen", "title", "rejected", "decision")


def find_signals(proposal: Proposal, reading: ParsedRecord, lexicon: Lexicon) -> list[AlignmentSignal]:
    """Return all signals, the strongest first; names in the proposal are spelled as in the record."""
    found = [
        *_compare_names(proposal, reading, lexicon),
        *find_option_signals(proposal, reading),
        *find_practice_signals(proposal, reading, lexicon),
        *find_way_signals(proposal, reading, lexicon),
        *find_take_signals(proposal, reading),
    ]
    near = _get_excluded_alignments(proposal)
    found = [_downgrade(one) if one.alignment in near else one for one in found]
    return sorted(
        found, key=lambda one: (-one.confidence, one.relation, one.evidence.line if one.evidence else 0, one.reason)
    )


def _get_excluded_alignments(proposal: Proposal) -> frozenset[str]:
    """Return the alignments that a proposal cannot have: one that only asks, or only maintains what exists."""
    if is_deliberation(proposal.statements):
        return frozenset((SUPPORTS, CONFLICTS))
    return frozenset((SUPPORTS,)) if is_maintenance(proposal.statements) else frozenset()


def _downgrade(signal: AlignmentSignal) -> AlignmentSignal:
    return evolve(
        signal, alignment=RELATED, relation="same_topic", rule="same-words", reason="both concern the same subject"
    )


def _compare_names(proposal: Proposal, reading: ParsedRecord, lexicon: Lexicon) -> Iterator[AlignmentSignal]:
    """Compare names: equal ones, wanted or not, and competing ones."""
    names = reading.names
    proposed = _keep_strongest(
        [use for statement in proposal.statements for use in find_name_uses(statement, lexicon, names)]
    )
    recorded = _collect_recorded(reading, lexicon, names)
    taken = {term for term, use in recorded.items() if use.sign > 0}
    for use in proposed.values():
        own = recorded.get(use.term)
        if own is not None:
            yield _compare_same_name(use, own, reading, lexicon)
        if (own is None or not own.main) and use.sign > 0 and use.main:
            rivals = [
                recorded[term]
                for term in sorted(taken)
                if recorded[term].main and recorded[term].statement.role != "rejected"
            ]
            yield from _compare_rivals(use, rivals, proposed, reading, lexicon)


def _keep_strongest(found: Sequence[NameUse]) -> dict[str, NameUse]:
    """Keep each name once: where the statement is about it, and the first such place."""
    kept: dict[str, NameUse] = {}
    for use in found:
        before = kept.get(use.term)
        if (
            before is None
            or (use.main and not before.main)
            or (use.main and use.statement.cued and not before.statement.cued)
        ):
            kept[use.term] = use
    return kept


def _collect_recorded(reading: ParsedRecord, lexicon: Lexicon, names: AbstractSet[str]) -> dict[str, NameUse]:
    """Return what a record states about each name; a chosen option counts more than other sentences."""
    kept: dict[str, NameUse] = {}
    for role in _ORDER:
        for statement in reading.statements:
            if statement.role == role and (role != "decision" or statement.cued):
                for use in find_name_uses(statement, lexicon, names):
                    if use.term not in kept or (not kept[use.term].main and use.main and role != "rejected"):
                        kept[use.term] = use
    return kept


def _compare_same_name(use: NameUse, own: NameUse, reading: ParsedRecord, lexicon: Lexicon) -> AlignmentSignal:
    sure = _SURE[own.statement.role]
    if not use.main:
        reason = f"both concern {use.name}"
        return AlignmentSignal(RELATED, "same_topic", "same-name", 0.5, reason, own.statement)
    if not own.main and (own.purpose or own.statement.role != "title"):
        return AlignmentSignal(RELATED, "same_topic", "same-name", 0.4, f"both are about {use.name}", own.statement)
    if use.sign == own.sign > 0 and is_exclusive(use.statement, own.statement, lexicon):
        return make_other_way_signal(own.statement)
    if use.sign == own.sign:
        reason = f"{use.name} was decided" if use.sign > 0 else f"{use.name} was not wanted either"
        rule = "chosen-option" if use.sign > 0 else "both-against"
        return AlignmentSignal(SUPPORTS, "same_decision", rule, sure, reason, own.statement)
    if own.sign > 0 and not own.main:
        return AlignmentSignal(RELATED, "same_topic", "same-name", 0.5, f"both are about {use.name}", own.statement)
    if own.sign > 0:
        made = AlignmentSignal(
            CONFLICTS,
            "reverses",
            "polarity",
            sure,
            f"{use.name} was decided, and the proposal drops it",
            own.statement,
        )
    elif own.statement.role == "rejected":
        made = AlignmentSignal(
            CONFLICTS,
            "rejected_option",
            "rejected-option",
            sure,
            f"{use.name} was considered and not chosen",
            own.statement,
        )
    else:
        made = AlignmentSignal(
            CONFLICTS, "contradicts", "polarity", sure, f"the record decides against {use.name}", own.statement
        )
    return _apply_scope(made, use.statement, reading, lexicon)


def _apply_scope(
    signal: AlignmentSignal, proposed: Statement, reading: ParsedRecord, lexicon: Lexicon
) -> AlignmentSignal:
    """Downgrade a conflict if the proposal is for another part."""
    decided = [statement for statement in reading.statements if statement.role in ("title", "chosen")] or [
        statement for statement in reading.statements if statement.role == "decision"
    ]
    if signal.evidence is None or not is_elsewhere(
        find_purposes([proposed], lexicon), reading, [*decided, signal.evidence], lexicon
    ):
        return signal
    return evolve(
        signal,
        alignment=RELATED,
        relation="other_scope",
        confidence=0.5,
        reason=signal.reason + ", but for another part",
    )


def _compare_rivals(
    use: NameUse, chosen: Sequence[NameUse], proposed: dict[str, NameUse], reading: ParsedRecord, lexicon: Lexicon
) -> Iterator[AlignmentSignal]:
    for own in chosen:
        slot = lexicon.find_shared_slot(use.term, own.term)
        mentioned = proposed.get(own.term)
        if (
            slot
            and not (mentioned and mentioned.sign > 0)
            and (slot not in lexicon.several or has_end_in(use.statement, reading))
        ):
            sure = 0.7 if own.statement.role in ("title", "chosen") else 0.6
            reason = f"the record decides for {own.name}; {use.name} is another {slot.replace('_', ' ')}"
            yield _apply_scope(
                AlignmentSignal(CONFLICTS, "competitor", "competitor", sure, reason, own.statement),
                use.statement,
                reading,
                lexicon,
            )
        elif slot or lexicon.is_same_family(use.term, own.term):
            yield AlignmentSignal(
                RELATED,
                "other_scope",
                "near-slot",
                0.3,
                f"{own.name} and {use.name} are near each other",
                own.statement,
            )
