"""The commit at which two branches parted, from the commits of one side."""

from attrs import evolve

from stithy_core.spi import Listing
from stithy_gitea.changes_mapping import find_merge_base, to_commit

COMMITS = tuple(to_commit({"sha": sha, "parents": [{"sha": parent}]}) for sha, parent in (("b", "a"), ("c", "b")))


def test_it_is_the_one_parent_that_the_side_lacks():
    assert find_merge_base(Listing(COMMITS)) == "a"


def test_it_is_unknown_from_a_part_of_the_commits():
    """The parent of the oldest one that was sent may be on the same side."""
    assert find_merge_base(Listing(COMMITS[1:], total=2, cut="the server returned 1 of 2")) == ""


def test_it_is_unknown_with_two_parents_that_the_side_lacks():
    assert find_merge_base(Listing((COMMITS[0], evolve(COMMITS[1], parents=("b", "x"))))) == ""
