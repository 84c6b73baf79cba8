"""Parsers of native tools survive logs that are cut, mixed or random."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import MOST_TEXT, Line
from ci_failures.parsers.native import PARSERS

LOGS = Path(__file__).parent / "logs"
FOLDERS = ("gtest", "ctest", "catch2", "doctest_cpp", "compilers")
TEXTS = {
    f"{folder}/{path.stem}": path.read_text(encoding="utf-8")
    for folder in FOLDERS
    for path in sorted((LOGS / folder).glob("*.log"))
}
LINES = sorted({line for text in TEXTS.values() for line in text.splitlines()})
LITERALS = Literals(PARSERS)
ALONE = sorted(case for case in TEXTS if not case.startswith("ctest/") and case != "catch2/fine")
"""Logs of one tool; of what Catch2 expects to fail only the counts at the end of the last one tell."""
BY_LINE = sorted(case for case in TEXTS if case.startswith("compilers/") and "/cmake-" not in case)
"""Logs in which a line tells all."""


def parse_names(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return {(one.tool, one.name) for told in reader.finish() for one in told.failures if not one.flaky}


@given(st.sampled_from(ALONE), st.floats(0, 1))
def test_the_beginning_of_a_log_makes_nothing_up(case, share):
    lines = TEXTS[case].splitlines()
    assert parse_names("\n".join(lines[: int(len(lines) * share)])) <= parse_names(TEXTS[case])


@given(st.sampled_from(("ctest/plain", "ctest/make-test", "ctest/cmake-4-1-plain")), st.floats(0, 1))
def test_the_beginning_of_a_log_of_ctest_makes_nothing_up(case, share):
    lines = TEXTS[case].splitlines()
    told = parse_names("\n".join(lines[: int(len(lines) * share)]))
    assert {name.rstrip(".") for _, name in told} <= {name.rstrip(".") for _, name in parse_names(TEXTS[case])}


@given(st.lists(st.sampled_from(LINES) | st.text(max_size=60), max_size=60))
@pytest.mark.parametrize("parser", PARSERS)
def test_no_order_of_lines_breaks_a_parser(parser, lines):
    one = parser()
    for number, text in enumerate(lines, 1):
        one.read(Line(number, text))
    failures = list(one.finish())
    assert all(failure.name and len(failure.message) <= MOST_TEXT for failure in failures)
    assert isinstance(one.total(), int | None)


@pytest.mark.parametrize("case", BY_LINE)
def test_lines_of_another_job_between_change_nothing(case):
    lines = [f"{line}\n2026-01-02T03:04:05.1234567Z ##[debug]busy" for line in TEXTS[case].splitlines()]
    assert parse_names("\n".join(lines)) == parse_names(TEXTS[case])
