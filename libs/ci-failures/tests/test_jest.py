# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What is particular about Jest."""

import pytest

import ci_failures
from ci_failures.parsers.javascript.jest import Jest

RUN = """\
FAIL src/auth.test.js
  ● Auth › login › rejects

    expect(received).toBe(expected) // Object.is equality

    Expected: "b"
    Received: "a"

       7 |     test('rejects', () => {
    >  8 |       expect('a').toBe('b');

      at Object.toBe (src/auth.test.js:8:48)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 3 passed, 4 total
"""


@pytest.fixture
def only(read):
    def one(log):
        (tale,) = read(log)
        (failure,) = tale.failures
        return failure

    return one


def test_the_message_is_the_assertion_without_code_and_stack(only):
    told = only(RUN).message
    assert told == 'expect(received).toBe(expected) // Object.is equality\n\nExpected: "b"\nReceived: "a"'


def test_the_counts_make_it_certain(only):
    assert only(RUN).confidence == "high"
    assert only(RUN.partition("Test Suites")[0]).confidence == "medium"


@pytest.mark.parametrize("header", ["FAIL unit src/auth.test.js (5.1 s)", " FAIL   web api  src/auth.test.js"])
def test_the_name_of_a_project_is_no_part_of_the_path(header, only):
    assert only(RUN.replace("FAIL src/auth.test.js", header)).name == "src/auth.test.js › Auth › login › rejects"


def test_a_summary_repeats_and_adds_nothing(only):
    head, counts, tail = RUN.partition("Test Suites")
    assert only(f"{head}Summary of all failing tests\n{head}{counts}{tail}").confidence == "high"


def test_a_step_that_runs_twice_tells_it_once(only):
    assert only(RUN + RUN).confidence == "high"


def test_console_output_is_not_a_test(read):
    console = "    console.log\n      FAIL src/b.test.js\n        ● Other › is not a test\n"
    assert not read(f"FAIL src/a.test.js\n  ● Console\n\n{console}")


def test_a_bullet_without_a_mark_in_the_tree_counts_only_if_the_counts_want_it(read):
    tree = "FAIL src/auth.test.js\n  Auth\n    login\n      ✕ rejects (5 ms)\n\n"
    log = RUN.replace("FAIL src/auth.test.js\n", tree).replace(
        "\nTest Suites", "\n  ● Bare › is not a test\n\n    x\n\nTest Suites"
    )
    assert [one.name for one in read(log)[0].failures] == ["src/auth.test.js › Auth › login › rejects"]
    assert len(read(log.replace("1 failed, 3", "2 failed, 3"))[0].failures) == 2


def test_a_file_that_does_not_compile_is_one_failure_at_its_line(only):
    log = "FAIL src/b.test.ts\n  ● Test suite failed to run\n\n    src/b.test.ts:3:7 - error TS2322: Type 'x' …\n\n"
    told = only(log)
    assert (told.kind, told.name, told.file, told.line) == ("compile", "src/b.test.ts", "src/b.test.ts", 3)


def test_a_rerun_takes_whole_titles_however_they_are_joined(only):
    assert Jest.rerun([only(RUN)]) == (
        "npx jest --ci --runTestsByPath src/auth.test.js -t '^Auth (› )?login (› )?rejects$'"
    )


@pytest.mark.parametrize(
    ("prefix", "place"),
    [
        ("web:test: ", "web"),
        ("@app/web:test:unit: ", "@app/web"),
        ("packages/web test: ", "packages/web"),
        ("@app/web: ", "@app/web"),
        ("[@app/web]: ", "@app/web"),
        ("➤ YN0000: [@app/web]: ", "@app/web"),
        ("web-1  | ", ""),
    ],
)
def test_what_stands_before_every_line_tells_the_package(prefix, place, only):
    told = only("".join(f"{prefix}{line}\n" for line in RUN.splitlines()))
    assert (told.name, told.place) == ("src/auth.test.js › Auth › login › rejects", place)


def test_packages_that_print_between_each_others_lines_are_kept_apart(read):
    other = RUN.replace("rejects", "accepts").splitlines()
    lines = [
        f"{p}:test: {line}"
        for pair in zip(RUN.splitlines(), other, strict=True)
        for p, line in zip("ab", pair, strict=True)
    ]
    (tale,) = read("\n".join(lines))
    assert [(one.place, one.name.rpartition(" ")[2]) for one in tale.failures] == [("a", "rejects"), ("b", "accepts")]


@pytest.mark.parametrize("mark", ["##[{}]{}", "::{}::{}"])
def test_the_groups_of_turbo_tell_the_package(mark, read):
    end = mark.format("endgroup", "")
    log = "".join(f"{mark.format('group', f'@app/{name}:test')}\n{RUN}{end}\n" for name in ("web", "api"))
    (tale,) = read(log)
    assert [one.place for one in tale.failures] == ["@app/web", "@app/api"]


def test_a_heading_of_turbo_tells_the_package(read):
    (tale,) = read("".join(f"@app/{name}:test\n{RUN}" for name in ("web", "api")))
    assert [one.place for one in tale.failures] == ["@app/web", "@app/api"]


TWICE = """\
FAIL src/auth.test.js
  Auth
    ✕ logs in (55ms)

  ● Auth › logs in

    the socket was closed

      at Socket.close (src/socket.js:4:9)

  ● Auth › logs in

    expect(received).toBe(expected)

      at Object.toBe (src/auth.test.js:8:48)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 3 passed, 4 total
"""


def test_a_test_with_two_errors_is_told_by_the_first(read):
    (told,) = read(TWICE)
    assert [(one.message, one.file, one.confidence) for one in told.failures] == [
        ("the socket was closed", "src/socket.js", "high")
    ]
    assert told.counted == 1


def test_what_fails_after_all_tests_of_a_file_counts_beside_them(read):
    after = "  ● Test suite failed to run\n\n    no server\n\n      at src/auth.test.js:2:1\n\nTest Suites: 1 failed"
    (told,) = read(RUN.replace("Test Suites: 1 failed", after))
    assert [(one.kind, one.confidence) for one in told.failures] == [("test", "high"), ("compile", "high")]


HEAD = "FAIL my/project src/deep/a.test.js\n"
BLOCK = "  ● adds\n\n    expected 1\n\n      at Object.<anonymous> (src/deep/a.test.js:7:48)\n\n"


def test_the_name_of_a_project_may_have_a_slash(read):
    (tale,) = read(HEAD + BLOCK + "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n")
    assert [(one.name, one.selector) for one in tale.failures] == [("src/deep/a.test.js › adds", "src/deep/a.test.js")]


@pytest.mark.parametrize("line", ["-----", "-------- begin --------", "PASS the salt", " PASS "])
def test_what_a_test_prints_at_the_margin_ends_no_file(read, line):
    (tale,) = read(
        f"FAIL src/a.test.js\n{line}\n{BLOCK}Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n"
    )
    assert [one.name for one in tale.failures] == ["src/a.test.js › adds"]


@pytest.mark.parametrize("line", ["PASS src/b.test.js (5.1 s)", "----------|---------|----------"])
def test_a_file_that_passed_and_the_table_of_coverage_end_one(read, line):
    (tale,) = read(
        f"FAIL src/a.test.js\n{BLOCK}{line}\n{BLOCK}Test Suites: 1 failed, 1 total\nTests:  1 failed, 1 total\n"
    )
    assert [one.message for one in tale.failures] == ["expected 1"]


def test_what_a_test_of_vitest_prints_is_no_failure_of_jest(read):
    """Jest has totals of its own where it prints to the log of Vitest, too."""
    printed = "stdout | a.test.mjs > prints\n\nFAIL y.test.js\n  ● not me\n\n    Error: no\n\n"
    listed = "⎯⎯⎯ Failed Tests 1 ⎯⎯⎯\n\n FAIL  a.test.mjs > prints\nError: x\n❯ a.test.mjs:3:1\n\n⎯⎯⎯[1/1]⎯\n"
    told = read(f" RUN  v3.0.0 /home/runner/work/app/app\n\n{printed}{listed}\n Test Files  1 failed (1)\n")
    assert [one.name for tale in told for one in tale.failures] == ["a.test.mjs > prints"]


def test_blocks_without_a_file_above_them_have_that_of_their_stack(read):
    frames = "      at sum (src/sum.js:2:3)\n      at Object.<anonymous> (src/sum.test.js:8:5)\n"
    block = f"  \u25cf Sum \u203a adds\n\n    expect(1).toBe(2)\n\n{frames}\n"
    found = [one for tale in read(f"Found 1 test suite\n..\n\n{block}Ran 2 tests\n") for one in tale.failures]
    assert [(one.name, one.file, one.confidence) for one in found] == [
        ("src/sum.test.js \u203a Sum \u203a adds", "src/sum.js", "medium")
    ]


def test_blocks_without_a_file_are_output_where_jest_has_a_total(read):
    block = "  \u25cf Sum \u203a adds\n\n    no\n\n      at Object.<anonymous> (src/sum.test.js:8:5)\n\n"
    log = f"{block}PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n"
    assert not [one for tale in read(log) for one in tale.failures]


SUMMARY = """
Summary of failed tests

a.test.js
  ✕ first top
  cart
    ✕ adds
  cart
    deep
      ✕ in
    ✕ after
    ✕ throws
  other
    deep
      ✕ in other
      ✕ in top deep
b.test.js
  ✕ throws

"""


def test_the_tree_of_the_summary_reporter_says_which_names_are_unsure():
    """The reporter prints 'throws', which is in no scope, below 'cart', and 'in top deep' below 'other'."""
    report = ci_failures.parse(SUMMARY.encode())
    sure = {one.name for one in report.failures if one.confidence == "medium"}
    assert sure == {
        "a.test.js › first top",
        "a.test.js › cart › adds",
        "a.test.js › cart › deep › in",
        "a.test.js › other › deep › in other",
        "b.test.js › throws",
    }
    assert [one.confidence for one in report.failures if one.name not in sure] == ["low"] * 3
    assert report.gaps == ("input: jest-summary-reporter may print 3 tests under a 'describe' of others",)
    assert report.commands == ("npx jest --ci --runTestsByPath a.test.js b.test.js",)


def test_the_names_of_the_default_reporter_win_over_those_of_the_summary():
    log = (
        "FAIL ./a.test.js\n  ● throws\n\n    closed\n\n      at Object.<anonymous> (a.test.js:3:30)\n\n"
        "Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n"
    )
    (told,) = ci_failures.parse((log + SUMMARY).encode()).failures
    assert (told.name, told.confidence) == ("a.test.js › throws", "high")
