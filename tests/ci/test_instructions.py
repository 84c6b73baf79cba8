"""What to do first: facts that can be checked in the entries, and nothing else."""

import pytest
from ci_play import PYTEST, ci_play, failing

from ci_failures.model import Failure
from ci_failures.parsers import load_built_in
from ci_failures.rerun_commands import LONGEST, commands_for, rerun_by
from stithy_ci.ci_state.commit_state import CommitState
from stithy_ci.failing.answer_instructions import create_instructions
from stithy_ci.failing.failure_entry import MESSAGE, Entry, truncate_message
from stithy_core.spi import CommitCheck, RepositoryRef, Unknown, Verdict

RERUN = rerun_by({parser.tool: parser for parser in reversed(load_built_in())})
NOBODY = Unknown("nobody asked")


def entry(name, **fields):
    usual = {"check_name": "unit", "error_message": "boom", "log_url": "", "confidence": "high", "source": "log"}
    return Entry(**{"test_name": name, "kind": "test", "tool": "pytest"} | usual | fields)


def advise(*entries, verdicts=(Verdict.FAILED, Verdict.PASSED)):
    checks = tuple(CommitCheck(name=str(number), verdict=verdict) for number, verdict in enumerate(verdicts))
    truth = CommitState(repository=RepositoryRef("o", "r"), commit="abc", checks=checks, runs=NOBODY, rules=NOBODY)
    return create_instructions(truth, entries, [])


def test_the_summary_counts_kinds_checks_and_files():
    entries = entry("a", file_path="a.py"), entry("b", file_path="a.py"), entry("c", kind="compile", file_path="b.py")
    said = advise(*entries).summary
    assert said == "2 tests, 1 compile error in 1 of 2 checks, 2 in a.py and the others in 1 file more"


def test_running_jobs_are_reported():
    verdicts = Verdict.FAILED, Verdict.RUNNING
    assert (
        advise(entry("a"), verdicts=verdicts).summary == "1 test failed in 1 of 2 checks; 1 of 2 checks still under way"
    )
    assert advise(verdicts=[Verdict.RUNNING]).summary == "1 of 1 check still under way, nothing has failed so far"


def test_many_tests_with_one_message_come_first_together():
    (first, *_) = advise(entry("a", error_message="one"), entry("b"), entry("c")).priority
    assert (first.test, first.reason) == ("b", "2 tests fail with the same message: boom")


def test_a_failure_that_keeps_tests_from_running_comes_first():
    said = advise(entry("a"), entry("b"), entry("c", kind="compile", check_name="build", tool="tsc")).priority
    assert said[0].test == "c"
    assert said[0].reason == "the code does not compile in build: tests that need it did not run"


def test_a_module_that_was_not_collected_hides_its_tests():
    (first, *_) = advise(entry("a"), entry("t/test_b.py", kind="compile", error_message="ImportError")).priority
    assert (first.test, first.reason) == ("t/test_b.py", "pytest could not load it in unit: none of its tests ran")


def test_the_most_widespread_failure_is_named():
    said = advise(entry("a", error_message="one"), entry("b", jobs=("linux", "windows"))).priority
    assert [(one.test, one.reason) for one in said] == [("b", "it fails in 2 checks, more than any other")]


def test_failures_that_have_nothing_in_common_have_no_order():
    assert advise(entry("a", error_message="one"), entry("b", error_message="two")).priority == ()


def test_a_fix_is_only_what_the_tool_itself_printed():
    (one,) = advise(entry("a", suggested_fix="remove the import"), entry("b", error_message="other")).priority
    assert (one.test, one.suggested_fix) == ("a", "remove the import")


def test_there_is_one_command_for_each_tool_and_place():
    failures = [Failure(tool="pytest", name=name, selector=name) for name in ("a.py::test_x", "a.py::test_y[a b]")]
    assert commands_for(failures, RERUN) == ["pytest a.py::test_x 'a.py::test_y[a b]'"]


def test_a_command_that_is_too_long_says_how_many_it_runs():
    failures = [Failure(tool="pytest", name=f"a.py::{n:0>90}", selector=f"a.py::{n:0>90}") for n in range(100)]
    (command,) = commands_for(failures, RERUN)
    assert len(command) <= LONGEST + 20
    assert command.endswith("  # 12 of 100")


def test_unselectable_tests_are_reported_as_left_out_of_the_command():
    failures = [Failure(tool="pytest", name="a.py::test_x", selector="a.py::test_x"), Failure(tool="pytest", name="y")]
    assert commands_for(failures, RERUN) == ["pytest a.py::test_x  # 1 of 2"]


def test_a_failure_outside_of_tests_has_no_command():
    failure = Failure(tool="pytest", kind="dependency", name="unresolved: a", log_line=7)
    assert commands_for([failure], RERUN) == []


def test_a_tool_without_a_parser_has_no_command():
    assert commands_for([Failure(tool="junit", name="a")], RERUN) == []


def test_a_parser_that_raises_costs_its_command_only():
    class Broken(load_built_in()[0]):
        @classmethod
        def rerun(cls, failures):
            raise ValueError(failures)

    assert commands_for([Failure(tool="broken", name="a")], rerun_by({"broken": Broken})) == []


def test_a_long_message_ends_with_a_line_and_its_length():
    text = "a line of it\n" * 100
    said = truncate_message(text)
    assert said.endswith("a line of it… [1300 chars]")
    assert len(said) < MESSAGE + 20


@pytest.mark.anyio
async def test_the_whole_answer_has_them(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, slow=failing("tests/test_s.py::test_s", message="assert 401 == 200"))
        said = (await at.find())["instructions"]
    assert said["summary"].startswith("2 tests failed in 2 of 2 checks")
    assert said["commands"] == ["pytest tests/test_s.py::test_s tests/test_auth.py::test_login"]
