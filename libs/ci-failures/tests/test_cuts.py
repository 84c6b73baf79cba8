"""What a parser does not keep is said, and what several tools print alike is told apart."""

import pytest

import ci_failures
from ci_failures.failure_merging import incompleteness
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import MOST_FAILURES
from ci_failures.parsers import load_built_in
from ci_failures.source_reports import SourceReport

LITERALS = Literals(load_built_in())
MANY = range(1, MOST_FAILURES + 3)
LOGS = {
    "tap": f"TAP version 13\n1..{len(MANY)}\n" + "".join(f"not ok {n} - t{n}\n" for n in MANY),
    "tsc": "".join(f"src/a{n}.ts(1,7): error TS2322: bad\n" for n in MANY),
    "surefire": "".join(f"[ERROR] a.C{n}.m -- Time elapsed: 0.1 s <<< FAILURE!\nx\n\n" for n in MANY),
    "go": "".join(f"--- FAIL: Test{n} (0.00s)\n    a_test.go:3: x\n" for n in MANY) + "FAIL\nFAIL\tx.org/a\t0.1s\n",
}


def read(log):
    reader = LogReader(LITERALS)
    reader.feed(log.encode())
    return [one for one in reader.finish() if one.failures]


@pytest.mark.parametrize("tool", LOGS)
def test_more_failures_than_are_kept_are_a_gap(tool):
    """10,000 entries were cut without a word (FIX-26)."""
    (told,) = read(LOGS[tool])
    report = SourceReport(source="log", check="unit", failures=told.failures, counted=told.counted)
    assert incompleteness(report) == f"unit: only the first 10,000 failures of {tool} were read"


def test_a_gap_names_the_tool_whose_count_differs():
    """It did not say which of several in one log (FIX-26)."""
    report = SourceReport(source="log", check="unit", tool="mypy", counted=1)
    assert incompleteness(report) == "unit: mypy itself counts 1 failures, and 0 were read"


FAILED = "FAILED t.py::test_a - assert 1 == 2\n=== 1 failed in 0.10s ===\n"


def test_lines_that_are_cut_are_named_and_leave_the_status():
    long = "x" * 5_000
    report = ci_failures.parse(f"one\n{long}\n{FAILED}{long}\n".encode(), name="build.log")
    assert report.gaps == ("build.log: 2 lines were read up to 4,096 characters only, the first being line 2",)
    passed = ci_failures.parse(f"{long}\n=== 1 passed in 0.10s ===\n".encode())
    assert (passed.status, len(passed.gaps)) == ("passed", 1)


def test_a_line_of_many_bytes_and_few_characters_is_not_cut():
    assert ci_failures.parse(f"{'語' * 4_000}\n{FAILED}".encode()).gaps == ()


@pytest.mark.parametrize(("count", "gaps"), [(64, 0), (70, 1)])
def test_names_that_are_not_distinguished_are_reported(count, gaps):
    lines = "".join(f"packages/a{number} test: starting\n" for number in range(count))
    report = ci_failures.parse(f"{lines}{FAILED}".encode(), name="build.log")
    assert len(report.gaps) == gaps
    assert all("those with 'packages/a64 test:' or later names have no place" in gap for gap in report.gaps)


SOLVERS = {
    "pub": [
        "Because app depends on x >=1.0.0 which doesn't match any versions, version solving failed.",
        "And because foo 1.0.0 depends on bar (1), version solving failed.",
    ],
    "poetry": [
        "Because app depends on x (^2.0) which doesn't match any versions, version solving failed.",
        "So, because app depends on both x (^2.0) and y (1.0), version solving failed.",
    ],
    "hex": ['Because "your app" depends on "x ~> 2.0" which doesn\'t match any versions, version solving failed.'],
}


@pytest.mark.parametrize(("tool", "line"), [(tool, line) for tool, lines in SOLVERS.items() for line in lines])
def test_solvers_that_fail_in_the_same_words_are_told_by_how_they_write_versions(tool, line):
    """Dart's was called Poetry's (FIX-26)."""
    ((found,),) = [one.failures for one in read(f"{line}\n")]
    assert (found.tool, found.kind) == (tool, "dependency")
