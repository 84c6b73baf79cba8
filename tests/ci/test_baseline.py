"""Was it us? What fails on the base branch's latest commit with CI that has ended was there before."""

import pytest
from ci_play import ANVIL, BRANCH, PYTEST, ci_play, failing

from stithy_ci.baseline import BaseFailures, remove_event
from stithy_ci.failing.failure_entry import Entry
from stithy_core.spi import Verdict
from stithy_sandbox.world.ci_runs import Work

pytestmark = pytest.mark.anyio

OURS, THEIRS = "tests/test_a.py::test_ours", "tests/test_a.py::test_theirs"


def marks(found):
    return {entry["test_name"]: entry.get("pre_existing") for entry in found["failures"]}


async def test_a_failure_on_the_base_branch_was_there_before(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", unit=failing(THEIRS))
        at.run(unit=failing(OURS, THEIRS))
        found = await at.find(compare_base=True)
        base = at.world.commit(ANVIL, "main").sha
    assert marks(found) == {OURS: False, THEIRS: True}
    assert found["base_commit"] == base


async def test_a_failure_of_a_check_that_passed_on_the_base_is_new(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", unit="passed")
        at.run(unit=failing(OURS))
        assert marks(await at.find(compare_base=True)) == {OURS: False}


async def test_a_check_without_a_base_run_is_unknown(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", lint="passed", unit="passed")
        at.run(unit=failing(OURS), slow=failing(THEIRS))
        found = await at.find(compare_base=True)
    assert marks(found) == {OURS: False, THEIRS: None}
    (unknown,) = found["unknown"]
    assert unknown["reason"].startswith("tests / slow did not run on ")


async def test_without_a_run_on_the_base_branch_the_baseline_is_unknown(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=failing(OURS))
        found = await at.find(compare_base=True)
    assert marks(found) == {OURS: None}
    assert found["unknown"][0]["reason"] == "no run on main has ended"


async def test_a_run_that_goes_on_there_is_passed_over_for_an_earlier_one(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", unit=failing(THEIRS))
        earlier = at.world.commit(ANVIL, "main").sha
        at.world.add_commit(ANVIL, "main", "Later", {"later.txt": "later\n"})
        at.run(commit="main", unit="running")
        at.run(unit=failing(THEIRS))
        found = await at.find(compare_base=True)
    assert (marks(found), found["base_commit"]) == ({THEIRS: True}, earlier)


async def test_a_log_that_is_gone_there_tells_nothing(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", unit=Work(Verdict.FAILED))
        at.run(unit=failing(OURS))
        assert marks(await at.find(compare_base=True)) == {OURS: None}


async def test_a_comparison_by_check_alone_leaves_the_baseline_unknown(tmp_path):
    """On servers without logs every failing check was said to fail on the base branch, too (FIX-41)."""
    async with ci_play(tmp_path) as at:
        at.checks(commit="main", jenkins="failed", lint="passed")
        at.checks(jenkins="failed", lint="failed", sonar="failed")
        found = await at.find(compare_base=True)
    assert marks(found) == {"jenkins": None, "lint": False, "sonar": None}
    reasons = [row["reason"] for row in found["unknown"]]
    assert any(reason.startswith("compared by check only: jenkins fails on ") for reason in reasons)


async def test_the_baseline_is_compared_on_request_only(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit="main", unit=PYTEST)
        at.run(unit=PYTEST)
        found = await at.find()
    assert "base_commit" not in found
    assert "pre_existing" not in found["failures"][0]


@pytest.mark.parametrize(("place", "known"), [("api", True), ("web", False), (None, True)])
def test_a_test_of_another_module_is_another_one(place, known):
    before = BaseFailures(commit="abc", failures=frozenset({("surefire", "p.T#adds", "api")}), checks={"unit": True})
    entry = Entry(
        check_name="unit", test_name="p.T#adds", error_message="", log_url="", confidence="high", tool="surefire",
        place=place, source="log",
    )  # fmt: skip
    assert before.has(entry) is known


def test_a_runs_trigger_is_not_part_of_its_name():
    assert remove_event("tests / unit (pull_request)") == remove_event("tests / unit (push)") == "tests / unit"
    assert remove_event("tests / unit (3.11)") == "tests / unit (3.11)"


async def test_the_head_of_the_branch_is_not_its_base(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(commit=BRANCH, name="before", unit=PYTEST)
        assert "pre_existing" not in (await at.find(compare_base=True))["failures"][0]
