"""Shortened texts for the lines of a result, never cut within a grapheme."""

import unicodedata
from typing import Self

JOINER = "\u200d"
FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
STEPS = 32
"""The maximum number of code points that a grapheme is searched back for."""


class Abridged(str):
    """A part of a text that knows the length of the whole text, which is the one to report.

    Args:
        text: The part.
        whole: The number of characters of the whole text.
    """

    __slots__ = ("whole",)

    whole: int

    def __new__(cls, text: str, whole: int) -> Self:
        """Create the string and set `whole`."""
        made = super().__new__(cls, text)
        made.whole = whole
        return made


def whole_length(text: str) -> int:
    """Return the number of characters of a text, or of the whole text that it was cut from."""
    length: int = getattr(text, "whole", len(text))
    return length


def excerpt(text: str, most: int = 200) -> str:
    """Return the beginning of a text in one line; if it is cut, with the length of the whole: `Lorem… [812 chars]`.

    Args:
        text: The text; an `Abridged` one reports the length of its whole.
        most: The maximum number of characters to show.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    return f"{line[: grapheme_boundary(line, most)]}… [{whole_length(text)} chars]"


def grapheme_boundary(text: str, at: int) -> int:
    """Return the start of the grapheme at an index, at most `STEPS` code points back."""
    for here in range(at, max(0, at - STEPS), -1):
        if here >= len(text) or not _extends_grapheme(text, here):
            return here
    return 0 if at <= STEPS else at


def _extends_grapheme(text: str, at: int) -> bool:
    """Return whether a code point extends the one before it (a subset of Unicode Annex 29)."""
    before, char = text[at - 1], text[at]
    if char < "\u0300":
        return before == "\r" and char == "\n"
    if before == JOINER or char in "\u200c\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if char in FLAGS:
        return (at - len(text[:at].rstrip(FLAGS))) % 2 == 1  # two letters make one flag
    jamo = "\u1160" <= char <= "\u11ff"
    return jamo or "\U000e0020" <= char <= "\U000e007f" or unicodedata.category(char)[0] == "M"
