"""The engine: parsers sleep until their literal comes, get what they ask for, and one that fails harms no other."""

import logging

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import MOST_FAILURES, Failure, Parser


def parser(*wakes, wants=0, before=0, raises="", counted=None):
    """Make a parser that takes whatever it is given, and wants so many lines after each that wakes it."""

    class Taker(Parser):
        tool = "taker"

        def __init__(self):
            self.lines, self.left = [], 0

        def read(self, line):
            if raises and raises in line.text:
                raise ValueError(line.text)
            self.lines.append(line)
            self.left = wants if any(literal in line.text for literal in wakes) else self.left - 1
            return self.left > 0

        def finish(self):
            return [Failure(tool="taker", name=line.text, log_line=line.number) for line in self.lines]

        def total(self):
            return counted

    Taker.wakes, Taker.before = wakes, before
    return Taker


def read(text, *parsers, size=1 << 16):
    reader, raw = LogReader(Literals(parsers)), text.encode()
    for begin in range(0, len(raw), size):
        reader.feed(raw[begin : begin + size])
    return reader.finish()


def feed(text, one, size=1 << 16):
    tales = read(text, one, size=size)
    return [failure.name for failure in tales[0].failures] if tales else []


def test_a_parser_that_nothing_wakes_says_nothing():
    assert read("one\ntwo\n", parser("three")) == []


def test_a_parser_is_given_the_line_that_wakes_it_and_those_it_wants():
    assert feed("a\nWAKE\nb\nc\nd\n", parser("WAKE", wants=2)) == ["WAKE", "b", "c"]


def test_a_line_is_tried_once_however_often_it_has_a_literal():
    """Each mark's regular expression reads the whole line, and a line of nothing but literals took a second."""
    (tried,) = Literals([]).found(b"\n" + b"MSBUILD : error MSB1009: " * 100 + b"\n").evidence
    assert tried[0] == 0


def test_a_parser_is_given_the_line_that_it_has_to_read_first_and_those_that_wake_it_later():
    one = parser("WAKE", wants=1, before=1)
    one.first_line = "^my"
    assert feed("their WAKE\na\nmy sleep\nb\nmy WAKE\nc\ntheir WAKE\n", one, 5) == [
        "b", "my WAKE", "c", "their WAKE",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_literal_may_stand_only_at_the_beginning_or_the_end_of_a_line(size):
    text = "WAKE 1\nno WAKE\nsleep\nno sleep!\r\nWAKE 2\nlast sleep"
    assert feed(text, parser("\nWAKE", "sleep\n"), size) == ["WAKE 1", "sleep", "WAKE 2", "last sleep"]


def test_a_script_that_is_echoed_is_no_line_before_another():
    text = "a\n##[group]Run x\necho\n##[endgroup]\nWAKE\n"
    assert feed(text, parser("WAKE", before=3)) == ["a", "WAKE"]


def test_lines_before_it_are_given_each_once():
    text = "a\nb\nc\nWAKE 1\nd\nWAKE 2\n"
    assert feed(text, parser("WAKE", before=2)) == ["b", "c", "WAKE 1", "d", "WAKE 2"]


@pytest.mark.parametrize("size", [1, 3, 5, 100])
def test_lines_before_it_may_have_come_in_an_earlier_piece(size):
    assert feed("a\nb\nc\nWAKE\n", parser("WAKE", before=3), size) == ["a", "b", "c", "WAKE"]


def test_lines_before_it_come_together():
    class Keeper(parser("WAKE", before=3)):
        def look_back(self, lines):
            self.lines += [line._replace(text=f"before {line.text}") for line in lines]

    assert feed("a\nb\nWAKE\nc\nWAKE\n", Keeper, 4) == ["before a", "before b", "WAKE", "before c", "WAKE"]


def test_a_parser_reads_for_those_that_read_with_it():
    reader = parser("WAKE", wants=1)
    other = type("Other", (reader,), {"reads_with": reader, "total": lambda self: len(self.lines)})
    first, second = read("WAKE\na\nb\nWAKE\n", reader, other)
    assert (first.failures, second.counted) == (second.failures, 3)
    assert feed("WAKE\n", other) == ["WAKE"]


def test_a_parser_that_raises_is_left_out_with_those_that_it_reads_for():
    reader = parser("WAKE", raises="WAKE")
    assert read("WAKE\n", reader, type("Other", (reader,), {"reads_with": reader})) == []


def test_line_numbers_are_those_of_the_log():
    (tale,) = read("a\nb\r50%\rWAKE\nc\nWAKE\n", parser("WAKE"))
    assert [one.log_line for one in tale.failures] == [2, 4]


def test_a_script_that_is_echoed_wakes_nobody():
    text = "##[group]Run WAKE\nWAKE\nshell: bash\n##[endgroup]\nWAKE really\n"
    assert feed(text, parser("WAKE", wants=3)) == ["WAKE really"]


def test_a_group_of_a_tool_is_read():
    assert feed("##[group]Tests\nWAKE\n##[endgroup]\n::group::More\nWAKE 2\n::endgroup::\n", parser("WAKE")) == [
        "WAKE",
        "WAKE 2",
    ]


def test_an_echo_whose_end_was_cut_out_ends_with_an_error_of_the_runner():
    assert feed("##[group]Run x\nWAKE\n##[error]WAKE 2\nWAKE 3\n", parser("WAKE")) == [
        "##[error]WAKE 2",
        "WAKE 3",
    ]


def test_a_parser_that_raises_is_left_out_and_the_others_go_on(caplog):
    with caplog.at_level(logging.CRITICAL, logger="ci_failures"):
        tales = read("x\nWAKE\nWAKE 2\n", parser("WAKE", raises="WAKE", before=1), parser("WAKE"))
    assert [[one.name for one in tale.failures] for tale in tales] == [["WAKE", "WAKE 2"]]


def test_a_parser_that_raises_at_the_end_is_left_out():
    class Late(parser("WAKE")):
        def finish(self):
            raise ValueError("too late")

    assert [len(tale.failures) for tale in read("WAKE\n", Late, parser("WAKE"))] == [1]


def test_no_more_than_so_many_failures_are_kept():
    (tale,) = read("WAKE\n" * (MOST_FAILURES + 5), parser("WAKE"))
    assert len(tale.failures) == MOST_FAILURES


def test_a_count_without_failures_is_told():
    (tale,) = read("WAKE\n", type("Counts", (parser("WAKE", counted=3),), {"finish": lambda _: ()}))
    assert (tale.failures, tale.counted) == ((), 3)


LINES = st.lists(
    st.sampled_from(["", "a", "WAKE", "xWAKEx", "NAP", "##[group]Run x", "##[endgroup]", "##[error]e", "a\rWAKE"]),
    max_size=30,
)


@given(LINES, st.integers(1, 40), st.integers(0, 3), st.integers(0, 4))
def test_it_does_not_matter_how_a_log_comes_in(lines, size, wants, before):
    text = "\n".join(lines)
    one = parser("WAKE", wants=wants, before=before)
    assert feed(text, one, size) == feed(text, one)


@given(LINES, LINES)
@example(["WAKE", "NAP", "WAKE", "WAKE"], [])
def test_another_parser_changes_nothing(lines, more):
    one, other = parser("WAKE", wants=1), parser("NAP", "WA", wants=2)
    text = "\n".join([*lines, *more])
    alone = [tale.failures for tale in read(text, one)]
    assert alone == [tale.failures for tale in read(text, one, other) if tale.parser is one]


STEP = "##[group]Run {}\n{}\nshell: /usr/bin/bash -e {{0}}\n##[endgroup]\n"
EXIT_CODE = "##[error]Process completed with exit code 1.\n"


def _job(*steps):
    return "".join(STEP.format(script, script) + printed for script, printed in steps)


def test_what_a_linter_finds_in_a_step_that_passed_made_nothing_fail(read):
    lint = ("flake8 . --exit-zero", "src/a.py:31:1: E302 expected 2 blank lines, found 1\n1\n")
    assert read(_job(lint, ("make docs", EXIT_CODE))) == []
    (told,) = read(_job((lint[0], lint[1] + EXIT_CODE)))
    assert [one.name for one in told.failures] == ["E302 src/a.py:31:1"]


def test_a_file_that_a_linter_could_not_check_in_a_step_that_passed_made_nothing_fail(read):
    printed = 'src/a.py: error: Source file found twice under different module names: "a" and "src.a"\n'
    printed += "Found 1 error in 1 file (errors prevented further checking)\n"
    assert not [tale for tale in read(_job(("mypy . || true", printed), ("exit 1", EXIT_CODE))) if tale.failures]


def test_without_a_step_that_failed_nothing_is_left_out(read):
    (told,) = read(_job(("flake8 .", "src/a.py:31:1: E302 expected 2 blank lines, found 1\n")))
    assert [one.name for one in told.failures] == ["E302 src/a.py:31:1"]


def test_a_test_that_failed_in_a_step_that_passed_is_told(read):
    printed = "=========================== short test summary info ============================\n"
    printed += "FAILED tests/a.py::test_x - assert 0\n" + " 1 failed in 0.02s ".center(80, "=") + "\n"
    (told,) = read(_job(("pytest || echo failed=1 >> $GITHUB_OUTPUT", printed), ("exit 1", EXIT_CODE)))
    assert [one.name for one in told.failures] == ["tests/a.py::test_x"]


def test_a_script_without_an_end_is_said_and_hides_no_whole_log():
    """All that followed was taken for the script, without a word."""
    filler = "echo\n" * 3_000
    log = f"##[group]Run make\n{filler}FAILED t.py::test_a - assert 1 == 2\n=== 1 failed in 0.10s ===\n"
    report = ci_failures.parse(log.encode(), name="a.log")
    assert [one.failure.name for one in report.entries] == ["t.py::test_a"]
    said = "a.log: the script that the runner prints from line 1 on has no end, and its lines were not read"
    assert said in report.gaps


class Breaking(Parser):
    """A parser with a fault."""

    tool = "anvil"
    wakes = ("ANVIL ",)

    def read(self, line):
        raise ValueError(line.text)

    def finish(self):
        raise AssertionError("it was asked in spite of its fault")


def test_a_parser_that_fails_is_said_and_not_finished(caplog):
    parsers = ci_failures.load_parsers([Breaking])
    report = ci_failures.parse(b"ANVIL horn\n", name="a.log", parsers=parsers)
    assert "a.log: the parser Breaking failed, and what it read was left out" in report.gaps
    assert [record.exc_info[0] for record in caplog.records] == [ValueError]
