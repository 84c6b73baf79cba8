"""Split sentences into tokens: words with stems, and known names as single tokens."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.word_lists import load_word_list
from stithy_archdocs.alignment.word_stems import STOP, WORD, get_generic_stems

_LONGEST_NAME = 5
_ACRONYM = 3
_NO_NAME = frozenset(["for", "to", "with", "back", "ahead", "live", "beyond", "through", "over", "on", "and"])
_DIGITS = re.compile(r"[\d.]+")
_NUMBERED = re.compile(r"([a-z]{3,})\d{1,2}")
"""Matches a name with a version: JUnit5."""
_HALF = 0.35
_SUFFIXES = load_word_list("suffixes")
_COINED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
"""Matches words spelled like a product name that no lexicon has: RxJS, TipTap."""


@frozen
class Token:
    """A word, a mark between words, or a name of several words.

    Args:
        word: The text in lower case.
        text: The text as written.
        stem: The stem.
        term: The name in the lexicon, or the stem of a coined name; empty for other words.
    """

    word: str
    text: str
    stem: str
    term: str = ""

    @property
    def key(self) -> str:
        """What tokens are compared by: the name, else the stem."""
        return self.term or self.stem

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not self.word[0].isalnum()

    @property
    def is_distinctive(self) -> bool:
        """Whether it says something about a subject."""
        return bool(self.term) or not (
            self.is_mark or self.word in STOP or len(self.word) == 1 or _DIGITS.fullmatch(self.word)
        )

    @property
    def weight(self) -> float:
        """How distinctive it is: 1.5 for a name, 1 for a word, 0.35 for a generic word, 0 for others."""
        if not self.is_distinctive:
            return 0.0
        return 1.5 if self.term else _HALF if self.stem in get_generic_stems() else 1.0


def tokenize(text: str, lexicon: Lexicon) -> tuple[Token, ...]:
    """Split a sentence into tokens."""
    found = list(WORD.finditer(text))
    written = [one[0] for one in found]
    words = [word.lower() for word in written]
    joined = [text[one.end() : one.end() + 1] == "-" for one in found]
    return tuple(_iterate_tokens(written, words, joined, lexicon))


def _iterate_tokens(
    written: Sequence[str], words: Sequence[str], joined: Sequence[bool], lexicon: Lexicon
) -> Iterator[Token]:
    at = 0
    while at < len(words):
        name, length = _find_name(written, words, at, lexicon)
        if name and not _is_part(words, joined, at, length):
            yield Token(" ".join(words[at : at + length]), " ".join(written[at : at + length]), name.lower(), name)
        else:
            stem = lexicon.get_stem(words[at])
            yield Token(words[at], written[at], stem, stem if _COINED.search(written[at]) else "")
            length = 1
        at += length


def _is_part(words: Sequence[str], joined: Sequence[bool], at: int, length: int) -> bool:
    """Return whether a name is only the first part of another: "golang-migrate"; not so in "Kafka-based"."""
    end = at + length
    return joined[end - 1] and end < len(words) and words[end] not in _SUFFIXES


def _find_name(written: Sequence[str], words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[str, int]:
    """Return the longest name that starts at a word, and its number of words; empty and 0 without one."""
    if words[at].rstrip("0123456789") not in lexicon.beginnings and words[at] not in lexicon.beginnings:
        return "", 0
    for many in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
        for spelt in _iterate_spellings(words, at, many):
            entry = lexicon.names.get(spelt)
            if entry is not None and not (entry.cased and _is_a_word(written, words, at, entry.name)):
                return entry.name, many
    return "", 0


def _iterate_spellings(words: Sequence[str], at: int, many: int) -> Iterator[tuple[str, ...]]:
    found = tuple(word for word in words[at : at + many] if word[0].isalnum())
    if many == 1 and (numbered := _NUMBERED.fullmatch(words[at])):
        yield from (found, (numbered[1],))
    if len(found) == many or (
        many > 1 and words[at][0].isalnum() and words[at + many - 1][0].isalnum() and "." in words[at : at + many]
    ):
        yield found


def _is_a_word(written: Sequence[str], words: Sequence[str], at: int, name: str) -> bool:
    """Return whether a possible name is an English word here: lower case, or a verb that starts a sentence."""
    if (
        not written[at][0].isupper()
        or (len(words[at]) > _ACRONYM and written[at].isupper() and not name.isupper())
        or (words[at] == "rest" and written[at] == "Rest")
    ):
        return True
    first = at == 0 or words[at - 1] in ".:;!?"
    return first and at + 1 < len(words) and words[at + 1] in _NO_NAME and words[at] in ("go", "express", "just")
