"""Split a sentence into clauses: what is stated, and what only gives a reason, a condition or a description.

"Keep uploads in S3, so that only our app can get at them" states one thing and gives one reason. A reason decides
nothing,
but its words tell the subject.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from stithy_archdocs.alignment.signs import signs_of
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.verbs import is_finite, wishes
from stithy_archdocs.alignment.wordlists import listed

_SUBORDINATE = listed("subordinate")
_UNTIL = frozenset(("after", "before", "till", "until"))
_INDEFINITE = frozenset(("whatever", "where", "wherever", "whichever", "whoever", "whom", "whose"))
_SAYING = listed("saying")
_REASONS = frozenset(("because", "lest", "otherwise", "thanks", "whereas"))
_REASON_NEXT = listed("reason_next")
_SUBJECTS = listed("subjects")
_STOPS = frozenset((";", ".", "!", "?"))
_ENDS = frozenset((*_STOPS, ":", "(", ")", "–", "—", "but", "however"))  # noqa: RUF001 -- dashes as people write them
_COMPARES = frozenset((("rather", "than"), ("instead", "of")))
_BEFORE_WHICH = frozenset((",", "by", "from", "in", "through", "to", "with"))
_ASKING = listed("inquiring") | listed("choosing") | listed("reporting") | {"ask"}
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
class _State:
    """The state of the clause splitter.

    Args:
        kind: What the current words belong to: the main clause (empty), an aside or a reason.
        leads: Whether the aside or reason opened the sentence, so that a comma ends it.
    """

    kind: str = ""
    leads: bool = False


def clauses(sentence: Sequence[Token]) -> Iterator[Clause]:
    """Iterate over the clauses of a sentence, with signs; words beyond the first 300 are ignored."""
    for part, aside in _parts(sentence[:_MOST_WORDS]):
        signs, cued = signs_of(part)
        yield Clause(tuple(part), tuple(signs), cued, aside)


def _parts(sentence: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Iterate over the clauses, each with whether it is only a reason, condition or description."""
    part: list[Token] = []
    state = _State()
    for at, token in enumerate(sentence):
        after = _after(sentence, at, part, state)
        if after is None:
            part.append(token)
            continue
        if part:
            yield part, bool(state.kind)
        state = evolve(after, leads=after.leads or (bool(after.kind) and not part and not state.kind))
        part = [] if _is_mark(sentence, at) else [token]
    if part:
        yield part, bool(state.kind)


def _is_mark(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a word only separates clauses and belongs to none."""
    word = sentence[at].word
    compares = (word, _word(sentence, at + 1)) in _COMPARES
    return not compares and not (word in _SUBJECTS and _word(sentence, at - 1) in ("and", ","))


def _after(sentence: Sequence[Token], at: int, part: Sequence[Token], state: _State) -> _State | None:
    """Return the state after a word that separates clauses; None after any other word."""
    if _is_end(sentence, at):
        return _State() if sentence[at].word in _STOPS or state.kind != _REASON else state
    if part and sentence[at].word == "and" and _forbids(sentence, at + 1):
        return state
    if _returns(sentence, at, part, state):
        return _State()
    if tells_why(sentence, at):
        return _State(_ASIDE if sentence[at].word == "which" else _REASON)
    return _State(_ASIDE) if not state.kind and _sets_aside(sentence, at) else None


def _is_end(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a mark, or a "but" outside of "nothing but", ends a clause."""
    word = sentence[at].word
    return word in _ENDS and not (word == "but" and _word(sentence, at - 1) in _ALL)


def _returns(sentence: Sequence[Token], at: int, part: Sequence[Token], state: _State) -> bool:
    """Return whether a word leads back from an aside, or on to another clause."""
    word, before = sentence[at].word, _word(sentence, at - 1)
    if word == ",":
        return bool(part) and (state.kind == _ASIDE or state.leads or _opens(part))
    if state.kind == _ASIDE and (word, _word(sentence, at + 1)) in _COMPARES:
        return True
    if word == "so":
        return _concludes(sentence, at)
    return not state.kind and word in _SUBJECTS and before in ("and", ",") and _is_thought(sentence, at)


def _word(sentence: Sequence[Token], at: int) -> str:
    return sentence[at].word if 0 <= at < len(sentence) else ""


def _forbids(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a denial starts that does not affect the words before it: "keep X and do not use Y"."""
    word, after = _word(sentence, at), _word(sentence, at + 1)
    return word in ("don't", "don\u2019t") or (word, after) in (("do", "not"), ("no", "longer"))


def _opens(part: Sequence[Token]) -> bool:
    return part[0].word in ("instead", "rather", "without")


def _is_thought(sentence: Sequence[Token], at: int) -> bool:
    """Return whether an independent clause starts: "delete X, and the code becomes shorter"."""
    first = _word(sentence, at - 2) == "," or _word(sentence, at - 1) == ","
    return first and is_finite(_rest(sentence, at))


def _rest(sentence: Sequence[Token], at: int) -> list[Token]:
    """Return the words up to the next mark."""
    found: list[Token] = []
    for token in sentence[at:]:
        if token.is_mark:
            break
        found.append(token)
    return found


def _concludes(sentence: Sequence[Token], at: int) -> bool:
    """Return whether "so" introduces a wish: "it is slow, so let us drop it"."""
    return at > 0 and wishes(_rest(sentence, at + 1))


def tells_why(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a reason or a consequence starts at a word."""
    word, before, after = (_word(sentence, place) for place in (at, at - 1, at + 1))
    if word in _REASONS:
        return not (word == "otherwise" and before in ("", "or"))
    if word == "which":
        return before in _BEFORE_WHICH or (at > 0 and sentence[at - 1].telling and before not in _ASKING)
    if word in ("since", "given", "due"):
        return after == "to" if word == "due" else bool(after) and not after[0].isdigit() and before not in ("the", "a")
    if word == "so":
        return after in _REASON_NEXT or (before == "," and is_finite(_rest(sentence, at + 1)))
    if word != "as" or after == "to" or _word(sentence, at + 2) in _IDIOM.get(after, ()):
        return False
    return after in _REASON_NEXT or (before in (",", "") and is_finite(_rest(sentence, at + 1)))


def _sets_aside(sentence: Sequence[Token], at: int) -> bool:
    """Return whether a word introduces a time, a condition or a relative clause."""
    word, before = sentence[at].word, _word(sentence, at - 1)
    if word in _SUBORDINATE:
        return True
    if word == "that":
        return at > 0 and sentence[at - 1].telling and before not in _SAYING
    if word in _UNTIL:
        return is_finite(_rest(sentence, at + 1))
    return word in _INDEFINITE and before == ","
