"""PHP's `run-tests.php` beyond the kept logs."""

import pytest

import ci_failures

LIST = """FAIL subtracts [tests/sub.phpt]
{}
Tests failed    :    1 ( 28.6%) ( 40.0%)
=====================================================================
FAILED TEST SUMMARY
---------------------------------------------------------------------
subtracts [tests/sub.phpt]
=====================================================================
note [tests/other.phpt]
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_a_test_of_the_results_and_of_the_list_is_one_entry():
    report = read(LIST.format(""))
    assert [(one.name, one.file) for one in report.failures] == [("subtracts [tests/sub.phpt]", "tests/sub.phpt")]
    assert (report.commands, report.gaps) == (("make test TESTS=tests/sub.phpt",), ())


@pytest.mark.parametrize("status", ["LEAK", "FAIL&LEAK", "LEAK&XFAIL"])
def test_a_test_that_leaks_memory_fails(status):
    leaks = f"TEST 1/2 [tests/a.phpt]{status} opens [tests/a.phpt] \nTests leaked    :    1 ( 50.0%)\n"
    assert [one.name for one in read(leaks).failures] == ["opens [tests/a.phpt]"]


def test_an_expected_failure_is_left_out():
    assert read("XFAIL known [tests/x.phpt]   XFAIL REASON: bug\nTests failed    :    0 (  0.0%)\n").status == "passed"


def test_the_difference_above_a_result_is_its_message_and_no_result():
    shown = "========DIFF========\nFAIL x [tests/y.phpt]\n001- 3\n========DONE========\n"
    (one,) = read(shown + LIST.format("")).failures
    assert one.message == "FAIL x [tests/y.phpt]\n001- 3"


def test_tests_that_the_list_does_not_name_leave_a_gap():
    assert read(LIST.format("Tests leaked    :    1 ( 50.0%)")).gaps
