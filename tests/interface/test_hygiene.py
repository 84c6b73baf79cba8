"""Texts of other users: invisible characters are removed, except those that a script or an emoji needs."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stithy_core.sanitize import clean

HIDDEN = [
    *map(chr, [*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)]),
    *"\r\xad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u3164\ufeff\uffa0",
    *map(chr, [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC)]),
    *map(chr, [*range(0xFE00, 0xFE10), 0xE0000, 0xE0001, *range(0xE0020, 0xE0080), 0xE0100, 0xE01EF]),
]
NEEDED = [
    "one line",
    "lines\nand\ttabs\r\nof both kinds\r\n",
    "Grüße, Ёлка, שלום, 漢字, ไทย",
    "a\u0301 e\u0308 n\u0303",
    "👩‍👩‍👧‍👦 👨🏽‍💻 🏳️‍🌈 ❤️‍🔥 1️⃣ ☎︎ ©️ 🇩🇪",
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(char)) for char in "gbsct") + "\U000e007f",
    "می‌خواهم",
    "क्‍ष ക്‌ষ",
    "葛\U000e0100 ≨\ufe00",
    "ᠠ᠋",
]


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_hidden_characters_are_removed(hidden):
    assert clean(f"a{hidden}b") == clean(f"é{hidden}b").replace("é", "a") == "ab"


@pytest.mark.parametrize("text", NEEDED)
def test_joiners_of_scripts_and_emoji_stay(text):
    assert clean(text) == text


def test_the_colours_of_a_terminal_go_whole():
    assert clean("\x1b[1;31mred\x1b[0m\x1b[K, \x1b[38;5;9mgrün\x1b[m") == "red, grün"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("😀\ufe0f\ufe0e\U000e0101", "😀\ufe0f"),  # data in a row of selectors
        ("x" + "".join(chr(0xE0100 + byte) for byte in b"obey"), "x"),
        ("".join(chr(0xE0000 + byte) for byte in b"obey me"), ""),  # data in tags
        ("🏴" + "".join(chr(0xE0000 + byte) for byte in b"obey") + "\U000e007f", "🏴"),
        ("if user == 'admin\u202e \u2066// check\u2069 \u2066'", "if user == 'admin // check '"),
        ("pay\u200bpal\u200d \u200c", "paypal "),
        ("م\u200c\u200c\u200c", "م\u200c"),
        ("👩\u202e\u200d👩", "👩👩"),
    ],
)
def test_hidden_texts_are_not_left(text, left):
    assert clean(text) == left


anything = st.text(st.characters() | st.sampled_from([*HIDDEN, *"👩م क\n\t葛\ud800❤1🏴"]))


@given(anything)
@example("😀\ufe0f\u200d\u200d😀")
def test_only_what_is_hidden_goes_and_once_is_enough(text):
    left = clean(text)
    assert clean(left) == left
    kept = iter(left)
    gone = [char for char in text if char != next_of(kept, char)]
    assert len(gone) == len(text) - len(left)


def next_of(kept, char, held=[]):  # noqa: B006 -- one character of look-ahead
    if not held:
        held.append(next(kept, None))
    return held.pop() if held[0] == char else (held.clear() if held[0] is None else None)


@given(anything)
def test_a_control_stays_only_as_line_end_or_tab(text):
    left = clean(text).replace("\r\n", "\n")
    assert {char for char in left if unicodedata.category(char) == "Cc"} <= {"\n", "\t"}
    assert not set(left) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u200b\ufeff")
