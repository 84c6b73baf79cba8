"""Cursors: a place in a list, bound to the tool and the arguments it was reached with."""

import base64

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from stithy_core.errors import InvalidArguments
from stithy_core.tools.cursors import Cursors, Position

KEY = b"a key that replicas share"
mint, read = Cursors(lambda: KEY).mint, Cursors(lambda: KEY).read
HERE = Position.at(7, "item-{}".format)
GIVEN = {"pr": "a/b#1", "limit": 5}

words = st.text(max_size=20)
arguments = st.dictionaries(words, words | st.integers() | st.lists(words), max_size=3)


def is_refused(cursor, tool="tool", given=GIVEN):
    with pytest.raises(InvalidArguments) as caught:
        read(cursor, tool, given)
    assert caught.value.suggestion
    error = caught.value.details["errors"][0]
    return error["path"] == "cursor" and len(error["given"]) <= 100


@given(st.lists(st.text(st.characters() | st.just("\ud800")), min_size=1), words, arguments)
def test_a_cursor_gives_back_the_place_it_was_made_for(keys, tool, given):
    """Any server of the same key reads it: after a restart, or another replica."""
    place = Position.at(len(keys), keys.__getitem__)
    assert read(mint(place, tool, given), tool, given) == place


def test_a_cursor_is_short():
    assert len(mint(Position.at(100, str), "pr_comment_list", {"limit": 100} | GIVEN)) <= 32


def test_a_cursor_of_another_key_is_refused():
    assert is_refused(Cursors(lambda: b"another key").mint(HERE, "tool", GIVEN))


def test_without_a_key_a_cursor_is_of_this_process():
    own = Cursors()
    assert own.read(own.mint(HERE, "tool", GIVEN), "tool", GIVEN) == HERE
    assert is_refused(Cursors().mint(HERE, "tool", GIVEN))


def test_the_key_is_asked_for_once_and_late():
    asked = []
    sealing = Cursors(lambda: asked.append(1) or KEY)
    assert not asked
    sealing.read(sealing.mint(HERE, "tool", GIVEN), "tool", GIVEN)
    assert asked == [1]


def test_the_key_is_not_shown():
    sealing = Cursors(lambda: KEY)
    sealing.mint(HERE, "tool", GIVEN)
    assert "key" not in repr(sealing)


def test_a_refusal_says_what_to_do_and_what_was_allowed():
    with pytest.raises(InvalidArguments) as caught:
        read("x", "tool", GIVEN)
    assert caught.value.suggestion == "Omit the cursor to get the first page."
    assert "unchanged, with the same arguments" in caught.value.details["errors"][0]["allowed"]


def test_a_cursor_is_safe_in_a_url():
    assert mint(Position("ÿ?>~" * 9, 1), "tool", GIVEN).replace("-", "").replace("_", "").isalnum()


def test_the_order_of_arguments_does_not_matter():
    assert read(mint(HERE, "tool", GIVEN), "tool", dict(reversed(GIVEN.items()))) == HERE


def test_the_cursor_itself_is_no_part_of_what_it_is_bound_to():
    cursor = mint(HERE, "tool", GIVEN | {"cursor": "of the page before"})
    assert read(cursor, "tool", GIVEN | {"cursor": cursor}) == HERE


def test_a_cursor_of_another_tool_is_refused():
    assert is_refused(mint(HERE, "other", GIVEN))


@given(arguments, arguments)
def test_a_cursor_of_other_arguments_is_refused(given, others):
    assume({**given, "cursor": ""} != {**others, "cursor": ""})
    assert is_refused(mint(HERE, "tool", given), given=others)


@given(st.data())
def test_a_cursor_whose_bytes_were_changed_is_refused(data):
    raw = bytearray(base64.urlsafe_b64decode(mint(HERE, "tool", GIVEN) + "=="))
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    assert is_refused(base64.urlsafe_b64encode(raw).decode().rstrip("="))


@given(st.integers(0, 60))
def test_a_cursor_that_was_cut_is_refused(length):
    cursor = mint(HERE, "tool", GIVEN)
    assert is_refused(cursor[: min(length, len(cursor) - 1)])


@given(st.text(st.characters() | st.sampled_from("\ud800\0=-_")))
@example("")
@example("é" * 1_000)
@example("=" * 8)
@example("A" * 10_000_000)
@example("\ud800")
def test_garbage_is_refused(cursor):
    assert is_refused(cursor)


@given(st.binary(max_size=60))
def test_bytes_that_nobody_sealed_are_refused(raw):
    assert is_refused(base64.urlsafe_b64encode(raw).decode().rstrip("="))


def test_another_spelling_of_the_same_bytes_is_refused():
    """The last character of a cursor may have bits that no byte needs."""
    cursor = mint(HERE, "tool", GIVEN)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
    assert all(is_refused(cursor[:-1] + last) for last in alphabet if last != cursor[-1])
    assert is_refused(cursor + "=")


# Places


def rest(seen, before, now):
    """Return the rest of a list after as many items as were seen of its earlier state."""
    return now[Position.at(seen, before.__getitem__).behind(now) :]


@pytest.mark.parametrize(
    ("now", "next_ones"),
    [
        ("abcdef", "def"),
        ("xyabcdef", "def"),
        ("abcdefxy", "defxy"),
        ("abcxdef", "xdef"),
        ("abdef", "def"),
        ("adef", "def"),
        ("bcdef", "def"),
        ("cdef", "def"),
        ("def", "def"),
        ("xydef", "xydef"),
        ("abc", ""),
        ("", ""),
    ],
)
def test_a_list_goes_on_behind_what_was_seen(now, next_ones):
    assert rest(3, list("abcdef"), list(now)) == list(next_ones)


letters = [f"item {number}" for number in range(30)]


@given(st.integers(1, 30), st.sets(st.sampled_from(letters)), st.integers(0, 5))
def test_whatever_goes_nothing_behind_is_lost(seen, gone, new):
    now = [f"new {number}" for number in range(new)] + [item for item in letters if item not in gone]
    wanted = [item for item in letters[seen:] if item not in gone]
    assert rest(seen, letters, now)[-len(wanted) :] == wanted or not wanted


@given(st.integers(3, 30), st.sets(st.sampled_from(letters)))
def test_while_one_of_the_last_three_is_there_nothing_comes_twice(seen, gone):
    now = [item for item in letters if item not in gone or item == letters[seen - 1 - seen % 3]]
    assert not set(rest(seen, letters, now)) & set(letters[:seen])


def test_of_equal_items_the_one_nearest_to_the_former_place_was_seen():
    assert Position.at(5, "abaca".__getitem__).behind("baca") == 4


def test_if_the_last_item_is_gone_the_item_before_it_is_looked_for_near_its_own_place():
    assert Position.at(4, "abac".__getitem__).behind("aabba") == 2
