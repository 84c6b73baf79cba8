"""Match names with two spellings: "WorkManager" and "Work Manager", "USWDS" and "US Web Design System".

The names of a proposal are replaced by the record's spelling; no lexicon needs to know them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from attrs import evolve, frozen

from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token

_LONGEST = 5
_LEAST_JOINED = 6
_LEAST_INITIALS, _LEAST_PLAIN = 3, 4
"""Letters of a name that is joined, of initials of words with capitals, and of those of any words."""

_SHORT = 2
"""Letters of an abbreviation that another one contains whole: "US" in "USWDS"."""
_LINKS = frozenset(("and", "for", "in", "of", "the"))

SpellingMap = Mapping[str, tuple[Token, ...]]


@frozen
class Spellings:
    """Possible names and their spellings.

    Args:
        whole: Names of one word, by their form.
        parted: Names of several words, by their joined form and by their initials.
    """

    whole: SpellingMap
    parted: SpellingMap


def collect_spellings(statements: Iterable[Statement]) -> Spellings:
    """Collect the spellings of possible names in statements."""
    whole: dict[str, tuple[Token, ...]] = {}
    parted: dict[str, tuple[Token, ...]] = {}
    for statement in statements:
        for at, token in enumerate(statement.tokens):
            if form := _get_form(token):
                whole.setdefault(form, (token,))
            for window in _iterate_windows(statement.tokens, at):
                for one in _iterate_forms(window):
                    parted.setdefault(one, window)
    return Spellings(whole, parted)


def respell(statement: Statement, ours: Spellings, theirs: Spellings, topic: AbstractSet[str]) -> Statement:
    """Return a statement with names spelled as in a record, unless its topic has them in the proposal's spelling."""
    split = _find_missing(ours.whole, theirs.parted, topic)
    joined = _find_missing(ours.parted, theirs.whole, topic)
    if not split and not joined:
        return statement
    found = list(_iterate_respelled(statement, split, joined))
    return evolve(statement, tokens=tuple(token for token, _ in found), signs=tuple(sign for _, sign in found))


def _find_missing(ours: SpellingMap, theirs: SpellingMap, topic: AbstractSet[str]) -> SpellingMap:
    """Return the record's spellings of names that its topic does not have in ours."""
    return {
        form: theirs[form]
        for form in ours.keys() & theirs.keys()
        if any(_is_significant(token) and token.key not in topic for token in ours[form])
    }


def _iterate_respelled(statement: Statement, split: SpellingMap, joined: SpellingMap) -> Iterator[tuple[Token, int]]:
    at = 0
    while at < len(statement.tokens):
        found, length = _find_other(statement.tokens, at, split, joined)
        for token in found:
            yield token, statement.signs[at]
        at += length


def _find_other(
    words: Sequence[Token], at: int, split: SpellingMap, joined: SpellingMap
) -> tuple[tuple[Token, ...], int]:
    """Return the record's spelling of the words at an index, and how many words it replaces."""
    for window in _iterate_windows(words, at):
        for form in _iterate_forms(window):
            if form in joined:
                return joined[form], len(window)
    return split.get(_get_form(words[at]), (words[at],)), 1


def _iterate_windows(words: Sequence[Token], at: int) -> Iterator[tuple[Token, ...]]:
    """Iterate over the two to five words that start at an index, the longest first."""
    end = at
    while end < min(at + _LONGEST, len(words)) and _may_be_part(words[end]):
        end += 1
    for stop in range(end, at + 1, -1):
        if _is_significant(words[at]) and _is_significant(words[stop - 1]):
            yield tuple(words[at:stop])


def _may_be_part(token: Token) -> bool:
    """Return whether a word may be part of an unknown name."""
    return token.word in _LINKS or (_is_significant(token) and not _is_known(token))


def _is_significant(token: Token) -> bool:
    """Return whether a word counts in a name: "US" does, "us" does not."""
    return token.is_distinctive or (token.text.isupper() and len(token.text) == _SHORT)


def _is_known(token: Token) -> bool:
    return bool(token.term) and token.term != token.stem


def _get_form(token: Token) -> str:
    if _is_known(token):
        return ""
    if token.text.isupper():
        return token.text if len(token.text) >= _LEAST_INITIALS else ""
    return token.word if len(token.word) >= _LEAST_JOINED else ""


def _iterate_forms(window: Sequence[Token]) -> Iterator[str]:
    """Iterate over the forms of several words: joined, and their initials."""
    telling = [token for token in window if _is_significant(token)]
    if len(telling) == len(window) and sum(len(token.word) for token in window) >= _LEAST_JOINED:
        yield "".join(token.word for token in window)
    short = [token.text if token.text.isupper() and len(token.text) <= _SHORT else token.text[0] for token in telling]
    initials = "".join(short).upper()
    capital = all(token.text[0].isupper() for token in telling)
    if len(initials) >= (_LEAST_INITIALS if capital else _LEAST_PLAIN):
        yield initials
