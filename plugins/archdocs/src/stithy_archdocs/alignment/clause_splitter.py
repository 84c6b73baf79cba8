"""Split a sentence into clauses: what is stated, and what only gives a reason, a condition or a description.

"Keep uploads in S3, so that only our app can get at them" states one thing and gives one reason. A reason decides
nothing,
but its words tell the subject.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from stithy_archdocs.alignment.finite_verbs import is_finite, is_wish
from stithy_archdocs.alignment.polarity_cues import (
    ACTIONS,
    ADOPT,
    BE,
    CHOICES,
    DROPPED,
    MOVE,
    THOUGHTS,
    is_left,
    is_negated,
    measure_drop_cue,
)
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

_SWITCH = load_word_list("switch")
_TAKEN = frozenset(("adopted", "chosen", "selected", "used"))
_CHOSE = frozenset(("adopted", "chose", "favored", "favoured", "opted", "picked", "preferred", "selected"))
_WHO = frozenset(("finally", "have", "i", "team", "then", "they", "we"))
_INTENTIONS = load_word_list("intentions")
_JOINS = frozenset(("and", ",", "then", "–", "—", "to", "favour", "favor"))  # noqa: RUF001 -- dashes as people write them
_DETERMINERS = load_word_list("determiners")
_BANS = load_word_list("bans")
_UNWISHED = frozenset(("avoid", "cease", "never", "not", "quit", "stop"))
_ENDED_BY_TO = load_word_list("ended_by_to")
"""First words of cues whose second object is wanted: "replace X by Y", "migrate from X to Y"."""
_NEAREST = 2


@frozen
class _Scope:
    """The cue that is in effect at a word.

    Args:
        sign: 1 if the words are wanted, -1 if not.
        since: Index of the last word of the cue; far negative before the first one.
        joined: Whether a joining word such as "and" came since.
    """

    sign: int = 1
    since: int = -9
    joined: bool = False


def assign_signs(part: Sequence[Token]) -> tuple[list[int], bool]:
    """Return the signs of a clause, and whether a verb of wanting or rejecting occurs in it.

    Returns:
        A pair: for each token 1 or -1, and the flag.
    """
    words = [token.word for token in part]
    signs, cued = _scan_words(words)
    _mark_moved(part, signs)  # before negation, which inverts its result as well
    turned = is_negated(words)
    return [_resolve_zero(-sign if turned else sign) for sign in signs], cued or turned


def _scan_words(words: Sequence[str]) -> tuple[list[int], bool]:
    """Return the signs before negation as 1, 0 or -1, and the flag; a cue changes words after or before it."""
    signs: list[int] = []
    scope, cued, at = _Scope(), False, 0
    while at < len(words):
        length = measure_drop_cue(words, at)
        left = not length and is_left(words, at)
        if length:
            scope = _Scope(_get_sign_after(words, at, scope), at + length - 1)
        elif left or (scope.sign < 0 and _is_scope_end(words, at, scope)):
            scope = evolve(scope, sign=1)
        if left:
            signs = [-one for one in signs]  # "X is replaced by": the cue applies to the words before it
        elif length and _is_only_moved(words, at):
            signs = [min(one, 0) for one in signs]  # 0: "move Y off X" says nothing about Y; see _resolve_zero
        cued = cued or left or bool(length) or _is_cue_verb(words, at)
        scope = evolve(scope, joined=not length and (scope.joined or _is_joining(words, at)))
        signs += [scope.sign] * (length or 1)
        at += length or 1
    return signs, cued


def _resolve_zero(sign: int) -> int:
    """Resolve 0: a word that only lost its place ("never move Y off X") counts as wanted."""
    return sign or 1


def _get_sign_after(words: Sequence[str], at: int, scope: _Scope) -> int:
    """Return the sign after a cue; two cues in a row cancel each other: "stop avoiding X", "lift the ban on X"."""
    near = scope.sign < 0 and at - scope.since <= _NEAREST
    return 1 if near and (words[scope.since] in _UNWISHED or words[at] in _BANS) else -1


def _is_only_moved(words: Sequence[str], at: int) -> bool:
    """Return whether the words before only lose their place: "move Y off X" states nothing against Y."""
    return words[at] in ("from", "off") or words[at : at + 2] in (["away", "from"], ["out", "of"], ["other", "than"])


def _is_joining(words: Sequence[str], at: int) -> bool:
    """Return whether a word may start a new action; not so "to" in "the decision to use X"."""
    return words[at] in _JOINS and not (at and words[at - 1] in _INTENTIONS)


def _is_cue_verb(words: Sequence[str], at: int) -> bool:
    word, before = words[at], words[at - 1] if at else ""
    if word in ADOPT or word in DROPPED or word in MOVE or (word in _TAKEN and before in BE):
        return True
    return (word in _CHOSE and before in _WHO) or (word in BE and before in CHOICES)


def _is_scope_end(words: Sequence[str], at: int, scope: _Scope) -> bool:
    """Return whether the unwanted words end before a word."""
    word, cue, far = words[at], words[scope.since], at - scope.since > 1
    if word in ("favour", "favor") or (word == "for" and cue in ("over", "of", "than")):
        return True
    if word in _SWITCH and far and (cue in _ENDED_BY_TO or words[scope.since - 1 : scope.since + 1] == ["out", "of"]):
        return not (word == "to" and words[at + 1 : at + 2] == ["be"])
    return far and ((scope.joined and word in (ADOPT | MOVE)) or _starts_action(words, at))


def _starts_action(words: Sequence[str], at: int) -> bool:
    """Return whether a verb after "and" starts a new action: "drop X and point its users to Y"."""
    if words[at - 1] not in ("and", "then", ","):
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    plain = words[at] not in _DETERMINERS and not words[at].endswith(("s", "ing", "ed")) and words[at] not in _JOINS
    return words[at] in ACTIONS or words[at] in THOUGHTS or (plain and after in _DETERMINERS)


def _mark_moved(part: Sequence[Token], signs: list[int]) -> None:
    """Mark the source of a move as unwanted, in place: "migrate RabbitMQ to Kafka"."""
    if not any(token.word in MOVE or token.word in ("rewrite", "port") for token in part):
        return
    for at, token in enumerate(part):
        if token.term and any(one.word in ("to", "onto", "into") for one in part[at + 1 : at + 2]):
            later = [one for one in part[at + 2 : at + 5] if one.term and one.term != token.term]
            if later:
                signs[at] = -1


_SUBORDINATE = load_word_list("subordinate")
_UNTIL = frozenset(("after", "before", "till", "until"))
_INDEFINITE = frozenset(("whatever", "where", "wherever", "whichever", "whoever", "whom", "whose"))
_SAYING = load_word_list("saying")
_REASONS = frozenset(("because", "lest", "otherwise", "thanks", "whereas"))
_REASON_NEXT = load_word_list("reason_next")
_SUBJECTS = load_word_list("subjects")
_STOPS = frozenset((";", ".", "!", "?"))
_ENDS = frozenset((*_STOPS, ":", "(", ")", "–", "—", "but", "however"))  # noqa: RUF001 -- dashes as people write them
_COMPARES = frozenset((("rather", "than"), ("instead", "of")))
_BEFORE_WHICH = frozenset((",", "by", "from", "in", "through", "to", "with"))
_ASKING = load_word_list("inquiring") | load_word_list("choosing") | load_word_list("reporting") | {"ask"}
"""Verbs after which "which" introduces a question and not a reason."""
_ALL = frozenset(("all", "anything", "nothing", "none"))
_IDIOM = {"it": ("is", "was", "stands"), "they": ("are", "were")}
"""Words after "as" that give no reason: "leave it as it is"."""
_MOST_WORDS = 300
_ASIDE, _REASON = "aside", "reason"


@frozen
class Clause:
    """A clause of a sentence.

    Args:
        tokens: Its tokens.
        signs: For each token, 1 if it is wanted, -1 if not.
        cued: Whether it contains a verb of wanting or rejecting.
        reason: Whether it only gives a reason, a condition or a description.
    """

    tokens: tuple[Token, ...]
    signs: tuple[int, ...]
    cued: bool
    reason: bool = False


@frozen
class _SplitState:
    """The state of the clause splitter.

    Args:
        kind: What the current words belong to: the main clause (empty), an aside or a reason.
        leads: Whether the aside or reason opened the sentence, so that a comma ends it.
    """

    kind: str = ""
    leads: bool = False


def split_clauses(sentence: Sequence[Token]) -> Iterator[Clause]:
    """Iterate over the clauses of a sentence, with signs; words beyond the first 300 are ignored."""
    for part, aside in _iterate_parts(sentence[:_MOST_WORDS]):
        signs, cued = assign_signs(part)
        yield Clause(tuple(part), tuple(signs), cued, aside)


def _iterate_parts(sentence: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Iterate over the clauses, each with whether it is only a reason, condition or description."""
    part: list[Token] = []
    state = _SplitState()
    for at, token in enumerate(sentence):
        after = _get_next_state(sentence, at, part, state)
        if after is None:
            part.append(token)
            continue
        if part:
            yield part, bool(state.kind)
        # A reason that opens a sentence ("Since X is slow, use Y") ends at the next comma; a later reason does not.
        state = evolve(after, leads=after.leads or (bool(after.kind) and not part and not state.kind))
        part = [] if _is_separator(sentence, at) else [token]
    if part:
        yield part, bool(state.kind)


def _is_separator(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a word only separates clauses and belongs to none."""
    word = sentence[at].word
    compares = (word, _get_word(sentence, at + 1)) in _COMPARES
    return not compares and not (word in _SUBJECTS and _get_word(sentence, at - 1) in ("and", ","))


def _get_next_state(
    sentence: Sequence[Token], at: int, part: Sequence[Token], state: _SplitState
) -> _SplitState | None:
    """Return the state after a word that separates clauses; None after any other word."""
    if _is_end(sentence, at):
        return _SplitState() if sentence[at].word in _STOPS or state.kind != _REASON else state
    if part and sentence[at].word == "and" and _starts_denial(sentence, at + 1):
        return state
    if _leads_back(sentence, at, part, state):
        return _SplitState()
    if introduces_reason(sentence, at):
        return _SplitState(_ASIDE if sentence[at].word == "which" else _REASON)
    return _SplitState(_ASIDE) if not state.kind and _introduces_aside(sentence, at) else None


def _is_end(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a mark, or a "but" outside of "nothing but", ends a clause."""
    word = sentence[at].word
    return word in _ENDS and not (word == "but" and _get_word(sentence, at - 1) in _ALL)


def _leads_back(sentence: Sequence[Token], at: int, part: Sequence[Token], state: _SplitState) -> bool:
    """Return whether a word leads back from an aside, or on to another clause."""
    word, before = sentence[at].word, _get_word(sentence, at - 1)
    if word == ",":
        return bool(part) and (state.kind == _ASIDE or state.leads or _is_opening(part))
    if state.kind == _ASIDE and (word, _get_word(sentence, at + 1)) in _COMPARES:
        return True
    if word == "so":
        return _introduces_wish(sentence, at)
    return not state.kind and word in _SUBJECTS and before in ("and", ",") and _is_independent(sentence, at)


def _get_word(sentence: Sequence[Token], at: int) -> str:
    return sentence[at].word if 0 <= at < len(sentence) else ""


def _starts_denial(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a denial starts that does not affect the words before it: "keep X and do not use Y"."""
    word, after = _get_word(sentence, at), _get_word(sentence, at + 1)
    return word in ("don't", "don\u2019t") or (word, after) in (("do", "not"), ("no", "longer"))


def _is_opening(part: Sequence[Token]) -> bool:
    return part[0].word in ("instead", "rather", "without")


def _is_independent(sentence: Sequence[Token], at: int) -> bool:
    """Return whether an independent clause starts: "delete X, and the code becomes shorter"."""
    first = _get_word(sentence, at - 2) == "," or _get_word(sentence, at - 1) == ","
    return first and is_finite(_get_rest(sentence, at))


def _get_rest(sentence: Sequence[Token], at: int) -> list[Token]:
    """Return the words up to the next mark."""
    found: list[Token] = []
    for token in sentence[at:]:
        if token.is_mark:
            break
        found.append(token)
    return found


def _introduces_wish(sentence: Sequence[Token], at: int) -> bool:
    """Return whether "so" introduces a wish: "it is slow, so let us drop it"."""
    return at > 0 and is_wish(_get_rest(sentence, at + 1))


def introduces_reason(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a reason or a consequence starts at a word."""
    word, before, after = (_get_word(sentence, place) for place in (at, at - 1, at + 1))
    if word in _REASONS:
        return not (word == "otherwise" and before in ("", "or"))
    if word == "which":
        return before in _BEFORE_WHICH or (at > 0 and sentence[at - 1].is_distinctive and before not in _ASKING)
    if word in ("since", "given", "due"):
        return after == "to" if word == "due" else bool(after) and not after[0].isdigit() and before not in ("the", "a")
    if word == "so":
        return after in _REASON_NEXT or (before == "," and is_finite(_get_rest(sentence, at + 1)))
    if word != "as" or after == "to" or _get_word(sentence, at + 2) in _IDIOM.get(after, ()):
        return False
    return after in _REASON_NEXT or (before in (",", "") and is_finite(_get_rest(sentence, at + 1)))


def _introduces_aside(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a word introduces a time, a condition or a relative clause."""
    word, before = sentence[at].word, _get_word(sentence, at - 1)
    if word in _SUBORDINATE:
        return True
    if word == "that":
        return at > 0 and sentence[at - 1].is_distinctive and before not in _SAYING
    if word in _UNTIL:
        return is_finite(_get_rest(sentence, at + 1))
    return word in _INDEFINITE and before == ","
