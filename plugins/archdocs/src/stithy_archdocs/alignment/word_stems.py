"""Words, their stems, and the words that say little about a subject."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from stithy_archdocs.search.search_query import STOP as QUERY_STOP

WORD = re.compile(r"[^\W_][\w+#]*(?:['\u2019.](?=[^\W_])[\w+#]+)*")
"""Matches a word: "Next.js", "C++" and "don't" are one each, "sign-in" is two."""
_LEAST = 3
_MOST_KEPT = 10_000
"""Maximum number of cached stems; stemming is slow."""


@cache
def _stemmer() -> Any:
    import snowballstemmer  # type: ignore[import-untyped]

    return snowballstemmer.stemmer("english")


@lru_cache(_MOST_KEPT)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words with one stem are mostly related."""
    word = word.replace("\u2019", "'").split("'", maxsplit=1)[0].removesuffix(".js")
    return str(_stemmer().stemWord(word)) if len(word) > _LEAST and word.isalpha() else word


@cache
def _load_lists() -> dict[str, str]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


@cache
def load_words(name: str) -> frozenset[str]:
    """Return the words of a list in `words.toml`; if it contains commas, its phrases."""
    text = " ".join(_load_lists()[name].split())
    return frozenset(text.split(", ") if ", " in text else text.split())


@cache
def get_stop_words() -> frozenset[str]:
    """Return the words without a subject of their own, among them the cues of what is wanted."""
    return QUERY_STOP.union(*map(load_words, ("stop", "drop", "not", "move", "take")))


@cache
def get_stems(name: str) -> frozenset[str]:
    """Return the stems of the words of a list in `words.toml`."""
    return frozenset(stem(word) for word in load_words(name))
