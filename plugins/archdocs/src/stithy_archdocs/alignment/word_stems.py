"""Words, their stems, and the words that say little about a subject."""

import re
from functools import cache, lru_cache
from typing import Protocol, cast

from stithy_archdocs.alignment.word_lists import load_word_list

WORD = re.compile(
    r"(?<![^\W_])(?!(?<=\w-)(?:by|in|of|off|on|out|over|to|up)\b)"
    r"[^\W_](?:[\w+#]|['\u2019](?=\w)|\.(?=[^\W\d_]{2})|(?<=\d)\.(?=\d))*"
    r"|[;!?\u2013\u2014]|:(?![:\w])|\.(?!\w)|,(?!\d)|\((?!\))|(?<!\()\)",
    re.IGNORECASE,
)
"""Matches a word, or a mark between clauses.

Not matched as marks: the colons of "Support::Case" and the point of ".NET". "sign-in" is one word, without its "in".
"""
STOP = load_word_list("stop")
"""Words without a subject of their own."""
GENERIC = load_word_list("generic")
"""Words that occur in records on any subject: they relate nothing by themselves."""
_LEAST = 3
_MOST_KEPT = 50_000
"""Maximum number of cached stems; stemming is slow."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the library's name


@cache
def _stemmer() -> _Stemmer:
    import snowballstemmer  # type: ignore[import-untyped]

    return cast("_Stemmer", snowballstemmer.stemmer("english"))


@lru_cache(_MOST_KEPT)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words with one stem are mostly related."""
    word = word.split("'", maxsplit=1)[0].split("\u2019", maxsplit=1)[0].removesuffix(".js")
    return _stemmer().stemWord(word) if len(word) > _LEAST and word.isalpha() else word


@cache
def get_generic_stems() -> frozenset[str]:
    """Return the stems of words that occur in records on any subject."""
    return frozenset(stem(word) for word in GENERIC)
