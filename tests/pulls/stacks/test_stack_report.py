"""The picture of a large stack: it is cut, and says how much is left out."""

import pytest
from attrs import evolve
from streams import PULL

from stithy_core.spi import BranchRef
from stithy_pulls.stacks.stack_path import StackPath
from stithy_pulls.stacks.stack_report import MOST_ROWS, draw_tree


def make_pull(number, branch, base):
    """Return an open pull request of a branch of the repository itself."""
    head = BranchRef(branch=branch, commit="1" * 40, repository=PULL.ref.repository)
    into = BranchRef(branch=base, commit="2" * 40, repository=PULL.ref.repository)
    return evolve(PULL, ref=evolve(PULL.ref, number=number), head=head, base=into, state="open", merged=False)


@pytest.mark.parametrize(("beside", "last"), [(MOST_ROWS - 2, f"b{MOST_ROWS - 1}"), (MOST_ROWS - 1, "… and 1 more")])
def test_a_picture_has_forty_rows_and_counts_the_others(beside, last):
    bottom = make_pull(1, "bottom", "main")
    others = [make_pull(number, f"b{number}", "bottom") for number in range(2, beside + 2)]
    path = StackPath(levels=(bottom, others[0]), found={2: "name"})
    rows = draw_tree([path], [bottom, *others], {}).splitlines()
    assert rows[0] == "main"
    assert last in rows[-1]
    assert len(rows) == min(beside + 2, MOST_ROWS + 1)
