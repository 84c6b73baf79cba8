"""Messages and places of a case in JUnit XML, whatever they look like."""

from html import escape

import pytest

import ci_failures


def parse_case(text, attributes=""):
    case = f'<testcase classname="a.T" name="x" {attributes}><failure>{escape(text)}</failure></testcase>'
    xml = f'<testsuites><testsuite name="s" tests="1" failures="1">{case}</testsuite></testsuites>'
    (entry,) = ci_failures.parse(xml.encode()).entries
    return entry.failure


TRACEBACK = 'Traceback (most recent call last):\n  File "/a/t.py", line 3, in test\n    assert 0\nValueError: bad\nmore'


@pytest.mark.parametrize("before", ["", TRACEBACK + "\n\nDuring handling of it:\n\n"])
def test_the_message_of_a_traceback_is_its_error(before):
    """It was "Traceback (most recent call last):"."""
    assert parse_case(before + TRACEBACK).message == "ValueError: bad\nmore"


@pytest.mark.parametrize("line", ["  at least one (of 3) items", "  #12 is open", "    at a time: 3"])
def test_prose_does_not_end_a_message(line):
    assert parse_case(f"expected\n{line}\nrest\n\tat a.b.C.m(C.java:3)").message == f"expected\n{line}\nrest"


@pytest.mark.parametrize(
    "frame",
    [
        "\tat app//a.b.C.m(C.java:3)",
        "    at Object.<anonymous> (src/a.js:1:2)",
        "    at file:///srv/a.mjs:1:2",
        "   at Ns.C.M(String x) in /srv/a.cs:line 3",
        "    at new Promise (<anonymous>)",
        "#0 /srv/a.php(12): f()",
    ],
)
def test_a_frame_ends_a_message(frame):
    assert parse_case(f"bad\n{frame}\nrest").message == "bad"


def test_a_folder_of_the_project_may_be_called_internal():
    """All of it counted as Node's own."""
    xml = (
        '<testsuites><testsuite name="s" tests="1" failures="1" hostname="tbd"><testcase classname="s.x" name="x">'
        "<failure>CHECK( a )\nat internal/deep/a.cpp:7</failure></testcase></testsuite></testsuites>"
    )
    (entry,) = ci_failures.parse(xml.encode()).entries
    assert (entry.failure.file, entry.failure.line) == ("internal/deep/a.cpp", 7)


def test_a_number_of_many_digits_costs_no_more_than_itself():
    """Python refuses to convert them, and the whole file was given up."""
    assert parse_case("bad", f'line="{"9" * 5000}"').line is None
    report = ci_failures.parse(f'<testsuites><testsuite name="s" failures="{"9" * 5000}"/></testsuites>'.encode())
    assert report.status == "unknown"
    assert "counts 999,999,999 failures" in report.gaps[0]
