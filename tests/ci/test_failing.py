"""get_failing_tests: one entry for each failed test, from whatever tells it (PULL-10)."""

import json

import pytest
from ci_play import LOGS, PYTEST, ci_play, failing

import stithy_ci
from stithy_core.spi import BYTE_BUDGET, CommitCheck, RateLimited, Unknown, Verdict
from stithy_sandbox.world.ci_runs import Work
from stithy_testing import check_plugin

pytestmark = pytest.mark.anyio

JUNIT = b"""<?xml version="1.0"?><testsuites><testsuite name="pytest" tests="2" failures="1">
<testcase classname="tests.test_auth" name="test_login" file="tests/test_auth.py" line="6">
<failure message="assert 401 == 200">tests/test_auth.py:7: AssertionError</failure></testcase>
<testcase classname="tests.test_auth" name="test_logout"/></testsuite></testsuites>"""


def test_the_plugin_declares_what_is_there():
    check_plugin(stithy_ci)


async def test_a_test_has_its_name_place_message_and_command(tmp_path):
    """Prevents: "Unknown test", or "session" after the banner."""
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, lint="passed")
        found = await at.find()
    (entry,) = found["failures"]
    assert entry["test_name"] == "tests/test_auth.py::test_login"
    assert (entry["file_path"], entry["line_number"]) == ("tests/test_auth.py", 7)
    assert "assert 401 == 200" in entry["error_message"]
    assert (entry["check_name"], entry["kind"], entry["tool"]) == ("tests / unit", "test", "pytest")
    assert (entry["source"], entry["confidence"]) == ("log", "high")
    assert entry["rerun"] == "pytest tests/test_auth.py::test_login"
    assert found["instructions"]["commands"] == [entry["rerun"]]


async def test_the_text_is_enough_to_act_on(tmp_path):
    async with ci_play(tmp_path) as at:
        run = at.run(unit=PYTEST)
        text = (await at.call()).content[0].text
    assert text.startswith("smith/anvil#2 at ")
    assert f"tests / unit: http://sandbox.invalid/smith/anvil/actions/runs/{run}/jobs/" in text
    assert "- tests/test_auth.py::test_login at tests/test_auth.py:7 (test, high confidence): " in text
    assert "Run again: pytest tests/test_auth.py::test_login" in text


@pytest.mark.parametrize("case", ["pytest/9-plain", "go/broken", "jest/29-ci"])
async def test_each_failed_test_has_an_entry(tmp_path, case):
    """Prevents: twenty FAILED lines are one failure."""
    truth = json.loads((LOGS / f"{case}.json").read_text())["failures"]
    async with ci_play(tmp_path) as at:
        at.run(unit=Work(Verdict.FAILED, (LOGS / f"{case}.log").read_text()))
        found = await at.find()
    assert found["total_failures"] == len(truth)


NO_NAMES = [
    "============ test session starts ============\ncollected 3 items\n",
    "test result: FAILED. 1 passed; 1 failed; 0 ignored\n",
    "error in src/x.ts\n",
    "3 tests failed\nall of them\n",
]


@pytest.mark.parametrize("log", NO_NAMES)
async def test_text_that_looks_like_a_name_is_left_out(tmp_path, log):
    """Prevents: tests called "session", "result:" and "in"."""
    async with ci_play(tmp_path) as at:
        at.run(unit=log)
        entries = (await at.find())["failures"]
    assert [(entry["test_name"], entry["source"]) for entry in entries] == [("tests / unit", "check")]


async def test_a_log_that_is_not_understood_is_an_entry_that_says_so(tmp_path):
    """What was found in the log instead of a failure is told with the check (FIX-26)."""
    async with ci_play(tmp_path) as at:
        at.run(unit="==== 5 passed in 0.1s ====\noops\n##[error]Process completed with exit code 1.\n", lint="hm\n")
        found = await at.find()
    assert found["total_failures"] == 2
    unit, lint = (next(row for row in found["failures"] if name in row["check_name"]) for name in ("unit", "lint"))
    assert "a runner reports a failure in line 3" in unit["error_message"]
    assert "no total and no start of a known tool was found" in lint["error_message"]


async def test_the_total_is_unknown_with_a_check_of_unknown_verdict(tmp_path):
    """Nothing understood is never nothing failed (FIX-26)."""
    async with ci_play(tmp_path) as at:
        at.checks(CommitCheck(name="unit", verdict=Unknown("the forge has a word of its own"), raw="odd"))
        found = await at.find()
    assert found["status"] == "unknown"
    assert "total_failures" in {row["field"] for row in found["unknown"]}


async def test_go_gives_the_name_of_the_test(tmp_path):
    """Prevents: "Unknown test"."""
    log = "--- FAIL: TestLogin (0.00s)\n    auth_test.go:7: got 401\nFAIL\nFAIL\texample.com/auth\t0.002s\nFAIL\n"
    async with ci_play(tmp_path) as at:
        at.run(unit=log)
        (entry,) = (await at.find())["failures"]
    assert entry["test_name"].endswith("TestLogin")
    assert "got 401" in entry["error_message"]


async def test_twenty_failed_tests_are_twenty_entries_whatever_the_title_says(tmp_path):
    """Prevents: a title of "3 tests failed" over twenty lines is one failure."""
    async with ci_play(tmp_path) as at:
        at.run(unit=failing(*(f"t.py::test_{number}" for number in range(20))))
        found = await at.find()
    assert (found["total_failures"], len(found["failures"])) == (20, 20)
    assert found["instructions"]["summary"].startswith("20 tests failed")


async def test_a_check_of_which_nothing_is_known_has_its_own_name(tmp_path):
    """Prevents: "Unknown test", confidence high."""
    async with ci_play(tmp_path) as at:
        at.run(unit="make: *** [Makefile:3: all] Error 2\n##[error]Process completed with exit code 2.\n")
        (entry,) = (await at.find())["failures"]
    assert (entry["test_name"], entry["confidence"], entry["source"]) == ("tests / unit", "low", "check")
    assert "make: *** [Makefile:3: all] Error 2" in entry["error_message"]
    assert "kind" not in entry
    assert "rerun" not in entry


async def test_the_first_error_of_a_step_whose_tool_is_unknown_is_of_the_kind_step(tmp_path):
    """Prevents: only the end of the log is shown, which follows from the error."""
    log = "##[group]Run ./build\n##[endgroup]\nsrc/parse.q:7:3: error: no rule for 'x'\n" + "skipped\n" * 40
    async with ci_play(tmp_path) as at:
        at.run(unit=f"{log}##[error]Process completed with exit code 2.\n")
        found = await at.find()
    (entry,) = found["failures"]
    assert (entry["kind"], entry["test_name"], entry["confidence"]) == ("step", "tests / unit", "low")
    assert (entry["file_path"], entry["line_number"]) == ("src/parse.q", 7)
    assert "no rule for 'x'" in entry["error_message"]
    assert found["instructions"]["summary"].startswith("1 failed step in 1 of 1 check")


async def test_each_step_that_failed_without_a_failure_of_its_own_is_an_entry(tmp_path):
    step = "##[group]Run ./{0}\n##[endgroup]\nfatal: no {0}\n##[error]Process completed with exit code 2.\n"
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST + step.format("push"), lint=step.format("a") + step.format("b"))
        entries = (await at.find())["failures"]
    messages = [entry["error_message"] for entry in entries if entry.get("kind") == "step"]
    assert sorted(messages) == ["fatal: no a", "fatal: no b", "fatal: no push"]


async def test_the_end_of_a_long_line_that_was_not_read_is_reported(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=f"{'x' * 5_000}\n{PYTEST}")
        found = await at.find()
    assert found["incomplete"] == [
        "tests / unit: one line was read up to 4,096 characters only, the first being line 1"
    ]
    assert found["total_failures"] == 1


async def test_a_missing_log_is_reported(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=Work(Verdict.FAILED), lint=PYTEST)
        found = await at.find()
    assert "tests / unit: the log could not be read" in found["incomplete"][0]
    assert {row["field"] for row in found["unknown"]} == {"total_failures"}
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login", "tests / unit"]


async def test_a_failure_in_several_jobs_is_one_entry(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(linux=PYTEST, macos=PYTEST, windows=failing("tests/test_auth.py::test_login", "tests/test_b.py::test_w"))
        found = await at.find()
    first, second = found["failures"]
    assert first["jobs"] == ["tests / linux", "tests / macos", "tests / windows"]
    assert (second["test_name"], second["check_name"]) == ("tests/test_b.py::test_w", "tests / windows")
    assert "jobs" not in second


async def test_a_job_cancelled_after_another_failure_is_not_a_failure(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, slow=Work(Verdict.CANCELLED, "##[error]The operation was canceled.\n"))
        found = await at.find()
    assert [entry["check_name"] for entry in found["failures"]] == ["tests / unit"]
    assert {row["name"]: row["verdict"] for row in found["checks"]["not_passed"]} == {
        "tests / slow": "cancelled",
        "tests / unit": "failed",
    }


async def test_a_result_file_and_a_log_tell_of_one_failure(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, artifacts={"test-results": {"junit.xml": JUNIT}})
        found = await at.find()
    (entry,) = found["failures"]
    assert (entry["test_name"], entry["source"]) == ("tests/test_auth.py::test_login", "artifact")
    assert (entry["check_name"], entry["rerun"]) == ("tests / unit", "pytest tests/test_auth.py::test_login")


async def test_a_result_file_is_enough(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=Work(Verdict.FAILED), artifacts={"junit": {"out/junit.xml": JUNIT}, "docs": {"a.html": b"<p>"}})
        entries = (await at.find())["failures"]
    assert [(one["test_name"], one["source"]) for one in entries] == [("tests/test_auth.py::test_login", "artifact")]


async def test_artifacts_of_other_names_are_not_read(tmp_path):
    async with ci_play(tmp_path, "[ci]\nresult_files = []\n") as at:
        at.run(unit=Work(Verdict.FAILED), artifacts={"junit": {"junit.xml": JUNIT}})
        entries = (await at.find())["failures"]
    assert [one["source"] for one in entries] == ["check"]


async def test_a_zip_bomb_is_refused_and_reported(tmp_path):
    bomb = b'<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuite name="&b;"/>'
    async with ci_play(tmp_path) as at:
        at.run(unit=PYTEST, artifacts={"junit": {"junit.xml": bomb}})
        found = await at.find()
    assert [entry["source"] for entry in found["failures"]] == ["log"]
    assert "junit.zip/junit.xml was not read: its XML has entities" in found["incomplete"][0]


async def test_a_total_that_is_not_explained_is_reported_beside_failures_of_another_tool(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(unit=f"3 passed; 0 skipped; 1 failed.\n{PYTEST}")
        found = await at.find()
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login"]
    assert "zig counts failures in line 1, '3 passed; 0 skipped; 1 failed." in found["incomplete"][0]


async def test_a_too_large_artifact_is_skipped_and_reported(tmp_path):
    async with ci_play(tmp_path, "[ci]\nmost_artifact_mb = 1\n") as at:
        at.run(unit=PYTEST, artifacts={"junit": {"junit.xml": JUNIT, "video.bin": b"0" * (1 << 20)}})
        found = await at.find()
    assert "artifact junit has 1," in found["incomplete"][0]


async def test_a_long_log_is_read_up_to_a_bound_and_reported(tmp_path):
    async with ci_play(tmp_path, "[ci]\nmost_log_mb = 1\n") as at:
        at.run(unit="x" * 99 + "\n" + PYTEST + ("y" * 99 + "\n") * 11_000)
        found = await at.find()
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login"]
    assert found["incomplete"] == ["tests / unit: only the first 1,048,576 bytes of the log were read"]


async def test_an_error_in_the_middle_of_a_long_log_is_found(tmp_path):
    """Prevents: the last lines of a log only."""
    async with ci_play(tmp_path) as at:
        at.run(unit="before\n" * 20_000 + PYTEST + "after\n" * 20_000)
        found = await at.find()
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login"]
    assert "incomplete" not in found


async def test_a_test_that_passed_at_last_is_flaky(tmp_path):
    case = LOGS / "pytest" / "9-flaky.log"
    if not case.exists():
        pytest.skip("this log does not exist")
    async with ci_play(tmp_path) as at:
        at.run(unit=case.read_text())
        found = await at.find()
    names = {entry["test_name"] for entry in found["failures"]}
    assert found["flaky"]
    assert not names & {one["test_name"] for one in found["flaky"]}


async def test_it_tells_of_the_run_of_the_first_failure_and_lists_all(tmp_path):
    async with ci_play(tmp_path) as at:
        first = at.run(name="alpha", unit=PYTEST)
        later = at.run(name="beta", lint="passed")
        found = await at.find()
    assert (found["ci_info"]["run_id"], found["ci_info"]["workflow_name"]) == (int(first), "alpha")
    assert [row["run_id"] for row in found["runs"]] == [int(later), int(first)]


async def test_without_a_failure_it_tells_of_the_latest_run(tmp_path):
    async with ci_play(tmp_path) as at:
        at.run(name="alpha", unit="passed")
        later = at.run(name="beta", unit="passed")
        assert (await at.find())["ci_info"]["run_id"] == int(later)


async def test_pages_hold_everything_once_while_more_fails(tmp_path):
    async with ci_play(tmp_path) as at:
        names = [f"tests/test_{number}.py::test_{'x' * 40}" for number in range(60)]
        at.run(unit=failing(*names))
        seen, cursor, pages = [], {}, 0
        while True:
            result = await at.call(**cursor)
            found, pages = result.structured_content, pages + 1
            assert len(json.dumps(found, separators=(",", ":"))) + len(result.content[0].text) <= BYTE_BUDGET
            seen += [entry["test_name"] for entry in found["failures"]]
            if "nextCursor" not in found:
                break
            cursor = {"cursor": found["nextCursor"]}
            at.run(name=f"another {pages}", unit=failing(f"tests/test_new.py::test_{pages}"))
    assert pages > 2
    assert seen[:20] == names[:20]
    assert set(names) <= set(seen)
    assert len(seen) == len(set(seen))


async def test_a_missing_pull_request_is_named(tmp_path):
    async with ci_play(tmp_path) as at:
        result = await at.call(pr="smith/anvil#99")
    assert result.is_error
    said = result.structured_content
    assert said["error"].startswith("Failed to get failing tests: PR smith/anvil#99 not found: ")
    assert said["category"] == "user"


async def test_a_limit_says_when_it_ends(tmp_path):
    async with ci_play(tmp_path) as at:

        def raise_limit(_):
            raise RateLimited("Rate limited", retry_after=300)

        at.world.pull = raise_limit
        said = (await at.call()).structured_content
    assert (said["error"], said["retry_after"]) == ("Failed to get failing tests: Rate limited", 300)


async def test_an_installed_parser_reads_logs(tmp_path, monkeypatch):
    write_parser(tmp_path / "site-packages")
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    async with ci_play(tmp_path) as at:
        at.run(unit="ANVILTEST broken: horn\n")
        (entry,) = (await at.find())["failures"]
    assert (entry["tool"], entry["test_name"], entry["rerun"]) == ("anviltest", "horn", "anviltest horn")


def write_parser(folder):
    """Write a distribution with a parser, as pip would install it."""
    info = folder / "anvil_ci-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: anvil-ci\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[ci_failures]\nanvil = anvil_ci_parser:Anvil\n", encoding="utf-8")
    (folder / "anvil_ci_parser.py").write_text(PARSER, encoding="utf-8")


PARSER = """
from ci_failures import Failure, Parser

class Anvil(Parser):
    tool = "anviltest"
    wakes = ("ANVILTEST broken: ",)

    def __init__(self):
        self.found = []

    def read(self, line):
        self.found.append(Failure(tool=self.tool, name=line.text.rpartition(": ")[2], log_line=line.number))
        return False

    def finish(self):
        return self.found

    @classmethod
    def rerun(cls, failures):
        return "anviltest " + " ".join(one.name for one in failures)
"""


async def test_a_cancelled_job_does_not_explain_its_failed_run(tmp_path):
    """The job counted as an effect of its run, and the run as explained by the job: a red commit had no entry."""
    async with ci_play(tmp_path) as at:
        run = CommitCheck(name="tests", kind="run", verdict=Verdict.FAILED, run="7")
        job = CommitCheck(name="tests / unit", verdict=Verdict.CANCELLED, run="7", job="8")
        at.checks(run, job)
        found = await at.find()
    assert (found["status"], [entry["check_name"] for entry in found["failures"]]) == ("failed", ["tests"])


async def test_the_run_is_that_of_the_first_failure(tmp_path):
    """Two runs of one name have checks of one name."""
    async with ci_play(tmp_path) as at:
        first = at.run(unit=Work(Verdict.CANCELLED))
        second = at.run(unit=PYTEST)
        found = await at.find()
    assert first != second
    assert str(found["ci_info"]["run_id"]) == second
    assert found["failures"][0]["log_url"].startswith(found["ci_info"]["url"])


async def test_lists_that_are_cut_say_how_many_there_are(tmp_path):
    flaky = "".join(f"t.py::test_{n} RERUN\nt.py::test_{n} PASSED\n" for n in range(21))
    log = f"{' test session starts ':=^80}\ncollected 21 items\n\n{flaky}{' 21 passed, 21 rerun in 0.12s ':=^80}\n"
    async with ci_play(tmp_path) as at:
        at.run(unit=Work(Verdict.FAILED, log), **{f"job{n}": "timed_out" for n in range(21)})
        result = await at.call()
    found = result.structured_content
    assert (len(found["checks"]["not_passed"]), len(found["flaky"])) == (20, 20)
    assert found["incomplete"][-2:] == [
        "only the first 20 of 22 checks that have not passed are listed",
        "only the first 20 of 21 flaky tests are listed",
    ]
    assert ", and more" in result.content[0].text
