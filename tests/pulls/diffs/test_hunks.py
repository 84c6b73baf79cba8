"""Hunks, held against the texts that they are of."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from stithy_core.spi import Unknown
from stithy_pulls.diffs.diff_model import LineKind
from stithy_pulls.diffs.pull_diff import parse_hunks

ODD = ["", " ", "a", "-- a", "++ b", "@@ -1 +1 @@", "\x0c", "\r", "\u2028", "diff --git a b", "\\ No newline", "\0"]
TEXT = st.lists(st.sampled_from(ODD) | st.text(st.characters(exclude_characters="\n"), max_size=5), max_size=25)


def patch_of(old, new):
    lines = list(difflib.unified_diff([f"{line}\n" for line in old], [f"{line}\n" for line in new]))
    return "".join(lines[2:])


@given(TEXT, TEXT)
def test_lines_stand_where_their_numbers_say(old, new):
    for hunk in parse_hunks(patch_of(old, new)):
        for line in hunk.lines:
            if line.old is not None:
                assert line.text == old[line.old - 1].removesuffix("\r")
            if line.new is not None:
                assert line.text == new[line.new - 1].removesuffix("\r")


@given(TEXT, TEXT)
def test_hunks_hold_all_lines(old, new):
    hunks = parse_hunks(patch_of(old, new))
    counted = [
        sum(line.kind is kind for hunk in hunks for line in hunk.lines) for kind in (LineKind.ADDED, LineKind.REMOVED)
    ]
    lines = patch_of(old, new).split("\n")
    headers = sum(bool(hunk) for hunk in hunks)
    assert counted[0] - counted[1] == len(new) - len(old)
    assert sum(len(hunk.lines) for hunk in hunks) + headers == len(lines) - 1


@given(st.text(max_size=80))
def test_an_invalid_hunk_is_unknown_and_does_not_crash(text):
    assert isinstance(parse_hunks(f"@@ {text}"), tuple | Unknown)


def test_counts_may_be_left_out_and_ends_without_a_line_feed():
    (hunk,) = parse_hunks("@@ -1 +1 @@ def f():\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file")
    assert (hunk.header, [line.text for line in hunk.lines]) == ("@@ -1,1 +1,1 @@ def f():", ["a", "b"])


def test_a_hunk_that_was_cut_off_is_unknown():
    assert isinstance(parse_hunks("@@ -1,9 +1,9 @@\n a\n"), Unknown)


def test_the_patch_of_a_pure_rename_has_none():
    assert parse_hunks("") == ()


def test_a_patch_of_two_files_is_unknown():
    """A forge that returned the patch of another file, too, would otherwise give its lines to this one."""
    hunk = "@@ -1 +1 @@\n-a\n+b\n"
    assert isinstance(parse_hunks(f"{hunk}--- a/other\n+++ b/other\n{hunk}"), Unknown)
