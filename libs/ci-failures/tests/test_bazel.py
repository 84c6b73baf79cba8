"""Bazel's summary of targets; made from what its sources print."""

import pytest

import ci_failures

LOGS = "/home/ci/.cache/bazel/_bazel_ci/7d/execroot/_main/bazel-out/k8-fastbuild/testlogs"
SUMMARY = f"""INFO: Build completed, 2 tests FAILED, 31 total actions
//shop:cart_test                                                (cached) PASSED in 0.1s
//shop:till_test                                                         FAILED in 3 out of 3 in 0.6s
  Stats over 3 runs: max = 0.6s, min = 0.5s, avg = 0.5s, dev = 0.1s
  {LOGS}/shop/till_test/test.log
@rules//a/b:slow                                                         TIMEOUT in 60.1s
//shop:again                                                             FLAKY, failed in 1 out of 2 in 0.3s

Executed 3 out of 4 tests: 2 tests pass and 2 fail remotely.
"""
OUTPUT = f"""FAIL: //shop:till_test (see {LOGS}/shop/till_test/test.log)
INFO: From Testing //shop:till_test:
==================== Test output for //shop:till_test:
Running main() from gtest_main.cc
[==========] Running 1 test from 1 test suite.
[ RUN      ] Till.Adds
shop/till_test.cc:7: Failure
Expected equality of these values:
[  FAILED  ] Till.Adds (0 ms)
[==========] 1 test from 1 test suite ran. (0 ms total)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Till.Adds
{"=" * 80}
//shop:till_test                                                         FAILED in 0.0s
  {LOGS}/shop/till_test/test.log

Executed 1 out of 1 test: 1 fails locally.
"""


@pytest.fixture
def report():
    return ci_failures.parse(SUMMARY.encode())


def test_the_summary_names_targets(report):
    assert [(one.kind, one.name, one.confidence) for one in report.failures] == [
        ("test", "//shop:till_test", "high"),
        ("timeout", "@rules//a/b:slow", "high"),
    ]
    assert [one.name for one in report.flaky] == ["//shop:again"]
    assert (report.commands, report.gaps) == (("bazel test //shop:till_test @rules//a/b:slow",), ())


def test_what_a_framework_reports_replaces_its_target():
    report = ci_failures.parse(OUTPUT.encode())
    assert [(one.tool, one.name) for one in report.failures] == [("gtest", "Till.Adds")]
    assert not report.gaps


def test_without_a_summary_the_lines_before_it_count():
    (one,) = ci_failures.parse(OUTPUT.partition("INFO")[0].encode()).failures
    assert (one.name, one.confidence) == ("//shop:till_test", "medium")


def test_a_total_of_targets_that_pass_is_proof():
    assert ci_failures.parse(b"Executed 1 out of 1 test: 1 test passes.\n").status == "passed"
