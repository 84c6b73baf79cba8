"""Words and what they are reduced to, and the words that say nothing or little of a subject."""

import re
from functools import cache, lru_cache
from typing import Protocol, cast

from stithy_archdocs.alignment.wordlists import listed

WORD = re.compile(
    r"(?<![^\W_])(?!(?<=\w-)(?:by|in|of|off|on|out|over|to|up)\b)"
    r"[^\W_](?:[\w+#]|['\u2019](?=\w)|\.(?=[^\W\d_]{2})|(?<=\d)\.(?=\d))*"
    r"|[;!?\u2013\u2014]|:(?![:\w])|\.(?!\w)|,(?!\d)|\((?!\))|(?<!\()\)",
    re.IGNORECASE,
)
"""A word, or a mark that parts clauses: no colon of "Support::Case", no point of ".NET", no "in" of "sign-in"."""
STOP = listed("stop")
"""Words without a subject of their own."""
GENERIC = listed("generic")
"""Words that stand in many records of any subject: alone they relate nothing."""
_LEAST = 3
_MOST_KEPT = 50_000
"""Words whose stems are kept: to reduce one takes long."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the library's name


@cache
def _stemmer() -> _Stemmer:
    import snowballstemmer  # type: ignore[import-untyped]

    return cast("_Stemmer", snowballstemmer.stemmer("english"))


@lru_cache(_MOST_KEPT)
def stem(word: str) -> str:
    """Reduce a word in lower case; two words of one stem are mostly of one kin."""
    word = word.split("'", maxsplit=1)[0].split("\u2019", maxsplit=1)[0].removesuffix(".js")
    return _stemmer().stemWord(word) if len(word) > _LEAST and word.isalpha() else word


@cache
def generic_stems() -> frozenset[str]:
    """Give the stems of the words that stand in many records of any subject."""
    return frozenset(stem(word) for word in GENERIC)
