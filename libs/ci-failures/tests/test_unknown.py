"""`ci-failures` never answers that nothing failed where nothing was understood (FIX-26)."""

import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.cli import parse as parse_command
from ci_failures.cli import run_command
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.parsers import load_built_in

HERE = Path(__file__).parent
LITERALS = Literals(load_built_in())
PASSED = "===== 5 passed in 0.10s =====\n"
STEP = "2026-01-02T03:04:05.1234567Z ##[group]Run ./check.sh\n2026-01-02T03:04:05.1234567Z ##[endgroup]\n"


@pytest.fixture
def parse(tmp_path, capsys):
    """Run the command on the content of a file, and return its exit code and its JSON document."""

    def run(content, name="build.log", *, text=False):
        file = tmp_path / name
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        code = run_command(parse_command, [*([] if text else ["--json"]), str(file)], "ci-failures")
        written = capsys.readouterr().out
        return code, written if text else json.loads(written)

    return run


def pack(**entries):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return raw.getvalue()


FAILURE_LINES = [
    "2026-01-02T03:04:05.1234567Z ##[error]Process completed with exit code 1.",
    "::error::Process completed with exit code 1.",
    "exitcode '1': failure",
    "ERROR: Job failed: exit code 1",
    "ERROR: Job failed (system failure): prepare environment",
    "Finished: FAILURE",
    "[2026-03-04T05:06:07.123Z] Finished: FAILURE",
    "2026-03-04T05:06:07.123456Z 00O ERROR: Job failed: exit code 1",
    "Error: Process completed with exit code 1.",
    "ERROR: script returned exit code 2",
    "##[error]Bash exited with code '1'.",
    'The command "./check.sh" exited with 1.',
    "Done. Your build exited with 1.",
    "Exited with code exit status 1",
    "🚨 Error: The command exited with status 1",
    "Command exited with code 1",
    "[Container] 2026/01/02 03:04:05 Phase complete: BUILD State: FAILED",
    'ERROR: build step 0 "node" failed: step exited with non-zero status: 1',
    "##teamcity[testFailed name='x' message='y']",
    "make: *** [Makefile:3: test] Error 1",
    "error Command failed with exit code 1.",
    "BUILD FAILED in 3s",
    "[INFO] BUILD FAILURE",
    "Segmentation fault (core dumped)",
]


@pytest.mark.parametrize("line", FAILURE_LINES)
@pytest.mark.parametrize("before", [STEP + "oops\n", PASSED], ids=["nothing", "passed"])
def test_the_line_by_which_a_runner_reports_a_failure_leaves_it_unknown(parse, before, line):
    code, answer = parse(f"{before}{line}\n")
    if answer["failures"]:  # a parser has read what failed
        assert code == 1
        return
    assert (code, answer["status"]) == (4, "unknown")
    assert "reports a failure in line" in answer["gaps"][0]


@pytest.mark.parametrize("content", ["all is well\n", "Deploying…\nok\n", "{}", "FAILED\n"])
def test_a_log_in_which_nothing_is_recognized_is_unknown_with_what_was_looked_for(parse, content):
    code, answer = parse(content)
    assert (code, answer["status"]) == (4, "unknown")
    assert "no total and no start of a known tool" in answer["gaps"][0]
    assert {"pytest", "jest", "go", "cargo"} <= set(answer["looked_for"])


def test_text_says_unknown_and_never_0_failed(parse):
    code, written = parse("all is well\n", text=True)
    assert code == 4
    assert written.startswith("unknown whether anything failed\nIncomplete: ")
    assert "0 failed" not in written
    assert "Looked for: act, " in written or "Looked for: " in written


def test_an_empty_file_is_unknown(parse):
    code, answer = parse("")
    assert (code, answer["gaps"][0].endswith("build.log: it is empty")) == (4, True)


def test_a_tail_of_pytest_without_its_header_is_read(parse):
    code, answer = parse("FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n")
    assert (code, [row["name"] for row in answer["failures"]]) == (1, ["tests/test_a.py::test_b"])


@pytest.mark.parametrize(
    "total",
    [
        "==== 1 failed in 0.1s ====",
        "1 failed, 3 passed in 0.01s",
        "Tests:       1 failed, 3 total",
        "FAILED (failures=1)",
        "3 examples, 1 failure",
        "Tests run: 3, Failures: 1, Errors: 0, Skipped: 0",
        "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        "Executed 3 of 3 (1 FAILED) (0.01 secs / 0.005 secs)",
        "3 specs, 1 failure",
        "FAILED | 0 passed | 1 failed (3ms)",
        "1 scenario (1 failed)",
        "RESULTS    : PASS 4 | ERROR 3 | FAIL 0 | SKIP 1 | WARN 0 | INTERRUPT 0 | CANCEL 0",
        "──────── FAILED in 0.64 seconds ────────",
        "  passing:   2\n  failing:   6",
        "Finished in 0.016 seconds\n2 tests, 0 failures, 1 cancelled",  # EUnit under rebar3, where a set-up failed
        "  Failed: 0.  Skipped: 0.  Passed: 1.\nOne or more tests were cancelled.",
        "Finished in 0.02 seconds (0.00s async, 0.02s sync)\n2 tests, 0 failures, 2 invalid",  # as ExUnit
    ],
)
def test_a_total_that_counts_failures_of_which_none_was_read_is_not_0_failed(parse, total):
    code, answer = parse(f"{total}\n")
    assert (code, answer["status"]) in {(4, "unknown"), (1, "failed")}
    assert answer["gaps"] or answer["failures"]


FAILED_TOTALS = [
    ("mocha", "  2 passing (3ms)\n  1 failing\n"),
    ("vitest", " Test Files  1 failed (1)\n"),
    ("rspec", "3 examples, 1 failure\n"),
    ("turbopack", "Error: Turbopack build failed with 12 errors:\n"),
]
PYTEST = (
    "===== short test summary info =====\nFAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n"
)


@pytest.mark.parametrize("order", [1, -1], ids=["before", "behind"])
@pytest.mark.parametrize(("tool", "total"), FAILED_TOTALS)
def test_a_total_without_failures_is_a_gap_beside_failures_of_another_tool(parse, tool, total, order):
    """It was silent as soon as any other tool had failed (the log of a job has several)."""
    code, answer = parse("".join([total, PYTEST][::order]))
    assert (code, [row["name"] for row in answer["failures"]]) == (1, ["tests/test_a.py::test_b"])
    assert any(f": {tool} counts failures in" in gap or f": {tool} itself counts" in gap for gap in answer["gaps"])


@pytest.mark.parametrize(("tool", "total"), FAILED_TOTALS)
def test_a_later_run_that_passed_does_not_hide_a_total_with_failures(parse, tool, total):
    code, answer = parse(f"{total}===== test session starts =====\n{PASSED}")
    assert (code, answer["status"]) == (4, "unknown")
    assert tool in answer["gaps"][0]


def test_a_total_that_a_test_of_a_passed_run_prints_shows_nothing(parse):
    assert parse(f"===== test session starts =====\n3 examples, 1 failure\n{PASSED}")[0] == 0


@pytest.mark.parametrize(
    ("tool", "start"),
    [
        ("pytest", "=== test session starts ===\ncollected 3 items\n\na.py ..."),
        ("cargo", "running 3 tests\ntest a ... ok"),
        ("gtest", "[==========] Running 2 tests from 1 test suite."),
        ("go", "=== RUN   TestA\n--- PASS: TestA (0.00s)"),
    ],
)
def test_a_run_that_began_and_whose_total_is_cut_off_is_unknown(parse, tool, start):
    code, answer = parse(f"{start}\n")
    assert code == 4
    assert f"{tool} began in line 1, and its total is not in the log" in answer["gaps"][0]


LOGS = ["cargo/passing", "catch2/fine", "compilers/fine", "ctest/fine", "django/5-passes", "doctest_cpp/fine"]
LOGS += ["eslint/9-passes", "exunit/fine", "go/passing", "golangci-lint/v2-fine", "gtest/fine", "jest/28-passes"]
LOGS += ["minitest/fine", "mocha/11-passes", "mypy/new-passes", "nextest/passing", "nose/2.7-passes", "phpunit/fine"]
LOGS += ["playwright/1.65-passes", "pytest/9-passes", "pytest/9-passes-aloud", "rspec/fine", "surefire/3.5.4-passes"]
LOGS += ["unittest/3.13-passes", "vitest/4-passes"]


@pytest.mark.parametrize("log", LOGS)
def test_a_real_log_of_a_run_that_passed_is_0(parse, log):
    code, answer = parse((HERE / "logs" / f"{log}.log").read_bytes())
    assert (code, answer["status"], answer["gaps"]) == (0, "passed", [])


@pytest.mark.parametrize("end", ["Job succeeded", "Finished: SUCCESS", "Cleaning up orphan processes"])
def test_a_job_that_its_runner_reports_as_passed_is_0(parse, end):
    assert parse(f"oops\n{end}\n")[0] == 0


def test_a_script_that_a_runner_echoes_shows_nothing(parse):
    log = "##[group]Run make\necho '==== 5 passed in 0.1s ===='\n==== 5 passed in 0.1s ====\n##[endgroup]\nhm\n"
    assert parse(log)[0] == 4


UNREADABLE = [
    ("a binary file", bytes(range(256)) * 8),
    ("XML with the root <pmd>", b'<?xml version="1.0"?>\n<pmd><file/></pmd>'),
]


@pytest.mark.parametrize(("form", "content"), UNREADABLE)
def test_a_format_that_cannot_be_read_is_2_and_named(parse, form, content):
    code, answer = parse(content)
    assert (code, answer["status"]) == (2, "unknown")
    assert f"{form} is not supported" in answer["gaps"][0]


def test_a_refused_entry_of_a_zip_is_2(parse):
    code, answer = parse(pack(**{"a.log": PASSED, "bomb.log": "x" * (4 << 20)}), "run.zip")
    assert code == 2
    assert "run.zip/bomb.log was not read: it unpacks to more than" in answer["gaps"][0]


def test_a_zip_whose_texts_are_not_understood_is_unknown(parse):
    code, answer = parse(pack(**{"README.txt": "hello", "a.png": os.urandom(100)}), "run.zip")
    assert (code, answer["status"]) == (4, "unknown")


def test_a_zip_with_one_log_that_passed_is_0_whatever_lies_beside_it(parse):
    assert parse(pack(**{"unit.log": PASSED, "README.txt": "hello"}), "run.zip")[0] == 0


def test_a_step_that_failed_leaves_a_zip_unknown(parse):
    steps = {"unit/1_Set up.txt": PASSED, "unit/2_Run check.txt": "##[error]Process completed with exit code 1.\n"}
    code, answer = parse(pack(**steps), "run.zip")
    assert code == 4
    assert "unit/2_Run check.txt: a runner reports a failure in line 1" in answer["gaps"][0]


def test_a_log_in_utf_16_in_a_zip_is_read(parse):
    assert parse(pack(**{"wide.log": PASSED.encode("utf-16")}), "run.zip")[0] == 0


def test_a_result_file_that_counts_failures_without_cases_is_unknown(parse):
    code, answer = parse('<testsuite failures="2"><testcase name="a"/></testsuite>', "x.xml")
    assert (code, answer["status"]) == (4, "unknown")


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"]), max_size=400))
def test_no_text_without_a_mark_is_taken_for_a_run_that_passed(text):
    """Letters and words alone never show that nothing failed."""
    reader = LogReader(LITERALS)
    reader.feed("".join(char for char in text if char.isalpha() or char in " \n").encode())
    failures = [one for told in reader.finish() for one in told.failures]
    assert failures or reader.outcome.unknown


ENDS = [
    ("commitlint", "✖   found 1 problems, 0 warnings"),
    ("lab", "  1) math adds:\n\n      expected 3\n\n1 of 2 tests failed"),
    ("ty", "error[unresolved-reference]: Name `x` used when not defined\n --> a.py:5:20\n\nFound 1 diagnostic"),
    ("svelte-check", "svelte-check found 2 errors and 2 warnings in 2 files"),
    ("webpack", "webpack 5.113.0 compiled with 1 error in 512 ms"),
    ("Vite", "error during build:"),
    ("MkDocs", "Aborted with 1 warnings in strict mode!"),
    ("Sphinx", "build finished with problems, 2 warnings (with warnings treated as errors)."),
]


@pytest.mark.parametrize(("tool", "log"), ENDS, ids=[tool for tool, _ in ENDS])
def test_a_tool_without_a_parser_that_ends_with_what_it_found_is_no_pass(parse, tool, log):
    """Beside the total of another tool, which passed, nothing showed that this one had failed."""
    code, answer = parse(f"=== 5 passed in 0.10s ===\n{log}\n")
    told = [*answer["gaps"], *(one["name"] for one in answer["failures"])]
    assert code in {1, 4}
    assert any(tool in gap or "unresolved-reference" in gap for gap in told)


@pytest.mark.parametrize(
    "log",
    [
        "svelte-check found 0 errors and 2 warnings",
        "webpack 5.1.0 compiled with 1 warning in 9 ms",
        "Found 0 diagnostics",
    ],
)
def test_what_was_found_without_an_error_is_a_pass(parse, log):
    assert parse(f"=== 5 passed in 0.10s ===\n{log}\n")[0] == 0


def test_a_run_of_unittest_that_is_cut_off_before_its_verdict_is_no_pass(parse):
    assert parse("Ran 3 tests in 0.001s\n\n")[0] == 4
    assert parse("Ran 3 tests in 0.001s\n\nOK (skipped=1)\n")[0] == 0


def test_vitests_reporter_for_github_may_leave_something_out(parse):
    log = "::error file=/app/a.test.ts,title=a.test.ts > adds,line=3,column=1::AssertionError: no\n"
    code, answer = parse(log)
    assert code == 1
    assert "prints no total" in answer["gaps"][0]


@pytest.mark.parametrize(
    "log",
    [
        "RESULTS    : PASS 4 | ERROR 0 | FAIL 0 | SKIP 1 | WARN 0 | INTERRUPT 0 | CANCEL 0",
        "──────── SUCCESS in 0.64 seconds ────────",
        "  total:     2\n  passing:   2",
        "Checked 3 files in 14ms. No fixes applied.",
        "Finished in 0.0002 seconds\n2 examples, 0 failures, 1 pending",  # Haskell's hspec
    ],
)
def test_a_total_of_a_tool_without_a_parser_that_counts_no_failure_is_a_pass(parse, log):
    assert parse(f"{log}\n")[0] == 0


def test_a_stream_of_tap_that_breaks_off_at_its_only_failure_is_unknown(parse):
    code, answer = parse("TAP version 13\n1..4\nok 1 a\nnot ok 2 b\n")
    assert code == 4
    assert "break off" in answer["gaps"][0]


def test_output_of_bats_that_breaks_off_within_its_only_failure_is_unknown(parse):
    code, answer = parse("1..4\nok 1 a\nnot ok 2 b\n# (in test file a.bats, line 2)\n")
    assert code == 4
    assert "breaks off" in answer["gaps"][0]


CARGO = "    Finished `test` profile target(s) in 1.0s\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed\n"
MAVEN = "[INFO] Scanning for projects...\n[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n"
CUT = {
    "a second binary": (f"{CARGO}\nrunning 2 tests\ntest b ... ok\n", "cargo began in line 7"),
    "a build": (f"{MAVEN}[INFO] --- source-plugin ---\n", "maven began in line 1"),
}


@pytest.mark.parametrize(("log", "gap"), CUT.values(), ids=CUT)
def test_an_earlier_total_of_a_tool_does_not_prove_that_its_last_run_passed(parse, log, gap):
    code, answer = parse(log)
    assert code == 4
    assert f"{gap}, and its total is not in the log" in answer["gaps"][0]


@pytest.mark.parametrize("log", [CARGO, f"{MAVEN}[INFO] BUILD SUCCESS\n", "___ summary ___\n  congratulations :)\n"])
def test_totals_of_the_last_runs_prove_that_nothing_failed(parse, log):
    assert parse(log)[0] == 0


@pytest.mark.parametrize(
    "report",
    ["error: process didn't exit successfully: `target/debug/a` (exit code: 1)", "ERROR:   py37: commands failed"],
)
def test_reports_of_tools_that_run_a_program_show_that_it_failed(parse, report):
    assert parse(f"{CARGO}{report}\n")[0] == 4
