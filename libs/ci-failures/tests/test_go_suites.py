"""Ginkgo and gocheck, whose suites are one test to Go; that logs are read whole is shown in test_logs.py."""

import io
import json
from xml.sax.saxutils import escape

import pytest

from ci_failures.failure_merging import merge
from ci_failures.model import Failure
from ci_failures.parsers.go_rust.ginkgo import Ginkgo
from ci_failures.parsers.go_rust.gocheck import Gocheck
from ci_failures.results.files import read_file
from ci_failures.source_reports import SourceReport

ROOT = "/home/runner/work/app/app"
ENDED = "Ran 2 of 2 Specs in 0.1 seconds\n--- FAIL: TestAPIs (0.10s)\nFAIL\n"
PACKAGE = "FAIL\texample.com/app/in\t0.1s\n"
BLOCK = (
    "------------------------------\n• [FAILED] [0.001 seconds]\nBooks [It] has pages\n"
    f"{ROOT}/in/b_test.go:9\n\n  [FAILED] in [It] - {ROOT}/in/b_test.go:9 @ 11/21/26 22:21:30.943\n\n"
    "  [FAILED] Expected\n      <int>: 3\n  to equal\n      <int>: 0\n"
    f"  In [It] at: {ROOT}/in/b_test.go:9 @ 11/21/26 22:21:30.943\n------------------------------\n"
)
SUMMARY = f"\nSummarizing 1 Failure:\n  [FAIL] Books [It] has pages\n  {ROOT}/in/b_test.go:9\n\n"
SUITE = BLOCK + SUMMARY + ENDED + PACKAGE


@pytest.fixture
def found(read):
    """Return what all parsers find."""

    def finding(text):
        return [one for told in read(text) for one in told.failures]

    return finding


def test_a_spec_says_what_its_block_says(found):
    (one,) = found(SUITE)
    assert one.message == "Expected\n    <int>: 3\nto equal\n    <int>: 0"
    assert (one.tool, one.name, one.place) == ("ginkgo", "Books has pages", "example.com/app/in")


def test_a_block_of_version_1_is_read_too(found):
    block = (
        "• Failure [0.000 seconds]\nBooks\n/x/in/b_test.go:7\n  has pages [It]\n  /x/in/b_test.go:9\n\n"
        "  Expected\n      <int>: 3\n\n  /x/in/b_test.go:9\n------------------------------\n"
    )
    summary = "\nSummarizing 1 Failure:\n\n[Fail] Books [It] has pages \n/x/in/b_test.go:9\n\n"
    (one,) = found(block + summary + ENDED + PACKAGE)
    assert (one.name, one.message) == ("Books has pages", "Expected\n    <int>: 3")


def test_a_spec_that_panicked_has_the_place_of_its_own_code(found):
    block = (
        "• [PANICKED] [0.000 seconds]\nBooks [It] has pages\n\n  [PANICKED] Test Panicked\n"
        "  In [It] at: /usr/local/go/src/runtime/map.go:26 @ 11/21/26 22:21:30.9\n\n  nil map\n\n  Full Stack Trace\n"
        f"    example.com/app/in.init()\n    \t{ROOT}/in/b_test.go:21 +0x28\n------------------------------\n"
    )
    summary = "\nSummarizing 1 Failure:\n  [PANICKED!] Books [It] has pages\n  /usr/local/go/src/runtime/map.go:26\n\n"
    (one,) = found(block + summary + ENDED + PACKAGE)
    assert (one.file, one.line, one.message) == ("in/b_test.go", 21, "nil map")


def test_specs_of_suites_that_no_package_is_named_for_are_told_by_folder(found):
    header = f"Running Suite: API Suite - {ROOT}/in\n==========\n"
    (one,) = found(header + BLOCK + SUMMARY + ENDED + "\nGinkgo ran 1 suite in 2.1s\n\nTest Suite Failed\n")
    assert one.place == "./in"


def test_specs_are_focused_on_by_their_text():
    failures = [
        Failure(tool="ginkgo", name="a (b)", selector=r"a \(b\)$", place="./in"),
        Failure(tool="ginkgo", name="c", selector="c$", place="./in"),
    ]
    assert Ginkgo.rerun(failures) == r"go test ./in -count=1 '-ginkgo.focus=a \(b\)$|c$'"


def test_labels_at_the_end_of_a_spec_do_not_select_it(found):
    summary = f"\nSummarizing 1 Failure:\n  [FAIL] Books [It] is slow [net]\n  {ROOT}/in/b_test.go:9\n\n"
    (one,) = found(BLOCK + summary + ENDED + PACKAGE)
    assert (one.name, one.selector) == ("Books is slow [net]", "Books is slow")


RULE = "-" * 70
CHECKED = (
    f"\n{RULE}\nFAIL: a_test.go:7: S.TestA\n\na_test.go:9:\n    c.Assert(1, Equals, 2)\n"
    "... obtained int = 1\n... expected int = 2\n\n"
)


def test_a_test_of_gocheck_has_the_place_of_its_assertion(found):
    package = "FAIL\tgithub.com/ex/app/in\t0.1s\n"
    (one,) = found(f"{CHECKED}OOPS: 1 passed, 1 FAILED\n--- FAIL: Test (0.00s)\nFAIL\n{package}")
    assert (one.tool, one.name, one.file, one.line) == ("gocheck", "S.TestA", "in/a_test.go", 9)
    assert one.message == "c.Assert(1, Equals, 2)\nobtained int = 1\nexpected int = 2"


def test_a_test_whose_fixture_failed_is_told_by_the_fixture(found):
    related = (
        f"{RULE}\nFAIL: a_test.go:5: S.SetUpTest\n\na_test.go:6:\n    c.Fatal(1)\n... Error: 1\n\n\n{RULE}\n"
        "PANIC: a_test.go:7: S.TestA\n\n... Panic: Fixture has panicked (see related PANIC)\n"
    )
    log = f"\n{related}OOPS: 0 passed, 1 FAILED, 1 PANICKED\n--- FAIL: Test (0.00s)\nFAIL\n{PACKAGE}"
    assert [one.name for one in found(log)] == ["S.SetUpTest"]


def test_what_gocheck_says_verbosely_stands_before_its_verdict(found):
    log = (
        "START: a_test.go:7: S.TestA\na_test.go:9:\n    c.Fail()\n... Error: no\n\nFAIL: a_test.go:7: S.TestA\n\n"
        f"OOPS: 0 passed, 1 FAILED\n--- FAIL: Test (0.00s)\nFAIL\n{PACKAGE}"
    )
    (one,) = found(log)
    assert (one.line, one.message) == (9, "c.Fail()\nError: no")


def test_a_fixture_is_run_again_with_all_of_its_suite():
    failure = Failure(tool="gocheck", name="S.SetUpTest", selector=r"^S\.SetUpTest$", place="./in")
    assert Gocheck.rerun([failure]) == r"go test ./in -count=1 '-check.f=^S\.'"


def test_what_bazel_shows_of_a_target_belongs_to_it(found):
    log = (
        "==================== Test output for //in/x:x_test (shard 5 of 15):\n--- FAIL: TestA (0.01s)\n"
        f"    a_test.go:3: no\nFAIL\n{'=' * 80}\n--- FAIL: TestB (0.01s)\n"
    )
    (one,) = found(log)
    assert (one.name, one.file, one.place) == ("//in/x:x_test.TestA", "in/x/a_test.go", "//in/x:x_test")


def junit(text, package="example.com/app/in"):
    """Return what gotestsum writes of a suite."""
    case = (
        f'<testcase classname="{package}" name="TestAPIs"><failure message="Failed">{escape(text)}</failure></testcase>'
    )
    xml = f'<testsuites><testsuite name="{package}" tests="1">{case}</testsuite></testsuites>'
    return SourceReport(source="artifact", check="CI", failures=read_file("j.xml", io.BytesIO(xml.encode())).failures)


def test_a_suite_in_a_result_file_is_what_its_specs_in_the_log_are(read):
    logged = [SourceReport(source="log", check="unit", failures=one.failures) for one in read(SUITE)]
    alone = [one.failure.name for one in merge([junit(BLOCK + SUMMARY)])]
    together = [one.failure.name for one in merge([junit(BLOCK + SUMMARY), *logged])]
    assert (alone, together) == (["example.com/app/in.TestAPIs"], ["Books has pages"])


def test_a_suite_of_another_package_stays(read):
    logged = [SourceReport(source="log", check="unit", failures=one.failures) for one in read(SUITE)]
    assert len(merge([junit(BLOCK + SUMMARY, "example.com/app/out"), *logged])) == 2


def test_specs_are_read_in_events(found):
    lines = f"Running Suite: Books - {ROOT}/in\n{BLOCK}{SUMMARY}{ENDED}".splitlines()
    said = {"Package": "example.com/app/in", "Test": "TestAPIs"}
    events = [{"Action": "output", "Output": f"\x1b[0m{line}\n"} | said for line in lines]
    events += [{"Action": "fail"} | said, {"Action": "fail", "Package": "example.com/app/in"}]
    (one,) = found("\n".join(json.dumps(event, separators=(",", ":")) for event in events))
    assert (one.tool, one.name, one.file, one.line) == ("ginkgo", "Books has pages", "in/b_test.go", 9)
