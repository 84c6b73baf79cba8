"""Removes invisible characters from untrusted texts: controls, bidirectional marks, and characters without a glyph.

Text that is hidden from the person who reads a comment could still instruct an agent, or make a line look like
another one (Unicode Technical Report 36 and Technical Standard 55). Joiners stay where a script or an emoji needs
them.
"""

import re
from functools import cache

# Line ends and tabs stay, also the one of two characters.
_ASCII = r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)"

_ALWAYS = (
    r"\x80-\x9f\xad"  # C1, soft hyphen
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction around
    r"\u200b\u2060-\u2065\u206a-\u206f\ufeff"  # blanks without width, invisible operators
    r"\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters that show nothing
    r"\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # annotations, and noncharacters
)
_MUSIC = r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # controls of shorthand and of music
_TAGS = r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # and what is reserved beside them
_JOINERS = r"\u200c\u200d\u180e"
_SELECTORS = r"\u034f\u180b-\u180d\u180f\ufe00-\ufe0f"
_SELECTORS_BEYOND = r"\U000e0100-\U000e01ef"

# What may stand on both sides of a joiner that joins emoji, and what a selector may choose the form of.
_PICTURE = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u2500-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Scripts whose letters take another form by a joiner: Arabic to Adlam, and those of South and South-East Asia.
_JOINED = (
    r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1900-\u1cff\ua800-\uabff\ufb50-\ufdcf\ufdf0-\ufdff"
    r"\ufe70-\ufefc\U00010a00-\U00010aff\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
_HAN = r"\u2e80-\u2fdf\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# The three flags that are written with tags: England, Scotland and Wales.
_FLAGS = [
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(char)) for char in word) + "\U000e007f"
    for word in ("gbeng", "gbsct", "gbwls")
]
# The ends of what is kept, behind its last character: Python finds a match fast by the set of its first characters.
_FLAG_TAG = "|".join(f"(?<={flag[:at]})(?={flag[at:]})" for flag in _FLAGS for at in range(2, len(flag) + 1))
_BELONGING = (
    rf"(?<=[{_PICTURE}]\u200d)(?=[{_PICTURE}])|(?<=[{_PICTURE}]\ufe0f\u200d)(?=[{_PICTURE}])"
    rf"|(?<=[{_JOINED}][{_JOINERS}])"
    rf"|(?<=[{_PICTURE}0-9#*][\ufe0e\ufe0f])"
    rf"|(?<=[\u2200-\u22ff{_HAN}][\ufe00-\ufe02])|(?<=[{_HAN}][{_SELECTORS_BEYOND}])"
    rf"|(?<=[\u1800-\u18af][\u180b-\u180d\u180f])"
    rf"|(?<=[\u0300-\u036f\u0590-\u05cf]\u034f)(?=[\u0300-\u036f\u0590-\u05cf])"
)


@cache
def _ascii_pattern() -> re.Pattern[str]:
    """Return the pattern for ASCII texts; each pattern is compiled when a text first needs it."""
    return re.compile(_ASCII)


@cache
def _suspect_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return two patterns for characters that may have to be removed.

    Two sets, one of the first 65,536 characters and one of the rest: Python looks the first up in a table, and each is
    searched ten times as fast as a choice.
    """
    first = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f{_ALWAYS}{_JOINERS}{_SELECTORS}]")
    return first, re.compile(rf"[\U000e0000-\U000e0fff{_MUSIC}]")


@cache
def _removable_pattern() -> re.Pattern[str]:
    """Return the pattern for everything that is removed."""
    return re.compile(
        rf"{_ASCII}|[{_ALWAYS}{_MUSIC}]+"
        rf"|[{_JOINERS}{_SELECTORS}{_SELECTORS_BEYOND}](?!{_BELONGING})|[{_TAGS}](?!{_FLAG_TAG})"
    )


def clean(text: str) -> str:
    """Return a text without invisible characters; the same object if it has none.

    The difference of the lengths is the number of characters removed.
    """
    if text.isascii():
        # Most are a line, or some: what is left to search has a tab or something odd.
        return text if text.isprintable() or text.replace("\n", "").isprintable() else _ascii_pattern().sub("", text)
    if all(some.search(text) is None for some in _suspect_patterns()):
        return text
    return _removable_pattern().sub("", text)


def sendable(text: str) -> str:
    """Return a text with lone surrogates replaced: a forge may send them, and UTF-8 cannot encode them."""
    return text if text.isascii() else text.encode(errors="replace").decode()
