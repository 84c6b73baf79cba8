"""Cleaning: what a runner, a terminal or a tool put around the text of a log is gone; lines keep their numbers."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ci_failures.logs.cleaning import ESCAPES, LONGEST, Cleaner

STAMP = "2024-05-01T10:20:30.1234567Z "
FORGEJO = "2024-05-01T10:20:30.1234567+02:00 "
BIT = st.sampled_from(
    [
        "a",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\x00",
        "\ufeff",
        "\x1b[31m",
        "\x1b",
        "[0m",
        "\x1b]0;t\x07",
        "é",
        "日",
        STAMP,
        FORGEJO,
        "T",
        "Z ",
    ]
)
RAW = st.lists(st.one_of(BIT.map(str.encode), st.binary(max_size=3)), max_size=40).map(b"".join)


def clean(raw, *cuts):
    """Return numbers and texts; the log comes in pieces, cut at these places."""
    cleaner, found = Cleaner(), []
    places = [0, *sorted(cut % (len(raw) + 1) for cut in cuts), len(raw)]
    batches = [cleaner.feed(raw[begin:end]) for begin, end in pairwise(places)]
    for batch in [*batches, cleaner.finish()]:
        found += zip(batch.numbers, batch.texts, strict=True)
    return found


def texts(raw, *cuts):
    return [text for _, text in clean(raw.encode() if isinstance(raw, str) else raw, *cuts)]


@given(RAW, st.lists(st.integers(0, 500), max_size=6))
@example(b"\xe2\x80\n\x80a", [2])
@example(b"a\r\x00\r\nb\n", [5])
def test_it_does_not_matter_how_a_log_comes_in(raw, cuts):
    assert clean(raw, *cuts) == clean(raw)


@given(RAW)
def test_nothing_that_is_no_text_is_left(raw):
    for text in texts(raw):
        assert not set("\n\r\x00\ufeff") & set(text)
        assert len(text) <= LONGEST


@given(RAW)
def test_numbers_are_those_of_the_log(raw):
    numbers = [number for number, _ in clean(raw)]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, len(raw.split(b"\n")) + (not raw.endswith(b"\n")) if raw else 1))


@pytest.mark.parametrize("stamp", [STAMP, FORGEJO, "2024-05-01T10:20:30.1234567-11:30 ", "2024-05-01T10:20:30.12Z "])
def test_stamps_are_removed_where_they_are(stamp):
    assert texts(f"{stamp}one\ntwo\n{stamp}\n") == ["one", "two", ""]


def test_what_only_looks_like_a_stamp_stays():
    said = "abcd-fghijT and so on until Z of the line"
    assert texts(said) == [said]


def test_a_mark_of_the_order_of_bytes_goes_wherever_pages_were_joined():
    assert texts(f"\ufeff{STAMP}one\n\ufeff{STAMP}two\n") == ["one", "two"]


@pytest.mark.parametrize(
    "code", ["\x1b[31m", "\x1b[38;5;12m", "\x1b[2K", "\x1b[?25l", "\x1b]8;;https://x\x07", "\x1b(B", "\x9b1m"]
)
def test_sequences_for_terminals_go(code):
    assert texts(f"src/{code}a.ts:{code}1\n") == ["src/a.ts:1"]


def test_what_was_written_over_is_a_line_with_the_same_number():
    assert clean(b"10%\r50%\rdone\r\nnext\n") == [(1, "10%"), (1, "50%"), (1, "done"), (2, "next")]


def test_several_carriage_returns_end_one_line():
    assert clean(b"one\r\r\ntwo\r\r\r\nthree") == [(1, "one"), (2, "two"), (3, "three")]


def test_a_line_of_300_000_characters_is_cut_and_the_next_is_whole():
    (first, second) = texts("x" * 300_000 + f"\n{STAMP}next\n", 100_000, 250_000)
    assert (len(first), second) == (LONGEST, "next")


def test_a_line_that_never_ends_is_not_kept():
    cleaner = Cleaner()
    for _ in range(64):
        cleaner.feed(b"y" * (1 << 18))
    assert len(cleaner._rest) <= 1 << 20
    assert [len(text) for text in cleaner.finish().texts] == [LONGEST]


def test_invalid_bytes_are_replaced():
    assert texts(b"a\xff\xfeb\n") == ["a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"]


@given(st.text(max_size=60))
def test_a_sequence_is_found_in_time_that_grows_with_its_length(text):
    raw = text.encode()
    assert len(ESCAPES.sub(b"", b"\x1b[" + b"0;" * 2_000 + raw)) <= 2 * 2_000 + len(raw) + 2


@pytest.mark.parametrize(
    "line",
    [
        "\x1b_bk;t=1700000000000\x07  1) Account adds",
        "\x1b[8mha:////4AAAA==\x1b[0m  1) Account adds",
    ],
)
def test_what_runs_tests_elsewhere_is_removed(line):
    assert texts(line.encode() + b"\n") == ["  1) Account adds"]


@pytest.mark.parametrize("line", ["## 1.2 News", "#12 is fixed", "3 | let x = 1;", "  12 | let x"])
def test_what_only_looks_like_that_stays(line):
    assert texts(line.encode() + b"\n") == [line]


def test_colours_that_gh_wrote_as_text_are_colours_and_classes_of_characters_are_none():
    assert texts(b"^[[1m^[[91merror^[[0m: no\ngrep ^[[:space:]]\n") == ["error: no", "grep ^[[:space:]]"]
