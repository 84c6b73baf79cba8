"""Words and what they are reduced to, and the words that say nothing or little of a subject."""

import re

from stithy_archdocs.alignment.wordlists import listed

WORD = re.compile(
    r"[^\W_](?:[\w+#]|['\u2019](?=\w)|\.(?=(?:js|io|net|gov|com|org|py|rs|ai)\b))*|[,;:.!?()\u2013\u2014]",
    re.IGNORECASE,
)
STOP = listed("stop")
"""Words without a subject of their own."""
GENERIC = listed("generic")
"""Words that stand in many records of any subject: alone they relate nothing."""

_ENDINGS = tuple(
    (pair.partition(":")[0], pair.partition(":")[2])
    for line in (
        "ization:iz isation:iz ational:at fulness:ful ations:at ation:at ators:at ator:at ments:ment iness:i",
        "ities:iti ously:ou ingly: edly: ating:at ated:at ates:at izing:iz ized:iz ising:iz ised:iz ies:i ied:i",
        "ying:i sses:ss ings: ing: ably: ally: ate:at ize:iz ise:iz ers:er ed: es: ly: s: y:i e:",
    )
    for pair in line.split()
)
"""What a word may end with, and what is put in its place; the first that fits is taken."""
_LEAST = 3


def stem(word: str) -> str:
    """Reduce a word in lower case; two words of one stem are mostly of one kin."""
    word = word.split("'", maxsplit=1)[0].split("\u2019", maxsplit=1)[0].removesuffix(".js")
    if len(word) <= _LEAST or not word.isalpha() or word.endswith("ss"):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            short = word[: len(word) - len(ending)] + instead
            doubled = ending in ("ing", "ed", "ings", "er") and short[-1] == short[-2] and short[-1] not in "lsz"
            return short[:-1] if doubled else short
    return word


GENERIC_STEMS = frozenset(stem(word) for word in GENERIC)
