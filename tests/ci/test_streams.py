# ruff: noqa: RUF001 -- the signs are those that the tools print
"""Runs that are told with words before every line: in containers, in packages, and in folders."""

import pytest

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


def test_the_folder_before_the_lines_of_pnpm_is_that_of_the_files(read):
    (tale,) = read(before(JEST, lambda _: "packages/api test: "))
    (told,) = tale.failures
    assert (told.name, told.file, told.place) == ("src/a.test.js › adds", "packages/api/src/a.test.js", "packages/api")


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
