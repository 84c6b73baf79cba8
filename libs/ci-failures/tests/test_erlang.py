"""EUnit and Common Test beyond the kept logs: timeouts, tests that are cancelled, and counts that disagree."""

import pytest

import ci_failures

LISTED = """Failures:

  1) till_tests:subtracts_test/0
     Failure/Error: ?assertEqual(3, 5 - 1)
       expected: 3
            got: 4
     %% eunit_proc.erl:346:in `eunit_proc:with_timeout/3`
     Output:

Finished in 0.020 seconds
5 tests, {}
"""
CASES = """%%% till_SUITE ==> deep.inner: FAILED
%%% till_SUITE ==> {{test_case_failed,"no reason"}}

Failed {} tests. Skipped 1 (1, 0) tests. Passed 1 tests.
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_a_test_of_the_list_has_what_was_expected():
    report = read(LISTED.format("1 failures"))
    (one,) = report.failures
    assert (one.name, one.confidence) == ("till_tests:subtracts_test", "high")
    assert one.message == "Failure/Error: ?assertEqual(3, 5 - 1)\n  expected: 3\n       got: 4"
    assert (report.gaps, report.commands) == ((), ("rebar3 eunit --module=till_tests",))


def test_tests_that_were_cancelled_leave_a_gap():
    assert "eunit cancelled tests, not all of which it names" in read(LISTED.format("1 failures, 6 cancelled")).gaps[0]


def test_a_test_that_took_too_long_is_told_although_it_is_not_counted():
    late = "  a_tests: slow_test...*timed out*\nin function timer:sleep/1 (timer.erl, line 219)\nundefined\n"
    (one,) = read(f"{late}{'=' * 55}\n  Failed: 0.  Skipped: 0.  Passed: 2.\n").failures
    assert (one.name, one.kind, one.confidence) == ("a_tests:slow_test", "timeout", "high")


def test_a_case_of_a_group_is_named_by_suite_and_group():
    report = read(CASES.format(1))
    assert [(one.name, one.message) for one in report.failures] == [
        ("till_SUITE:deep:inner", '{test_case_failed,"no reason"}')
    ]
    assert report.commands == ("rebar3 ct --suite=till_SUITE",)


@pytest.mark.parametrize("text", [LISTED.format("3 failures"), CASES.format(4)], ids=["EUnit", "Common Test"])
def test_a_total_that_counts_more_than_was_read_leaves_a_gap(text):
    assert read(text).gaps
