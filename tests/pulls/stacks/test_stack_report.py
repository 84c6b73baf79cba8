"""The parts of the result of a stack: what is cut says how much is left out; each fact to weigh has its sentence."""

import pytest
from attrs import evolve
from streams import PULL

from stithy_core.spi import BranchRef, RepositoryRef
from stithy_pulls.git.commit_log import CommitEntry
from stithy_pulls.git.fetch_sources import FetchSource
from stithy_pulls.stacks.fork_point import DroppedEntry, ForkPoint
from stithy_pulls.stacks.merge_outcome import MergeOutcome
from stithy_pulls.stacks.merge_plan import BranchMerge
from stithy_pulls.stacks.move_plan import PullMove, RebaseTarget
from stithy_pulls.stacks.rebase_strategy import RebaseChoice
from stithy_pulls.stacks.stack_case import RestackAdvice, StackCase
from stithy_pulls.stacks.stack_path import StackPath
from stithy_pulls.stacks.stack_report import (
    MOST_NAMED,
    MOST_ROWS,
    draw_tree,
    list_considerations,
    list_dropped_commits,
)


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


BASE = make_pull(1, "bottom", "main")
UPPER = make_pull(2, "upper", "bottom")
SOURCE = FetchSource(label="base/main", ref="refs/heads/main")


def make_commit(number):
    """Return a commit whose SHA is that digit."""
    return CommitEntry(
        sha=f"{number}".ljust(40, "0"),
        parents=(),
        tree="",
        author="Ann",
        email="ann@example.org",
        at="2026-01-05T09:00:00Z",
        committed=0,
        subject=f"c{number}",
    )


def make_advice(*, dropped=(), foreign=2, pull=UPPER, merges=(), **choice):
    """Return the advice to move one pull request, of which some commits are dropped."""
    fork_point = ForkPoint(
        upstream="3" * 40,
        own=(make_commit(1),),
        merges=0,
        straight=True,
        foreign=foreign,
        confidence="high",
        evidence="",
        dropped=tuple(DroppedEntry(entry=make_commit(at), why=why) for at, why in enumerate(dropped, 100)),
    )
    target = RebaseTarget(source=SOURCE, name="main", sha="4" * 40, branch="main")
    move = PullMove(
        pull=pull, source=SOURCE, head="5" * 40, fork_point=fork_point, target=target, below=0, stands=False, steps=()
    )
    rest = {"way": "onto", "open": False, "replayed": 3, "plain_stops": 1, "own_stops": 0, "reason": ""} | choice
    return RestackAdvice(moves=(move,), choice=RebaseChoice(**rest), merges=merges)


def consider(advice, *pulls):
    """Return what is to be weighed, as one text."""
    case = StackCase(
        base=BASE,
        dependent=UPPER,
        outcome=MergeOutcome(merged=True),
        levels=(),
        advice=advice,
        retargets=(),
    )
    return "\n".join(list_considerations(case, advice, (UPPER, *pulls)))


@pytest.mark.parametrize(("stops", "said"), [(0, "0 times"), (1, "at least once"), (2, "at least 2 times")])
def test_the_stops_of_a_plain_rebase_are_counted_in_words(stops, said):
    assert f"replay 3 commits and stop {said}." in consider(make_advice(plain_stops=stops))


def test_only_the_author_of_a_fork_can_push():
    assert "comes from a fork" not in consider(make_advice())
    fork = evolve(UPPER, head=evolve(UPPER.head, repository=RepositoryRef("ann", "anvil")))
    assert f"{fork.ref} comes from a fork: only its author can push" in consider(make_advice(pull=fork))


@pytest.mark.parametrize("more", [0, 2])
def test_doubtful_commits_are_named_and_the_others_counted(more):
    text = consider(make_advice(dropped=["taken out"] * (MOST_NAMED + more)))
    assert "104000000000" in text
    assert "105000000000" not in text
    assert (f" and {more} more, removed from" in text) == bool(more)


@pytest.mark.parametrize(("more", "said"), [(0, ""), (1, "1 more pull request"), (2, "2 more pull requests")])
def test_pull_requests_above_that_are_left_are_named_and_the_others_counted(more, said):
    above = [make_pull(number, f"b{number}", "upper") for number in range(10, 10 + MOST_NAMED + more)]
    text = consider(make_advice(), *above)
    assert text.count("is not rebased: call again with upstack=true.") == MOST_NAMED
    assert (f"Not rebased either: {said} stacked on {UPPER.ref}." in text) == bool(more)


def test_a_merge_keeps_what_a_rebase_would_drop_but_for_lower_commits_and_merges():
    merges = (BranchMerge(number=2, joined="6" * 40, outcome="clean"),)
    text = consider(make_advice(dropped=["below", "merge", "copy"], merges=merges))
    assert f"1 commit of {UPPER.ref} that a rebase would drop stay" in text
    assert f"2 commits of others, whose changes main has, stay in the list of commits of {UPPER.ref}." in text


@pytest.mark.parametrize(("joined", "foreign"), [("", 2), ("6" * 40, 0)])
def test_a_merge_that_joins_nothing_of_others_keeps_nothing_of_others(joined, foreign):
    merges = (BranchMerge(number=2, joined=joined, outcome="clean"),)
    assert "of others, whose changes" not in consider(make_advice(foreign=foreign, merges=merges))


class Shown:
    """A repository that withholds no text."""

    class remote:  # noqa: N801 -- as the attribute
        lockdown = False


@pytest.mark.parametrize(
    ("advice", "dropped"),
    [
        ({}, ["copy", "merge"]),
        ({"way": "regular"}, ["merge"]),
        ({"merges": (BranchMerge(number=2, joined="", outcome="clean"),)}, []),
    ],
    ids=["of their own", "plain", "merged"],
)
def test_a_plain_rebase_drops_merge_commits_alone_and_a_merge_nothing(advice, dropped):
    rows, total = list_dropped_commits(Shown(), make_advice(dropped=["merge", "copy"], **advice))
    assert [row.why for row in rows] == dropped
    assert total == len(dropped)
