# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What is particular about Playwright's runner."""

import pytest

import ci_failures
from ci_failures.parsers.javascript.playwright import Playwright

RUN = """\
Running 4 tests using 2 workers

  1) [chromium] › tests/auth.spec.ts:7:5 › Auth › rejects › asks the server ─────────

    Error: expect(received).toBe(expected)

    > 8 |       expect('a').toBe('b');
        at /home/runner/work/app/app/tests/auth.spec.ts:8:48

    Retry #1 ──────────────────────────

    Error: expect(received).toBe(expected)

  2) [chromium] › tests/auth.spec.ts:20:1 › is flaky ─────────

    Error: not yet

  1 failed
    [chromium] › tests/auth.spec.ts:7:5 › Auth › rejects ───────
  1 flaky
    [chromium] › tests/auth.spec.ts:20:1 › is flaky ────────
  2 passed (3.2s)
"""


def list_failed(told):
    return [one for tale in told for one in tale.failures if not one.flaky]


def test_the_lists_at_the_end_tell_failed_from_flaky(read):
    (tale,) = read(RUN)
    assert [(one.name, one.flaky) for one in tale.failures] == [
        ("[chromium] › tests/auth.spec.ts:7:5 › Auth › rejects", False),
        ("[chromium] › tests/auth.spec.ts:20:1 › is flaky", True),
    ]
    assert tale.counted == 1


def test_the_message_is_that_of_the_first_attempt_and_they_are_counted(read):
    (told,) = list_failed(read(RUN))
    assert (told.message, told.attempts) == ("Error: expect(received).toBe(expected)", 2)
    assert (told.file, told.line) == ("tests/auth.spec.ts", 7)


def test_a_run_that_breaks_off_tells_its_blocks_with_less_confidence(read):
    told = list_failed(read(RUN.partition("  1 failed")[0]))
    assert {one.confidence for one in told} == {"medium"}


def test_lists_that_a_test_prints_are_not_those_at_the_end(read):
    log = "Running 1 test using 1 worker\n\n  1 failed\n    a.spec.ts:3:5 › x ──\n\nfine\n  1 passed (1s)\n"
    assert not list_failed(read(log))


@pytest.mark.parametrize("mark", ["##[error]", "##[notice]"])
def test_annotations_are_read(mark, read):
    log = RUN.replace("  1) [", f"{mark}  1) [").replace("  1 failed", f"{mark}  1 failed")
    assert len(list_failed(read(log))) == 1


def test_an_annotation_that_no_runner_has_read_is_one_line(read):
    head, _, tail = RUN.partition("  1 failed")
    line = "::notice title=🎭 Playwright Run Summary::  1 failed" + tail.replace("\n", "%0A")
    assert [one.confidence for one in list_failed(read(f"{head}{line}\n"))] == ["high"]


def test_a_file_that_cannot_be_read_is_a_failure_of_its_own(read):
    head = "SyntaxError: /home/runner/work/a/a/e2e/b.spec.ts: Unexpected token (2:10)"
    log = f"{head}\n\n   at b.spec.ts:2\n\nError: No tests found\n"
    (told,) = list_failed(read(log))
    assert (told.kind, told.name, told.line, told.message) == ("compile", "e2e/b.spec.ts", 2, "Unexpected token")


def test_a_rerun_names_lines(read):
    assert Playwright.rerun(list_failed(read(RUN))) == "npx playwright test tests/auth.spec.ts:7"


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("Error: Timed out waiting 60000ms from config.webServer.", "timeout", "webServer"),
        ("Error: Process from config.webServer was not able to start. Exit code: 3", "compile", "webServer"),
        ("  Timed out waiting 3600s for the test suite to run", "timeout", "globalTimeout"),
    ],
)
def test_what_ends_a_run_is_no_test(line, kind, name, read):
    (told,) = read(f"\n{line}\n\n")[0].failures
    assert (told.kind, told.name, told.message) == (kind, name, line.strip())


def test_a_global_set_up_that_fails_is_told_with_its_place(read):
    log = "Error: no database\n\n   at setup/global.ts:4\n\n  3 |\n> 4 | throw new Error('no database')\n"
    (told,) = read(log)[0].failures
    assert (told.kind, told.file, told.line, told.message) == ("compile", "setup/global.ts", 4, "no database")


def test_a_count_that_a_test_printed_does_not_hide_the_blocks_of_a_log_that_ends_early(read):
    """The log was read as passed: the list was taken for the end, and it was empty."""
    block = "  1) a.spec.ts:3:1 › sums ───────────────\n\n    Error: x\n"
    (told,) = read(f"Running 2 tests using 1 worker\n\n  1 failed\nnot a list\n\n{block}")
    assert [(one.name, one.confidence) for one in told.failures] == [("a.spec.ts:3:1 › sums", "medium")]


def test_a_count_without_its_list_does_not_pass():
    log = "Running 2 tests using 1 worker\n\n  ✓  1 a.spec.ts:3:1 › sums (5ms)\n  1 failed\n"
    assert ci_failures.parse(log.encode()).status == "unknown"


ROWS = """\
Running 5 tests using 1 worker

  ✓    1 [chromium] › e2e/a.spec.ts:3:7 › Suite › loads (12.5s)
  ✘    2 [chromium] › e2e/a.spec.ts:9:7 › Suite › saves (all) (45.5s)
  ✘    3 [chromium] › e2e/a.spec.ts:9:7 › Suite › saves (all) (retry #1) (1.2m)
  ✘    4 [chromium] › e2e/a.spec.ts:20:7 › Suite › waits (312ms)
  ✘    4.1 [chromium] › e2e/a.spec.ts:20:7 › Suite › waits › clicks (12ms)
  ✓    5 [chromium] › e2e/a.spec.ts:20:7 › Suite › waits (retry #1) (312ms)
  -    6 [chromium] › e2e/a.spec.ts:30:7 › Suite › is skipped
##[error]The operation was canceled.
"""


@pytest.mark.parametrize("plain", [False, True])
def test_rows_of_a_run_that_was_cut_off_tell_failed_from_flaky(plain, read):
    """A cancelled job had only the error of its runner."""
    log = ROWS.replace("✘", "x").replace("✓ ", "ok") if plain else ROWS
    (tale,) = (one for one in read(log) if one.parser.tool == "playwright")
    assert [(one.name, one.flaky, one.attempts, one.confidence) for one in tale.failures] == [
        ("[chromium] › e2e/a.spec.ts:9:7 › Suite › saves (all)", False, 2, "medium"),
        ("[chromium] › e2e/a.spec.ts:20:7 › Suite › waits", True, 2, "medium"),
    ]
    assert (tale.failures[0].file, tale.failures[0].line, tale.failures[0].log_line) == ("e2e/a.spec.ts", 9, 4)


def test_rows_are_read_without_the_beginning_of_their_run(read):
    assert len(list_failed(read(ROWS.partition("\n")[2]))) == 2


def test_a_row_without_a_retry_is_no_failure_where_tests_are_retried(read):
    """A test that is expected to fail has the same sign, and so has an attempt whose retry did not end."""
    log = ROWS.replace("  ✓    1", "  ✘    1")
    assert len([one for one in list_failed(read(log)) if one.tool == "playwright"]) == 1
    assert len([one for one in list_failed(read(log.partition("  ✘    3")[0])) if one.tool == "playwright"]) == 2


def test_lists_decide_over_rows(read):
    """A test that is expected to fail has the same sign."""
    log = ROWS.replace("##[error]The operation was canceled.", "")
    assert not list_failed(read(f"{log}\n  5 passed (2.1m)\n"))


def test_rows_decide_over_lists_that_a_test_printed_before(read):
    head, _, tail = ROWS.partition("\n")
    assert len([one for one in list_failed(read(f"{head}\n  3 passed\n{tail}")) if one.tool == "playwright"]) == 1


def test_a_list_that_an_annotation_repeats_in_part_is_whole(read):
    """GitHub cuts long annotations."""
    tests = [f"    [chromium] \u203a a.spec.ts:{at}:5 \u203a t{at}\n" for at in (7, 9)]
    log = f"Running 2 tests using 1 worker\n\n  2 failed\n{''.join(tests)}\n##[notice]  2 failed\n{tests[0]}\n"
    (tale,) = read(log)
    assert [(one.line, one.confidence) for one in tale.failures] == [(7, "high"), (9, "high")]
