"""What is said of a submodule: whether it is new, moves or is gone."""

import pytest

from stithy_pulls.diffs.diff_model import ChangedFile, DiffHunk, DiffLine, LineKind
from stithy_pulls.facts.code_lines import DiffTexts
from stithy_pulls.facts.fact_rules import find_file_facts

OLD, NEW = (
    DiffLine(LineKind.REMOVED, f"Subproject commit {'1' * 40}", 1, None),
    DiffLine(LineKind.ADDED, f"commit {'2' * 40}", None, 1),
)


@pytest.mark.parametrize(
    ("status", "lines", "said"),
    [
        ("added", (NEW,), "a submodule was added at 222222222222"),
        ("modified", (OLD, NEW), "a submodule moved from 111111111111 to 222222222222"),
        ("deleted", (OLD,), "a submodule was removed; it was at 111111111111"),
    ],
)
def test_it_is_said_what_became_of_it(status, lines, said):
    hunks = (DiffHunk(1, 1, 1, 1, "", lines),)
    change = ChangedFile(path="mod", status=status, additions=1, deletions=1, hunks=hunks, kind="submodule")
    assert [fact.text for fact in find_file_facts(change, DiffTexts(), {})] == [said]
