"""Detect proposals that decide nothing: they ask, measure, compare, discuss or explain what exists.

"Measure how long the Kafka consumers lag" is neither for nor against Kafka. Neither is "raise the limit of the Kafka
consumer", which only maintains what exists.
"""

from collections.abc import Sequence

from stithy_archdocs.alignment.finite_verbs import ADVERBS
from stithy_archdocs.alignment.means_and_purpose import MODALS, WITH
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token
from stithy_archdocs.alignment.word_lists import load_word_list

_INQUIRING = load_word_list("inquiring")
_INQUIRING_PHRASES = [phrase.split() for phrase in sorted(load_word_list("inquiring_phrases"))]
_CHOOSING = load_word_list("choosing")
_REPORTING = load_word_list("reporting")
_TENDING = load_word_list("tending")
_QUESTIONS = load_word_list("questions")
_FIGURES = load_word_list("figures")
_OPENINGS = MODALS | ADVERBS | load_word_list("requesting")
_SOON, _FAR = 2, 7


def is_deliberation(statements: Sequence[Statement]) -> bool:
    """Return whether a proposal only asks, discusses or teaches something."""
    return bool(statements) and all(_is_inquiry(statement.tokens) for statement in statements)


def is_maintenance(statements: Sequence[Statement]) -> bool:
    """Return whether a proposal only maintains what exists: "raise the limit of X", not "document Y with X"."""
    return all(_is_upkeep(statement.tokens) for statement in statements)


def _is_inquiry(part: Sequence[Token]) -> bool:
    words = _strip_request([token.word for token in part])
    if not words:
        return False
    first, rest = words[0], words[1:]
    if first in _INQUIRING or any(words[: len(phrase)] == phrase for phrase in _INQUIRING_PHRASES):
        return True
    if first == "ask":
        return "for" not in rest[:_SOON] and (_has_question(rest) or "for" not in rest[:_FAR])
    if first in _CHOOSING:
        return _has_question(rest[:_SOON]) or rest[:1] in (["a"], ["an"])
    return first in _REPORTING and (_has_question(rest[:_FAR]) or not _FIGURES.isdisjoint(rest[:_FAR]))


def _is_upkeep(part: Sequence[Token]) -> bool:
    verb = next((token.word for token in part if token.word not in MODALS), "")
    return verb in _TENDING and not any(token.word in WITH for token in part)


def _has_question(words: Sequence[str]) -> bool:
    """Return whether the words contain a question word: "how long", "which of them", "whether"."""
    return any(word in _QUESTIONS for word in words)


def _strip_request(words: Sequence[str]) -> Sequence[str]:
    """Drop the words before the verb of a request: "please", "let us", "we want to", "I propose that we"."""
    at = next((at for at, word in enumerate(words) if word not in _OPENINGS), len(words))
    return words[at:]
