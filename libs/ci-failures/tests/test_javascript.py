# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What holds for all tools of JavaScript: nothing that happens to a log makes their parsers invent or raise."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.logs.log_reader import Literals
from ci_failures.model import Line
from ci_failures.parsers.javascript import PARSERS

LOGS = Path(__file__).parent / "logs"
TOOLS = (
    "jest",
    "vitest",
    "mocha",
    "playwright",
    "nodetest",
    "tape",
    "nodetap",
    "bats",
    "prove",
    "ava",
    "tsc",
    "eslint",
)
CASES = sorted(path for tool in TOOLS for path in (LOGS / tool).glob("*.log"))
PRINTED = re.compile(r"no test$|› fails as it should$")
LITERALS = [literal for parser in PARSERS for literal in parser.wakes]


@pytest.fixture(scope="module")
def literals():
    return Literals(PARSERS)


@pytest.fixture(autouse=True)
def _nobody_raises(caplog):
    yield
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def names(told):
    return {one.name for tale in told for one in tale.failures if not one.flaky}


def truth(case):
    failures = json.loads(case.with_name(f"{case.stem}.json").read_text(encoding="utf-8"))["failures"]
    return {one["name"] for one in failures}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_a_log_that_breaks_off_tells_nothing_else(case, read):
    """But for what a test printed: only the counts at the end tell that it was none.

    The rows of Playwright do not tell either that a test is expected to fail.

    Node names files in the list at the end alone, so that without it names have no file.
    """
    if case.stem == "24-dot":
        pytest.skip("with dots a title stands before those around it")
    lines = case.read_text(encoding="utf-8", errors="replace").split("\n")
    known = truth(case)
    if case.parent.name == "nodetest":
        known |= {name.partition(" > ")[2] for name in known}
    for tenth in range(1, 10):
        found = names(read("\n".join(lines[: len(lines) * tenth // 10])))
        assert not {name for name in found - known if not PRINTED.search(name)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.stem}")
def test_two_runs_of_the_same_tell_it_once(case, read):
    raw = case.read_bytes()
    assert names(read(raw + b"\n" + raw)) == names(read(raw))


@given(st.data())
def test_lines_in_any_order_raise_nothing(data):
    case = data.draw(st.sampled_from(CASES))
    lines = case.read_text(encoding="utf-8", errors="replace").splitlines()
    random.Random(data.draw(st.integers(0, 9_999))).shuffle(lines)
    for parser in (one() for one in PARSERS):
        for number, text in enumerate(lines, 1):
            parser.read(Line(number, text))
        list(parser.finish())


@given(
    st.lists(
        st.one_of(st.sampled_from(LITERALS), st.text(max_size=40), st.from_regex(r" *[\w:./ ()-]{0,60}")), max_size=30
    )
)
def test_any_text_raises_nothing(parts):
    for parser in (one() for one in PARSERS):
        for number, text in enumerate("".join(parts).split("\n"), 1):
            parser.read(Line(number, text))
        for failure in parser.finish():
            assert failure.name


DENO = """\
running 3 tests from ./a_test.ts
a > b ... FAILED (1ms)
wait ... done ... FAILED (0ms)
outer ...
  in > ner ... FAILED (0ms)
outer ... FAILED (due to 1 failed step) (3ms)

 ERRORS

a > b => ./a_test.ts:1:6
error: Error: x
    at file:///srv/a_test.ts:1:34

wait ... done => ./a_test.ts:3:6
error: Error: x
    at file:///srv/a_test.ts:3:42

outer ... in > ner => ./a_test.ts:4:43
error: Error: y
    at file:///srv/a_test.ts:4:74

 FAILURES

FAILED | 0 passed | 3 failed (1 step) (89ms)
"""


def test_titles_of_deno_may_have_what_joins_them(read):
    """Deno 2.9 printed it; its JUnit file has these names, and the pattern selects the three tests."""
    (told,) = read(DENO)
    names = ["a_test.ts > a > b", "a_test.ts > wait ... done", "a_test.ts > outer > in > ner"]
    assert ([one.name for one in told.failures], told.counted) == (names, 3)
    pattern = r"--filter=/^(a > b$|wait \.\.\. done$|outer$)/"
    assert told.parser.rerun(told.failures) == f"deno test a_test.ts '{pattern}'"
