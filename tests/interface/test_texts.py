"""How texts begin, and how numbers stand with their nouns, for the lines of a result."""

import pytest

from stithy_core.spi import Abridged, excerpt, format_count
from stithy_core.tools.shrink import truncate_text


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (1, "reply", "1 reply"),
        (2, "reply", "2 replies"),
        (0, "file", "0 files"),
        (2_000, "day", "2,000 days"),
        ("at least 3", "thread", "at least 3 threads"),
    ],
)
def test_a_number_stands_with_its_noun(count, noun, text):
    assert format_count(count, noun) == text


def test_a_plural_may_be_given():
    assert format_count(2, "process out of memory", "processes out of memory") == "2 processes out of memory"


def test_a_short_text_is_one_line():
    assert excerpt(" a\n\n b\tc ") == "a b c"


def test_a_long_text_says_how_long_it_is():
    assert excerpt("word " * 100, most=9) == "word word… [500 chars]"


def test_a_text_that_was_cut_before_knows_how_long_it_was():
    assert excerpt(truncate_text("word " * 9_000, 1_000), most=9) == "word word… [45000 chars]"
    assert excerpt(truncate_text("word " * 9_000, 64)).endswith("word … [45000 chars]")


def test_a_part_of_a_text_says_how_long_the_whole_is():
    """(FIX-14)"""
    assert excerpt(Abridged("word " * 100, whole=9_000), most=9) == "word word… [9000 chars]"


@pytest.mark.parametrize(
    ("text", "most", "begins"),
    [
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 9, "👩‍👩‍👧‍👦"),
        ("🇩🇪🇫🇷🇩🇪", 3, "🇩🇪"),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("👍🏽👍🏽", 3, "👍🏽"),
        ("❤️❤️", 3, "❤️"),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", 4, "\u1112\u1161\u11ab"),
        ("abc", 2, "ab"),
    ],
)
def test_no_character_is_taken_apart(text, most, begins):
    assert excerpt(text, most).removesuffix(f"… [{len(text)} chars]") == begins
