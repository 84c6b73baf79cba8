"""Catch2: what is particular to it; that its logs are read whole is shown in test_logs.py."""

import pytest

from ci_failures.model import Failure
from ci_failures.parsers.native.catch2 import Catch2, Heading

RULE, DOTS, END = "-" * 79, "." * 79, "=" * 79


def block(names, *assertions):
    told = "\n\n".join(assertions)
    return f"{RULE}\n{names}\n{RULE}\nt/a.cpp:3\n{DOTS}\n\n{told}\n\n"


def closing(counts):
    return f"{END}\ntest cases: {counts}\nassertions: {counts}\n\n"


FAILED = "t/a.cpp:5: FAILED:\n  CHECK( a == 2 )\nwith expansion:\n  1 == 2"


@pytest.fixture
def found(read):
    """Return what the parser finds."""

    def finding(text):
        return [one for told in read(text) if told.parser is Catch2 for one in told.failures]

    return finding


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["a name of one line"], "a name of one line"),
        (["words " * 13 + "end", "and more"], "words " * 13 + "end and more"),
        (["Scenario: " + "w " * 34, "          and more"], "Scenario: " + "w " * 34 + "and more"),
        (["broken at a seventy-", "nine"], "broken at a seventy-nine"),
        (["std::vector<int>::push_back/", "emplace_back"], "std::vector<int>::push_back/emplace_back"),
        (["x" * 78 + "-", "yyy"], "x" * 78 + "yyy"),
        (["a - ", "b"], "a - b"),
        (["a /", "b"], "a / b"),
        (["a vector<int>", "that grows"], "a vector<int> that grows"),
        (["std::vector<int>", "::size"], "std::vector<int>::size"),
    ],
)
def test_a_broken_name_is_joined(lines, name):
    heading = Heading(1)
    heading.lines += [line.rstrip() for line in lines]
    assert heading.names() == [name]


def test_sections_of_a_scenario_are_no_part_of_its_name():
    heading = Heading(1)
    heading.lines += ["Scenario: a", "      Given: b", "       When: c", "       Then: d"]
    assert heading.names() == ["Scenario: a", "Given: b", "When: c", "Then: d"]


def test_a_case_fails_once_however_many_assertions_and_sections_do(found):
    text = block("a", FAILED, FAILED) + block("a\n  b", FAILED) + closing("1 | 1 failed")
    (one,) = found(text)
    assert (one.name, one.file, one.line, one.confidence) == ("a", "t/a.cpp", 5, "high")


def test_the_message_tells_the_section_and_the_assertion(found):
    (one,) = found(block("a\n  b\n  c", FAILED))
    assert one.message.splitlines()[:2] == ["b / c", "CHECK( a == 2 )"]


def test_what_was_only_expected_to_fail_failed_not(found):
    assert not found(block("a", FAILED) + closing("2 | 1 passed | 1 failed as expected"))


def test_where_some_were_expected_to_fail_nothing_is_certain(found):
    text = block("a", FAILED) + block("b", FAILED) + closing("3 | 1 passed | 1 failed | 1 failed as expected")
    assert {one.confidence for one in found(text)} == {"medium"}


def test_an_assertion_that_may_fail_is_none(found):
    assert not found(block("a", "t/a.cpp:5: FAILED - but was ok:\n  CHECK_NOFAIL( false )"))


def test_a_rule_around_other_words_is_no_heading(found):
    assert not found(f"{RULE}\nsome title\n{RULE}\nnot a place\nt/a.cpp:5: FAILED:\n  CHECK( a )\n")


def test_a_rule_that_a_test_prints_ends_nothing(found):
    (one,) = found(block("a", f"benchmark\n{RULE}\nfast  1 ms\n\n", FAILED))
    assert one.name == "a"


def test_names_are_escaped_for_the_command():
    failures = [Failure(tool="catch2", name="-", selector=r"a\, b \[c\]", place="b/t")]
    assert Catch2.rerun(failures) == r"b/t 'a\, b \[c\]'"


def test_the_compact_reporter_tells_places_and_no_cases(read):
    said = "src/a.cpp:5: failed: x == 4 for: 3 == 4\nsrc/a.cpp:5: failed: x == 4 for: 2 == 4\n"
    log = f"{said}Failed 1 test case, failed both 2 assertions.\n"
    (one,) = [one for told in read(log) for one in told.failures]
    assert (one.name, one.message, one.confidence) == ("src/a.cpp:5", "x == 4 for: 3 == 4", "low")


def test_the_compact_reporter_of_version_3_ends_as_others_do(read):
    said = "src/a.cpp:5: failed: x == 4 for: 3 == 4\ntest cases: 2 | 1 passed | 1 failed\n"
    assert [one.name for told in read(said) for one in told.failures] == ["src/a.cpp:5"]


def test_what_no_compact_summary_ends_is_no_failure(read):
    assert not [one for told in read("src/a.cpp:5: failed: x\n") for one in told.failures]
