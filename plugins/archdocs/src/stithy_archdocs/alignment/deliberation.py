"""Detect proposals that decide nothing: they ask, measure, compare, discuss or explain what exists.

"Measure how long the Kafka consumers lag" is neither for nor against Kafka. Neither is "raise the limit of the Kafka
consumer", which only maintains what exists.
"""

from collections.abc import Sequence

from stithy_archdocs.alignment.frames import MODALS, WITH
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.verbs import ADVERBS
from stithy_archdocs.alignment.wordlists import listed

_INQUIRING = listed("inquiring")
_INQUIRING_PHRASES = [phrase.split() for phrase in sorted(listed("inquiring_phrases"))]
_CHOOSING = listed("choosing")
_REPORTING = listed("reporting")
_TENDING = listed("tending")
_QUESTIONS = listed("questions")
_FIGURES = listed("figures")
_OPENINGS = MODALS | ADVERBS | listed("requesting")
_SOON, _FAR = 2, 7


def deliberates(statements: Sequence[Statement]) -> bool:
    """Return whether a proposal only asks, discusses or teaches something."""
    return bool(statements) and all(_deliberates(statement.tokens) for statement in statements)


def tends(statements: Sequence[Statement]) -> bool:
    """Return whether a proposal only maintains what exists: "raise the limit of X", not "document Y with X"."""
    return all(_tends(statement.tokens) for statement in statements)


def _deliberates(part: Sequence[Token]) -> bool:
    words = _request([token.word for token in part])
    if not words:
        return False
    first, rest = words[0], words[1:]
    if first in _INQUIRING or any(words[: len(phrase)] == phrase for phrase in _INQUIRING_PHRASES):
        return True
    if first == "ask":
        return "for" not in rest[:_SOON] and (_asks(rest) or "for" not in rest[:_FAR])
    if first in _CHOOSING:
        return _asks(rest[:_SOON]) or rest[:1] in (["a"], ["an"])
    return first in _REPORTING and (_asks(rest[:_FAR]) or not _FIGURES.isdisjoint(rest[:_FAR]))


def _tends(part: Sequence[Token]) -> bool:
    verb = next((token.word for token in part if token.word not in MODALS), "")
    return verb in _TENDING and not any(token.word in WITH for token in part)


def _asks(words: Sequence[str]) -> bool:
    """Return whether the words contain a question word: "how long", "which of them", "whether"."""
    return any(word in _QUESTIONS for word in words)


def _request(words: Sequence[str]) -> Sequence[str]:
    """Drop the words before the verb of a request: "please", "let us", "we want to", "I propose that we"."""
    at = next((at for at, word in enumerate(words) if word not in _OPENINGS), len(words))
    return words[at:]
