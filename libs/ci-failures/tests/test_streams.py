# ruff: noqa: RUF001 -- the signs are those that the tools print
"""Runs that are told with words before every line: in containers, in packages, and in folders."""

from itertools import zip_longest
from pathlib import Path

import pytest

from ci_failures.logs.cleaning import LONGEST
from ci_failures.logs.streams import MOST, ROOT, Streams, join_lines

LOGS = Path(__file__).parent / "logs"
TOOLS = (
    *("cargo/fail-fast", "ctest/until-pass", "exunit/one", "go/failfast", "gradle/4.4.1-short", "gtest/brief"),
    *("minitest/plain", "nextest/fail-fast", "phpunit/stop-on-failure", "prove/plain", "rspec/quoted"),
    *("surefire/3.5.4-quiet", "sbt/effects"),
)
"""One log for each tool."""

PYTEST = """\
============================= test session starts ==============================
rootdir: /app
collected 1 item

tests/test_a.py F                                                        [100%]

=================================== FAILURES ===================================
____________________________________ test_a ____________________________________

>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:3: AssertionError
=========================== short test summary info ============================
FAILED tests/test_a.py::test_a - assert 1 == 2
============================== 1 failed in 0.12s ===============================
"""
JEST = """\
 FAIL src/a.test.js
  ● adds

    expect(1).toBe(2)

      at Object.<anonymous> (src/a.test.js:7:5)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 total
"""


def split_streams(texts):
    """Return the stream of each line, without the words that tell it."""
    streams = Streams().part(texts, join_lines(texts))
    return [streams.get(index, ROOT) for index in range(len(texts))]


def before(text, words):
    return "".join(f"{words(number)}{line}\n" for number, line in enumerate(text.splitlines()))


@pytest.mark.parametrize(
    "words",
    [
        lambda _: "app-1  | ",
        lambda _: "api_tests_1 | ",
        lambda number: f"#14 {number / 7:.3f} ",
    ],
)
def test_pytest_is_read_in_a_container(words, read):
    (tale,) = read(before(PYTEST, words))
    (told,) = tale.failures
    assert (told.name, told.file, told.line, told.message) == (
        "tests/test_a.py::test_a",
        "tests/test_a.py",
        3,
        "assert 1 == 2",
    )


def test_workers_of_xdist_are_no_containers(read):
    log = PYTEST.replace(">       assert", "[gw0] linux -- Python 3.13.0 /usr/bin/python\n>       assert")
    (tale,) = read(log)
    assert [one.name for one in tale.failures] == ["tests/test_a.py::test_a"]


def test_two_containers_are_two_runs(read):
    first, second = (
        before(PYTEST.replace("test_a", name), lambda _, name=name: f"{name}-1 | ") for name in ("one", "two")
    )
    lines = [line for pair in zip(first.splitlines(), second.splitlines(), strict=True) for line in pair]
    (tale,) = read("\n".join(lines))
    assert {one.name for one in tale.failures} == {"tests/one.py::one", "tests/two.py::two"}


def test_a_container_whose_total_is_missing_counts_by_its_failures(read):
    whole = before(PYTEST, lambda _: "one-1 | ")
    broken_off = before(PYTEST.replace("test_a", "two")[: PYTEST.index("====== 1 failed")], lambda _: "two-1 | ")
    (tale,) = read(whole + broken_off)
    assert (len(tale.failures), tale.counted) == (2, 2)


def test_the_folder_before_the_lines_of_pnpm_is_that_of_the_files(read):
    (tale,) = read(before(JEST, lambda _: "packages/api test: "))
    (told,) = tale.failures
    assert (told.name, told.file, told.place) == ("src/a.test.js › adds", "packages/api/src/a.test.js", "packages/api")


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("packages/core typecheck$ tsc --noEmit\n", "packages/core typecheck: "),
        ("> concurrently tsc eslint\n", "[0] "),
        ("", "web:build: "),
        ("", "#12 3.456 "),
    ],
)
@pytest.mark.parametrize("mark", ["##[error]", ""])
def test_the_mark_of_a_problem_matcher_stands_before_the_words(before, words, mark, read):
    lines = "".join(f"{mark}{words}src/cart.ts({at},9): error TS2345: Wrong.\n" for at in (3, 4, 8))
    found = [(one.tool, one.line, one.name) for tale in read(before + lines) for one in tale.failures]
    assert found == [("tsc", at, f"TS2345 src/cart.ts:{at}:9") for at in (3, 4, 8)]


def test_a_script_tells_its_folder_before_it_runs(read):
    log = f"> @acme/api@1.0.0 test /home/runner/work/app/app/packages/api\n> jest\n\n{JEST}"
    (told,) = read(log)[0].failures
    assert (told.file, told.place) == ("packages/api/src/a.test.js", "packages/api")


def test_a_package_is_no_folder(read):
    (told,) = read(before(JEST, lambda _: "@acme/api:test: "))[0].failures
    assert (told.file, told.place) == ("src/a.test.js", "@acme/api")


def test_eslint_is_read_in_a_package(read):
    table = "\n/home/runner/work/a/a/src/s.js\n  2:9  error  Bad.  eqeqeq\n\n✖ 1 problem (1 error, 0 warnings)\n"
    (told,) = read(before(table, lambda _: "web:lint: "))[0].failures
    assert (told.name, told.place) == ("eqeqeq src/s.js:2:9", "web")


def names(tales):
    return sorted((one.tool, one.name) for tale in tales for one in tale.failures)


@pytest.mark.parametrize("words", ["web-1  | ", "#14 1.234 ", "packages/x test: "])
@pytest.mark.parametrize("case", TOOLS)
def test_every_tool_is_read_behind_words(case, words, read):
    log = (LOGS / f"{case}.log").read_text(encoding="utf-8")
    assert names(read(before(log, lambda _: words))) == names(read(log)) != []


def test_two_tools_that_print_between_each_others_lines_are_kept_apart(read):
    ruby, go = ((LOGS / f"{case}.log").read_text(encoding="utf-8") for case in ("rspec/quoted", "go/failfast"))
    pairs = zip_longest(before(ruby, lambda _: "a-1 | ").splitlines(), before(go, lambda _: "b-1 | ").splitlines())
    mixed = "\n".join(line for pair in pairs for line in pair if line is not None)
    assert names(read(mixed)) == sorted([*names(read(ruby)), *names(read(go))])


def test_a_container_without_a_number_is_known_once_compose_tells_of_it(read):
    told = before(PYTEST, lambda _: "web  | ")
    assert names(read(f"Attaching to db, web\n{told}")) == [("pytest", "tests/test_a.py::test_a")]


def test_a_folder_without_a_slash_is_known_once_pnpm_tells_of_it(read):
    (told,) = read(f"api test$ jest\n{before(JEST, lambda _: 'api test: ')}")[0].failures
    assert (told.file, told.place) == ("api/src/a.test.js", "api")


def test_words_in_brackets_are_a_name_once_concurrently_runs(read):
    told = before(PYTEST, lambda _: "[0] ")
    assert names(read(f"> concurrently pytest jest\n{told}")) == [("pytest", "tests/test_a.py::test_a")]


def test_a_package_of_melos_is_the_place_of_its_findings(read):
    told = "[app_core]: Analyzing app_core...\n[app_core]:   error - lib/a.dart:3:4 - No 'x'. - undefined_identifier\n"
    (tale,) = [tale for tale in read(f"$ melos exec\n  └> dart analyze .\n{told}") if tale.failures]
    assert [(one.tool, one.place, one.line) for one in tale.failures] == [("dart-analyze", "app_core", 3)]


@pytest.mark.parametrize(
    "line",
    ["Failed tests: one", "[ERROR] two", "12 | let x", "name | size", "#12 is fixed", "Death test: x", "[1] 2", "[@a"],
)
def test_what_only_looks_like_such_words_stays(line):
    texts = [line]
    assert (split_streams(texts), texts) == ([ROOT], [line])


def test_steps_that_are_counted_in_brackets_are_no_names():
    texts = ["$ concurrently a b", "[1/4] Resolving packages...", "[a] x"]
    assert [stream.name for stream in split_streams(texts)] == ["", "", "[a]"]


def test_of_very_many_streams_the_rest_is_one():
    texts = [f"web-{number} | {number}" for number in range(3 * MOST)]
    streams = split_streams(texts)
    assert len(set(streams)) == MOST + 1
    assert texts == [str(number) for number in range(3 * MOST)]


def test_a_line_counts_by_what_the_log_told_before_it():
    texts = ["web | a", "Attaching to web", "web | b"]
    assert [stream.name for stream in split_streams(texts)] == ["", "", "web"]


@pytest.mark.parametrize(
    "bit", ["a", "web-1", "web-1 ", "a/b:test", "a/b test", "> a ", "[a", "@a/b", "#1 ", "$ ", "| "]
)
def test_long_lines_of_such_words_are_read(bit):
    line = (bit * LONGEST)[:LONGEST]
    texts = [line, f"web-1 {' ' * LONGEST}x", f"a:test{':' * LONGEST}"]
    split_streams(texts)
    assert [len(text) for text in texts] == [LONGEST, LONGEST + 7, LONGEST + 6]


def test_what_failed_is_told_in_the_order_in_which_the_streams_begin(read):
    log = PYTEST.replace("test_a", "test_root") + before(PYTEST, lambda _: "web-1  | ")
    (tale,) = read(log)
    assert [one.name for one in tale.failures] == ["tests/test_root.py::test_root", "tests/test_a.py::test_a"]
