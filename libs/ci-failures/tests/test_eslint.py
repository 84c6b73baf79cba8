"""What is particular about ESLint."""

import pytest

from ci_failures.parsers.javascript.eslint import Eslint

TABLE = """\
/home/runner/work/app/app/src/store.js
  2:9   error    'unused' is assigned a value but never used  no-unused-vars
  4:3   warning  Unexpected console statement                 no-console
  5:1   error    Parsing error: Unexpected token

✖ 3 problems (2 errors, 1 warning)
"""


def names(told):
    return [one.name for tale in told for one in tale.failures]


def test_a_warning_is_no_failure(read):
    assert names(read(TABLE)) == ["no-unused-vars src/store.js:2:9", "parsing-error src/store.js:5:1"]


def test_the_rule_stands_behind_the_last_line_of_a_message(read):
    said = "Error: No effects\n\nEffects are  costly\n\n> 2 |  f()  \n    |  ^ here  react-hooks/purity\n"
    log = TABLE.replace("'unused' is assigned a value but never used  no-unused-vars\n", said)
    assert names(read(log)) == ["react-hooks/purity src/store.js:2:9", "parsing-error src/store.js:5:1"]


def test_a_warning_is_one_where_there_were_too_many(read):
    log = TABLE.replace("error ", "warning").replace("(2 errors, 1 w", "(0 errors, 3 w")
    assert len(names(read(log + "\nESLint found too many warnings (maximum: 0).\n"))) == 3


def test_the_mark_of_a_problem_matcher_is_taken_off(read):
    log = (
        TABLE.replace("  2:9", "##[error]  2:9").replace("  4:3", "##[warning]  4:3").replace("  5:1", "##[error]  5:1")
    )
    assert names(read(log)) == names(read(TABLE))


def test_without_its_count_a_table_is_less_certain(read):
    (tale,) = read(TABLE.partition("✖")[0])
    assert {one.confidence for one in tale.failures} == {"medium"}


@pytest.mark.parametrize(
    "log",
    [
        "config.yaml\n  1:1   error    missing document start  (document-start)\n\n",
        "/x/a.yaml\n 3:6  error  info-contact  No contact.\n\n✖ 1 problem (1 error, 0 warnings, 0 infos, 0 hints)\n",
        "  4:1  error  is not a problem  semi\n",
    ],
)
def test_tables_of_others_are_not_eslints(log, read):
    assert not [told for told in read(log) if told.parser.tool == "eslint"]


def test_next_prints_it_nearly_so(read):
    log = "./src/app.tsx\n12:3  Error: 'x' is not defined.  no-undef\n\ninfo  - Need to disable some ESLint rules?\n"
    assert names(read(log)) == ["no-undef src/app.tsx:12:3"]


@pytest.mark.parametrize(
    "line",
    ["/home/runner/work/a/a/s.js: line 2, col 9, Error - Bad. (eqeqeq)", "s.js:2:9: Bad. [Error/eqeqeq]"],
)
def test_a_line_may_say_everything(line, read):
    (told,) = read(f"{line}\n\n1 problem\n")[0].failures
    assert (told.name, told.message) == ("eqeqeq s.js:2:9", "Bad.")


def test_a_rerun_checks_the_files(read):
    (tale,) = read(TABLE)
    assert Eslint.rerun(tale.failures) == "npx eslint src/store.js"


def test_a_crash_is_told_by_what_stands_below_it(read):
    log = "\nOops! Something went wrong! :(\n\nESLint: 9.39.5\n\nError: Cannot find package 'x'\n    at y (z.js:1:1)\n"
    (told,) = read(log)[0].failures
    assert (told.kind, told.name, told.message) == ("compile", "eslint crash", "Cannot find package 'x'")
