"""Tests of a report that a forge made: the names that it has, and how they join what logs report."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.failure_merging import merge
from ci_failures.model import MOST_TEXT, Failure
from ci_failures.results.reported_tests import read_reported_test
from ci_failures.source_reports import SourceReport

FIELDS = ("class_name", "suite", "file", "message", "stack_trace")


def test_a_test_has_its_class_and_its_name():
    found = read_reported_test("test_x[1]", class_name="tests.test_a.TestA", suite="unit", message="assert 1 == 2")
    assert (found.name, found.message, found.tool) == ("tests.test_a.TestA.test_x[1]", "assert 1 == 2", "junit")


def test_a_class_that_the_name_repeats_is_written_once():
    assert read_reported_test("Auth login rejects", class_name="Auth login").name == "Auth login rejects"


def test_a_suite_that_shows_the_tool_gives_its_form_of_the_name():
    found = read_reported_test("test_x", class_name="tests.test_a.TestA", suite="pytest")
    assert (found.tool, found.name, found.selector) == ("pytest", *["tests/test_a.py::TestA::test_x"] * 2)


def test_without_a_message_the_stack_trace_has_it():
    assert read_reported_test("x", stack_trace="boom\n    at f (a.js:1:2)").message == "boom"


@given(st.text(min_size=1), st.fixed_dictionaries({name: st.text() for name in FIELDS}))
def test_any_text_is_a_test(name, fields):
    found = read_reported_test(name, **fields)
    assert found.name
    assert len(found.message) <= MOST_TEXT


def merged_name(reported, logged):
    """Return the name of a failure that a test report and a log have under these names."""
    log = Failure(tool="pytest", name=logged, selector=logged, log_line=7)
    reports = [
        SourceReport(source="log", check="unit", job="1", failures=(log,)),
        SourceReport(source="test_report", check="CI", failures=(Failure(tool="junit", name=reported),)),
    ]
    (one,) = merge(reports)
    assert (one.sources, one.failure.selector) == (("test_report", "log"), logged)
    return one.failure.name


@pytest.mark.parametrize(
    ("reported", "logged", "name"),
    [
        ("tests.a.test_x", "tests/a.py::test_x", "tests/a.py::test_x"),
        ("a.test_x", "tests/a.py::test_x", "tests/a.py::test_x"),
        ("shop.tests.a.test_x", "tests/a.py::test_x", "shop.tests.a.test_x"),
    ],
)
def test_the_fuller_name_counts_and_of_equal_ones_that_of_the_tool(reported, logged, name):
    assert merged_name(reported, logged) == name
