"""What is particular about tsc."""

import pytest

from ci_failures.parsers.javascript.tsc import Tsc

SAID = "Type 'string' is not assignable to type 'number'."


@pytest.mark.parametrize(
    "log",
    [
        f"src/t.ts(1,7): error TS2322: {SAID}\n",
        f"##[error]src/t.ts(1,7): error TS2322: {SAID}\n",
        f"Error: src/t.ts:1:7 - error TS2322: {SAID}\n",
        f"\x1b[96m/home/runner/work/a/a/src/t.ts\x1b[0m:\x1b[93m1\x1b[0m:7 - error TS2322: {SAID}\n",
        f"D:\\a\\app\\app\\src\\t.ts(1,7): error TS2322: {SAID}\n",
        f"ERROR in src/t.ts:1:7\nTS2322: {SAID}\n",
        f"[tsl] ERROR in /home/runner/work/a/a/src/t.ts(1,7)\n      TS2322: {SAID}\n",
        f"✘ [ERROR] TS2322: {SAID} [plugin angular-compiler]\n\n    src/t.ts:1:7:\n",
    ],
)
def test_an_error_is_read_however_it_is_printed(log, read):
    (told,) = read(log)[0].failures
    assert (told.name, told.file, told.line, told.message) == ("TS2322 src/t.ts:1:7", "src/t.ts", 1, SAID)


def test_a_message_goes_on_in_lines_that_are_indented(read):
    log = "a.ts(8,14): error TS2420: Class 'F' is wrong.\n  Property 'x' is missing.\n    Deeper.\nnpm error\n"
    (told,) = read(log)[0].failures
    assert told.message == "Class 'F' is wrong.\n  Property 'x' is missing.\n    Deeper."


def test_an_error_of_the_settings_has_no_place(read):
    (told,) = read("error TS18003: No inputs were found in config file 'tsconfig.json'.\n")[0].failures
    assert (told.name, told.file) == ("TS18003", "")


def test_two_errors_of_one_code_without_a_place_are_both_read(read):
    log = "error TS6053: File 'a.ts' not found.\nerror TS6053: File 'b.ts' not found.\n"
    assert [one.message for one in read(log)[0].failures] == ["File 'a.ts' not found.", "File 'b.ts' not found."]


def test_what_a_test_of_jest_tells_of_a_compiler_is_jests(read):
    log = "FAIL src/b.test.ts\n  ● Test suite failed to run\n\n    src/b.test.ts:3:7 - error TS2322: x\n"
    assert [tale.parser.tool for tale in read(log)] == ["jest"]


def test_the_count_of_a_pretty_run_is_told(read):
    log = f"src/t.ts:1:7 - error TS2322: {SAID}\n\nFound 2 errors in 2 files.\n"
    (tale,) = read(log)
    assert (tale.counted, tale.failures[0].confidence) == (2, "medium")


def test_a_rerun_reads_the_project(read):
    (tale,) = read(f"src/t.ts(1,7): error TS2322: {SAID}\n")
    assert Tsc.rerun(tale.failures) == "npx tsc --noEmit"


def test_next_tells_a_place_and_no_code(read):
    (told,) = read(f"Failed to compile.\n\n./app/page.tsx:1:40\nType error: {SAID}\n\n> 1 | x\n")[0].failures
    assert (told.name, told.message) == ("type-error app/page.tsx:1:40", SAID)
