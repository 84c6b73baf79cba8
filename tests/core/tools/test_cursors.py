"""Cursors: a place in a list, bound to the tool and the arguments it was reached with."""

import base64

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from stithy_core.errors import InvalidArguments
from stithy_core.tools.cursors import Position, mint, read

HERE = Position("item-7", 7)
GIVEN = {"pr": "a/b#1", "limit": 5}

words = st.text(max_size=20)
arguments = st.dictionaries(words, words | st.integers() | st.lists(words), max_size=3)


def is_refused(cursor, tool="tool", given=GIVEN):
    with pytest.raises(InvalidArguments) as caught:
        read(cursor, tool, given)
    assert caught.value.suggestion
    error = caught.value.details["errors"][0]
    return error["path"] == "cursor" and len(error["given"]) <= 100


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters() | st.just("\ud800")), st.integers(0), words, arguments)
def test_a_cursor_gives_back_the_place_it_was_made_for(key, seen, tool, given):
    assert read(mint(Position(key, seen), tool, given), tool, given) == Position(key, seen)


def test_a_cursor_is_safe_in_a_url():
    assert mint(Position("ÿ?>~" * 9, 1), "tool", GIVEN).replace("-", "").replace("_", "").isalnum()


def test_the_order_of_arguments_does_not_matter():
    assert read(mint(HERE, "tool", GIVEN), "tool", dict(reversed(GIVEN.items()))) == HERE


def test_the_cursor_itself_is_no_part_of_what_it_is_bound_to():
    cursor = mint(HERE, "tool", GIVEN | {"cursor": "of the page before"})
    assert read(cursor, "tool", GIVEN | {"cursor": cursor}) == HERE


def test_a_cursor_of_another_tool_is_refused():
    assert is_refused(mint(HERE, "other", GIVEN))


@settings(max_examples=100, deadline=None)
@given(arguments, arguments)
def test_a_cursor_of_other_arguments_is_refused(given, others):
    assume({**given, "cursor": ""} != {**others, "cursor": ""})
    assert is_refused(mint(HERE, "tool", given), given=others)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_cursor_whose_bytes_were_changed_is_refused(data):
    raw = bytearray(base64.urlsafe_b64decode(mint(HERE, "tool", GIVEN) + "=="))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    assert is_refused(base64.urlsafe_b64encode(raw).decode().rstrip("="))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 60))
def test_a_cursor_that_was_cut_is_refused(length):
    cursor = mint(HERE, "tool", GIVEN)
    assert is_refused(cursor[: min(length, len(cursor) - 1)])


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters() | st.sampled_from("\ud800\0=-_")))
@example("")
@example("é" * 1_000)
@example("=" * 8)
@example("A" * 1_000_000)
@example("\ud800")
def test_garbage_is_refused(cursor):
    assert is_refused(cursor)
