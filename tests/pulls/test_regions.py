"""Line numbers of conflicts, held against the files that they are of."""

import random

import pytest
from git_forge import git

from stithy_pulls.conflicts.conflict_previews import locate_regions, split_lines

WORDS = ["{", "}", "", "x = 1", "return", "else:"]


def edit_lines(lines, choice):
    """Change some lines, take some away and add some."""
    made = []
    for line in lines:
        made += choice.choice([[line]] * 12 + [[], [choice.choice(WORDS)], [line, choice.choice(WORDS)]])
    return made


@pytest.mark.parametrize("seed", range(25))
def test_a_region_is_what_stands_at_its_lines(tmp_path, seed):
    """Also in files whose lines are nearly all alike."""
    choice = random.Random(seed)
    first = [choice.choice(WORDS) for _ in range(80)]
    texts = [first, edit_lines(first, choice), edit_lines(first, choice)]
    for name, lines in zip(("base", "ours", "theirs"), texts, strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    merged = git(tmp_path, "merge-file", "-p", "ours", "base", "theirs", check=False).encode() + b"\n"
    ours, theirs = [(tmp_path / name).read_bytes() for name in ("ours", "theirs")]
    found = locate_regions(merged, ours, theirs)
    assert len(found) == merged.count(b"<<<<<<< ")
    for pair in found:
        for region, text in zip(pair, (ours, theirs), strict=True):
            begin = region.start - 1
            assert tuple(split_lines(text)[begin : begin + len(region.lines)]) == region.lines


def test_the_right_one_of_two_that_are_alike():
    """What stands around it decides."""
    ours = b"a\nX\nb\nc\nX\nd\n"
    theirs = b"a\nX\nb\nc\nY\nd\n"
    merged = b"a\nX\nb\nc\n<<<<<<< o\nX\n=======\nY\n>>>>>>> t\nd\n"
    ((one, other),) = locate_regions(merged, ours, theirs)
    assert (one.start, other.start) == (5, 5)
