# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What is particular about Vitest."""

import pytest

import ci_failures
from ci_failures.parsers.javascript.vitest import Vitest

RUN = """\
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/a.test.ts > takes 1
 FAIL  src/a.test.ts > takes 3 > twice
AssertionError: expected 1 to be +0 // Object.is equality

- Expected
+ Received

 ❯ src/a.test.ts:15:19
    13|  });
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯

 Test Files  1 failed (1)
      Tests  2 failed (2)
"""


def test_one_error_may_be_that_of_several_tests(read):
    (tale,) = read(RUN)
    assert [(one.name, one.line) for one in tale.failures] == [
        ("src/a.test.ts > takes 1", 15),
        ("src/a.test.ts > takes 3 > twice", 15),
    ]
    assert tale.counted == 2


@pytest.mark.parametrize("project", ["|unit| ", "|storybook (chromium)| ", " web api  "])
def test_the_name_of_a_project_is_no_part_of_the_name(project, read):
    (tale,) = read(RUN.replace(" FAIL  ", f" FAIL  {project}"))
    assert tale.failures[0].name == "src/a.test.ts > takes 1"


def test_a_failure_in_a_message_is_no_failure(read):
    log = RUN.replace("AssertionError: ", "AssertionError: first\n\n FAIL  src/decoy.test.ts > x\n")
    assert [one.name for one in read(log)[0].failures if "decoy" in one.name] == []


def test_a_file_that_cannot_be_read_is_a_failure_of_its_own(read):
    log = (
        "⎯⎯⎯ Failed Suites 1 ⎯⎯⎯\n\n FAIL  src/b.test.ts [ src/b.test.ts ]\nError: Failed to load url ./x\n⎯⎯⎯[1/1]⎯\n"
    )
    (told,) = read(log)[0].failures
    assert (told.kind, told.name, told.message) == ("compile", "src/b.test.ts", "Error: Failed to load url ./x")


def test_an_error_outside_of_tests_is_a_gap_beside_tests_that_failed():
    loose = "⎯⎯⎯ Unhandled Rejection ⎯⎯⎯\nError: nobody caught it\n ❯ src/c.test.ts:3:18\n\n⎯⎯⎯⎯⎯⎯⎯\n"
    (gap,) = ci_failures.parse((RUN + loose).encode()).gaps
    assert "vitest reports an error outside of tests in line" in gap
    assert gap.endswith("'Error: nobody caught it'")


def test_an_error_that_nobody_is_blamed_for_counts_if_nothing_else_failed(read):
    loose = (
        "⎯⎯⎯ Unhandled Rejection ⎯⎯⎯\nError: nobody caught it\n ❯ src/c.test.ts:3:18\n\n"
        'This error originated in "src/c.test.ts" test file. It …\n⎯⎯⎯⎯⎯⎯⎯\n'
    )
    assert [(one.name, one.line) for one in read(loose)[0].failures] == [("src/c.test.ts", 3)]
    assert "src/c.test.ts" not in {one.name for one in read(RUN + loose)[0].failures}


def test_a_rerun_takes_whole_titles_joined_by_spaces(read):
    (tale,) = read(RUN)
    assert Vitest.rerun(tale.failures) == "npx vitest run src/a.test.ts -t '^(takes 1$|takes 3 (> )?twice$)'"


def test_paths_lie_below_the_folder_that_a_run_tells(read):
    (tale,) = read(f"\n RUN  v3.2.4 /home/runner/work/app/app/packages/core\n\n{RUN}")
    assert {(one.place, one.file) for one in tale.failures} == {("packages/core", "packages/core/src/a.test.ts")}


def test_a_run_at_the_root_has_no_place(read):
    (tale,) = read(f"\n RUN  v3.2.4 /home/runner/work/app/app\n\n{RUN}")
    assert {(one.place, one.file) for one in tale.failures} == {("", "src/a.test.ts")}


TREE = {
    "2": """\
   × Auth > login > rejects 8ms
     → expected 1 to be 2
   × is slow (retry x2) 51ms
""",
    "5": """\
   ❯ Auth (2)
     ❯ login (2)
       ✓ accepts 1ms
       × rejects 7ms
   × is slow 52ms
""",
    "1": """\
   ❯ src/a.test.ts > Auth > login > rejects
     → expected 1 to be 2
   ❯ src/a.test.ts > is slow 51ms
""",
}
ROWS = (
    " ❯ src/a.test.ts (3 tests | 2 failed) 75ms\n{}\n Test Files  1 failed (1)\n      Tests  {} failed | 1 passed (3)\n"
)


@pytest.mark.parametrize("version", TREE)
def test_without_the_standard_error_stream_the_tree_tells_what_failed(version, read):
    (tale,) = read(ROWS.format(TREE[version], 2))
    assert [(one.name, one.file, one.confidence) for one in tale.failures] == [
        ("src/a.test.ts > Auth > login > rejects", "src/a.test.ts", "medium"),
        ("src/a.test.ts > is slow", "src/a.test.ts", "medium"),
    ]
    assert tale.counted == 2
    assert tale.failures[0].message == ("" if version == "5" else "expected 1 to be 2")


def test_rows_that_name_their_file_themselves_need_no_row_of_the_file(read):
    rows = (
        " \u2713 src/a.test.ts > Auth > accepts 2ms\n \u00d7 src/a.test.ts > Auth > login > rejects 8ms\n"
        "   \u2192 expected 1 to be 2\n \u00d7 src/b.test.ts > is slow (retry x2)\n"
    )
    (tale,) = read(f"{rows}\n Test Files  2 failed (2)\n      Tests  2 failed | 1 passed (3)\n")
    assert [(one.name, one.file, one.message, one.confidence) for one in tale.failures] == [
        ("src/a.test.ts > Auth > login > rejects", "src/a.test.ts", "expected 1 to be 2", "medium"),
        ("src/b.test.ts > is slow", "src/b.test.ts", "", "medium"),
    ]
    assert tale.counted == 2


def test_a_tree_without_scopes_names_no_test_but_its_file(read):
    (tale,) = read(ROWS.format("     × rejects 7ms\n   × is slow 52ms", 2))
    assert [(one.name, one.confidence) for one in tale.failures] == [("src/a.test.ts", "medium")]
    assert tale.failures[0].message == "2 of its tests failed; the log does not tell their whole names"


def test_rows_that_are_not_as_many_as_their_file_says_are_told_with_low_confidence(read):
    (tale,) = read(ROWS.format("   × is slow 52ms", 2))
    assert [one.confidence for one in tale.failures] == ["low"]


def test_where_no_row_names_what_failed_its_number_is_told(read):
    (tale,) = read(" Test Files  1 failed (1)\n      Tests  2 failed | 1 passed (3)\n")
    assert (tale.failures, tale.counted) == ((), 2)


def test_a_tree_counts_for_nothing_where_sections_tell_what_failed(read):
    (tale,) = read(ROWS.format("   × decoy 52ms", 1) + RUN)
    assert [one.name for one in tale.failures] == ["src/a.test.ts > takes 1", "src/a.test.ts > takes 3 > twice"]
