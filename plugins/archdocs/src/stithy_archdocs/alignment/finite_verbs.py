"""Detect finite verbs and wishes: whether words form a clause, and whether it wants something."""

from collections.abc import Sequence

from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

FINITE = load_word_list("finite")
_WISHING = [phrase.split() for phrase in sorted(load_word_list("wishing"))]
_SHALL = frozenset(("must", "ought", "shall", "should"))
_US = frozenset(("we", "i"))
ADVERBS = load_word_list("adverbs")
_OBJECTS = load_word_list("objects")
_DETERMINERS = load_word_list("determiners")
_NEAR = 4


def is_finite(part: Sequence[Token]) -> bool:
    """Return whether the words contain a finite verb: "users keep", "it works"; not "the transport of events"."""
    return any(is_finite_verb(part, at) for at in range(1, len(part)))


def is_finite_verb(part: Sequence[Token], at: int) -> bool:
    """Return whether a word is a finite verb: a common one, or one in "s" or "ed" before its object."""
    word = part[at].word
    if word in FINITE or word.endswith(("n't", "n\u2019t")):
        return True
    if part[0].word in ("we", "they", "i", "you"):
        return at == 1 and not part[1].term
    after = part[at + 1].word if at + 1 < len(part) else ""
    verbal = word.endswith(("s", "ed")) and not word.endswith(("ss", "us", "is", "eed")) and not part[at].term
    return verbal and after in _OBJECTS and (at > 1 or part[0].word not in _DETERMINERS)


def is_wish(part: Sequence[Token]) -> bool:
    """Return whether the words say that something shall be done: "let us", "we want", "X must"."""
    words = [token.word for token in part if token.word not in ADVERBS]
    if not words:
        return False
    if words[0] in ("let", "let's", "let\u2019s", "please"):
        return True
    if words[0] in _US and len(words) > 1:
        return any(phrase == words[1 : 1 + len(phrase)] for phrase in _WISHING) or words[0].endswith("'ll")
    return any(word in _SHALL for word in words[1:_NEAR])
