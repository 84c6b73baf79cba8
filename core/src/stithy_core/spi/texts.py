"""Texts in the lines of a result: their beginnings, never cut inside of what a reader takes for one character."""

import unicodedata
from typing import Self

JOINER = "\u200d"
FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
STEPS = 32
"""How far to look for the beginning of a character: further back nobody means one."""


class Abridged(str):
    """A part of a text, in whose place a result shows it; every length that is told of it is that of the whole.

    Args:
        text: The part.
        whole: How many characters the whole text has.
    """

    __slots__ = ("whole",)

    whole: int

    def __new__(cls, text: str, whole: int) -> Self:
        """Make it, as strings are made."""
        made = super().__new__(cls, text)
        made.whole = whole
        return made


def whole_length(text: str) -> int:
    """Return how many characters a text has, or had before a tool or the server cut it."""
    length: int = getattr(text, "whole", len(text))
    return length


def excerpt(text: str, most: int = 200) -> str:
    """Return how a text begins, in one line, and how long it is.

    Args:
        text: What somebody wrote. One that was cut knows how long it was.
        most: How many characters to show.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    return f"{line[: grapheme_boundary(line, most)]}… [{whole_length(text)} chars]"


def grapheme_boundary(text: str, at: int) -> int:
    """Step back to where a character begins, as a reader sees it."""
    for here in range(at, max(0, at - STEPS), -1):
        if here >= len(text) or not _goes_on(text, here):
            return here
    return 0 if at <= STEPS else at


def _goes_on(text: str, at: int) -> bool:
    """Say whether the character at a place belongs to the one before it (Unicode Annex 29, as far as texts need it)."""
    before, char = text[at - 1], text[at]
    if char < "\u0300":
        return before == "\r" and char == "\n"
    if before == JOINER or char in "\u200c\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if char in FLAGS:
        return (at - len(text[:at].rstrip(FLAGS))) % 2 == 1  # two letters make one flag
    jamo = "\u1160" <= char <= "\u11ff"
    return jamo or "\U000e0020" <= char <= "\U000e007f" or unicodedata.category(char)[0] == "M"
