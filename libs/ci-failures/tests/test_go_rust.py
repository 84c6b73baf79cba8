"""The parsers of Go's and Rust's tools take any text without an error, and make nothing up."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.cleaning import LONGEST
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import Line
from ci_failures.parsers.go_rust import PARSERS

LOGS = Path(__file__).parent / "logs"
TOOLS = ("go", "cargo", "nextest", "rustc", "clippy", "golangci-lint")
CASES = sorted(path.relative_to(LOGS) for tool in TOOLS for path in (LOGS / tool).glob("*.log"))
SUITES = {"TestBdd", "TestOld", "legacy.Test"}
"""Tests of Go that are a whole suite of another framework: they failed, too, where a log does not say what in them."""
LITERALS = Literals(PARSERS)
LINES = sorted({line for case in CASES for line in (LOGS / case).read_text(encoding="utf-8").splitlines()})


def names(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return {one.name for tale in reader.finish() for one in tale.failures}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_log_that_is_cut_off_names_nothing_else(case):
    lines = (LOGS / case).read_text(encoding="utf-8").splitlines()
    whole = names("\n".join(lines))
    known = whole | SUITES | {name.rpartition(mark)[2] for name in whole for mark in (".", "::")}
    chance = random.Random(str(case))
    for end in [chance.randrange(len(lines) + 1) for _ in range(5)]:
        for name in names("\n".join(lines[:end])):
            shortened = any(name in one for one in whole)
            assert shortened or any(part in name for part in known) or name.startswith("could not compile")


def raise_nothing(lines):
    for parser in (made() for made in PARSERS):
        for number, text in enumerate(lines, 1):
            parser.read(Line(number, text[:LONGEST]))
        assert all(one.tool for one in parser.finish())
        parser.total()


@given(st.lists(st.sampled_from(LINES), max_size=120))
def test_lines_in_any_order_raise_nothing(lines):
    raise_nothing(lines)


HALVES = st.sampled_from(LINES).map(lambda line: line[: len(line) // 2])


@given(st.lists(st.one_of(st.text(max_size=60), HALVES), max_size=60))
def test_halves_of_lines_and_any_text_raise_nothing(lines):
    raise_nothing(lines)


def test_a_line_of_any_length_is_read_fast():
    begins = ("--- FAIL: ", "=== FAIL: ", "thread 'a' panicked at '", "test a ... ", "error: ", "FAIL\t", "a.go:1:1: ")
    raise_nothing([f"{begin}{'a.b/c:1 ' * 600}" for begin in begins])


def test_a_line_that_rustfmt_cannot_format_is_told_with_its_place():
    log = "error[internal]: line formatted, but exceeded maximum width (maximum: 80, found: 87)\n"
    log += "  --> /home/runner/work/till/till/src/tree.rs:89:89:81\n   |\n89 | /// Remove index\nwarning: rustfmt\n"
    (one,) = ci_failures.parse(log.encode()).failures
    assert (one.name, one.file, one.line) == ("rustfmt src/tree.rs:89", "src/tree.rs", 89)
    assert one.message == "line formatted, but exceeded maximum width (maximum: 80, found: 87)"


def test_a_build_script_that_tells_its_reason_on_standard_output_has_it_in_its_message():
    log = "error: failed to run custom build command for `till v0.1.0 (/x)`\n\nCaused by:\n"
    log += "  process didn't exit successfully: `/x/build-script-build` (exit code: 1)\n  --- stdout\n"
    log += "  cargo:rustc-cfg=desktop\n  `icons/icon.ico` not found\nwarning: build failed\n"
    (one,) = ci_failures.parse(log.encode()).failures
    assert one.message.endswith("`icons/icon.ico` not found")
