"""What is particular to cargo nextest."""

import pytest

from ci_failures.model import Failure
from ci_failures.parsers.go_rust import Nextest

STARTING = "    Starting 2 tests across 1 binary\n"


def parse(read, log):
    return [(one.name, one.kind, one.flaky, one.attempts) for tale in read(log) for one in tale.failures]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *[("        FAIL", "test"), ("       XFAIL", "test"), ("   LEAK-FAIL", "test"), (" FAIL + LEAK", "test")],
        *[(" TRY 2 FL+LK", "test"), ("TRY 2 LKFAIL", "test"), ("     SIGSEGV", "test"), ("   TRY 2 TMT", "timeout")],
        *[("     TIMEOUT", "timeout"), ("  TRY 2 ABRT", "test")],
    ],
)
def test_all_that_is_not_a_pass_failed(status, kind, read):
    log = f"{STARTING}{status} [   0.005s] (1/2) app::it a::b\n"
    assert [row[:2] for row in parse(read, log)] == [("app::it a::b", kind)]


@pytest.mark.parametrize("status", ["        PASS", "        LEAK", "TIMEOUT-PASS", "        SLOW", "        SKIP"])
def test_what_passed_is_not_told(status, read):
    assert not parse(read, f"{STARTING}{status} [   0.005s] (1/2) app::it a::b\n")


def test_what_passes_at_last_is_flaky(read):
    log = f"{STARTING}  TRY 1 FAIL [   0.005s] app a\n  TRY 2 PASS [   0.005s] app a\n   FLAKY 2/3 [   0.005s] app a\n"
    assert parse(read, log) == [("app a", "test", True, 2)]


def test_the_summary_repeats_what_failed(read):
    line = "        FAIL [   0.005s] (1/2) app a\n"
    summary = "     Summary [   0.1s] 2 tests run: 1 passed, 1 failed, 0 skipped\n"
    (tale,) = read(f"{STARTING}{line}{summary}{line}error: test run failed\n")
    assert (len(tale.failures), tale.counted) == (1, 1)


def test_a_block_of_old_versions_is_its_tests(read):
    log = (
        f"{STARTING}        FAIL [   0.005s] app a\n\n--- STDOUT:              app a ---\n\nrunning 1 test\n"
        "test a ... FAILED\n\n--- STDERR:              app a ---\nthread 'a' panicked at 'no', src/lib.rs:5:42\n"
    )
    (one,) = [one for tale in read(log) for one in tale.failures]
    assert (one.tool, one.message, one.file, one.line) == ("nextest", "no", "src/lib.rs", 5)


def test_one_filter_chooses_exactly_these():
    some = [Failure(tool="nextest", name=name, selector=f"binary_id(=x) & test(={name})") for name in ("a", "b")]
    some.append(Failure(tool="nextest", name="c", selector="binary_id(=y) & test(=c)"))
    chosen = "'(binary_id(=x) & (test(=a) | test(=b))) | (binary_id(=y) & (test(=c)))'"
    assert Nextest.rerun(some) == f"cargo nextest run --workspace --no-fail-fast -E {chosen}"


PANIC = "thread 'a' (9) panicked at src/lib.rs:5:9:\nno\n"
OUTPUT = f"\nrunning 1 test\n\n{PANIC}test a ... FAILED\n\nfailures:\n\nfailures:\n    a\n\n"


def test_without_capturing_the_output_precedes_the_status(read):
    log = f"{STARTING}       START [         ] (1/2) app a\n{OUTPUT}        FAIL [   0.005s] (1/2) app a\n"
    (one,) = [one for tale in read(log) for one in tale.failures]
    assert (one.name, one.message, one.file, one.line) == ("app a", "no", "src/lib.rs", 5)


def test_without_statuses_a_test_is_named_by_its_output(read):
    output = "".join(f"    {line}" if line.strip() else line for line in OUTPUT.splitlines(keepends=True))
    summary = "     Summary [   0.1s] 2 tests run: 1 passed, 1 failed, 0 skipped\n"
    (one,) = [one for tale in read(f"{STARTING}  stdout ───\n{output}{summary}") for one in tale.failures]
    assert (one.name, one.line, one.selector, one.confidence) == ("a", 5, "", "medium")
