"""Compare a proposal with the options of a record, by words that all options want alike or all reject."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.alignment_signal import CONFLICTS, SUPPORTS, AlignmentSignal
from stithy_archdocs.alignment.polarity_cues import ACTIONS, DROP, DROPPED
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token

_LEFT, _TAKEN = 0.66, 0.6


def find_take_signals(proposal: Proposal, reading: ParsedRecord) -> Iterator[AlignmentSignal]:
    """Iterate over signals where a proposal contains everything that a title or a chosen option adopts."""
    for own in reading.statements:
        wanted = _get_means(own) if own.role == "chosen" or (own.role == "title" and own.takes) else {}
        for statement in proposal.statements if wanted else ():
            said = {token.key: sign for token, sign in statement.iterate_distinctive()}
            if wanted.keys() <= said.keys():
                yield from _compare_takes(statement, own, {said[key] * sign for key, sign in wanted.items()})


def _compare_takes(statement: Statement, own: Statement, agreements: set[int]) -> Iterator[AlignmentSignal]:
    if agreements == {-1}:
        reason = "one of the two adopts what the other drops"
        yield AlignmentSignal(CONFLICTS, "reverses", "polarity", _LEFT, reason, own)
    elif agreements == {1} and statement.has_way and _get_means(own).keys() <= _get_means(statement).keys():
        yield AlignmentSignal(SUPPORTS, "same_decision", "chosen-option", _TAKEN, "it adopts what was decided", own)


def _get_means(statement: Statement) -> dict[str, int]:
    """Return the signs of the words of a means, by key."""
    told = zip(statement.tokens, statement.signs, statement.means, strict=True)
    return {
        token.key: sign
        for token, sign, inside in told
        if inside and token.weight >= 1 and token.word not in DROP and token.word not in DROPPED
    }


_NAMED = 0.6
_MEANT = 0.34
_ENOUGH = 2
_SHARED = 0.5


def find_option_signals(proposal: Proposal, reading: ParsedRecord) -> Iterator[AlignmentSignal]:
    """Iterate over the signal of the best matching option; at most one."""
    options = [statement for statement in reading.statements if statement.role in ("chosen", "rejected")]
    wills = _collect_wills(options)
    found = [
        (share, agreement, option)
        for option in options
        for statement in proposal.statements
        for share, agreement in _compare_option(statement, option, wills, reading)
    ]
    if found:
        share, agreement, option = max(found, key=lambda one: (one[0], one[2].role == "chosen", -one[2].line))
        yield _make_option_signal(option, agreement, sure=0.5 + 0.3 * share)


@frozen
class OptionWill:
    """Whether the record wants a word (sign 1) or not (-1), and its weight: lower if several options share it."""

    sign: int
    weight: float


def _collect_wills(options: Sequence[Statement]) -> Mapping[str, OptionWill]:
    """Return the signs of words that options agree on, by key."""
    signs: dict[str, list[int]] = defaultdict(list)
    for option in options:
        for token, sign in _iterate_means(option):
            signs[token.key].append(sign)
    return {
        key: OptionWill(wanted[0], 1.0 if len(wanted) == 1 else _SHARED)
        for key, wanted in signs.items()
        if len(set(wanted)) == 1
    }


def _iterate_means(statement: Statement) -> Iterator[tuple[Token, int]]:
    """Iterate over the tokens of a statement's means, each with its sign."""
    for token, sign, inside in zip(statement.tokens, statement.signs, statement.means, strict=True):
        if inside and token.weight and token.word not in DROP and token.word not in DROPPED:
            yield token, sign


def _compare_option(
    statement: Statement, option: Statement, wills: Mapping[str, OptionWill], reading: ParsedRecord
) -> Iterator[tuple[float, int]]:
    """Iterate over pairs: the share of an option that is named, and whether proposal and record agree (above 0)."""
    own = {
        token.key: token.weight * wills[token.key].weight for token, _ in _iterate_means(option) if token.key in wills
    }
    said = {token.key: (token.weight, sign) for token, sign in _iterate_means(statement)}
    shared = own.keys() & said.keys()
    if not shared or sum(said[key][0] for key in shared) < 1:
        return
    share = sum(own[key] for key in shared) / sum(own.values())
    meant = sum(said[key][0] for key in shared) / sum(weight for weight, _ in said.values())
    besides = {
        token.key for token, _ in statement.iterate_distinctive() if token.word not in ACTIONS
    } & reading.topic - own.keys()
    if share >= _NAMED and meant >= _MEANT and (besides or len(shared) > _ENOUGH or share * meant == 1):
        yield share, sum(said[key][1] * wills[key].sign for key in shared)


def _make_option_signal(option: Statement, agreement: int, sure: float) -> AlignmentSignal:
    if agreement > 0:
        return AlignmentSignal(
            SUPPORTS, "same_decision", "chosen-option", sure, "it agrees with the chosen option", option
        )
    relation = "reverses" if option.role == "chosen" else "rejected_option"
    rule = "polarity" if option.role == "chosen" else "rejected-option"
    reason = "it drops the chosen option" if option.role == "chosen" else "it was considered and not chosen"
    return AlignmentSignal(CONFLICTS, relation, rule, sure, reason, option)
