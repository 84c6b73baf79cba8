"""What is particular of ward; the kept logs are read by test_logs.py."""

import ci_failures

BLOCK = """─────────────────────────────── {} ────────────────────────────────

  Failed at tests/test_cart.py:{}

    ❱ {} {}

"""
RESULTS = """────────────────────────────────────────────────────────────────────────────────
╭──────────── Results ────────────╮
│  3  Tests Encountered           │
│  {}  Failures           (66.7%)  │
╰─────────────────────────────────╯
──────────────────────────── FAILED in 0.19 seconds ────────────────────────────
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_a_test_is_named_by_its_file_and_description():
    report = read(BLOCK.format("adds 1", 4, 4, "assert 1 + 1 == 3") + RESULTS.format(1))
    assert [(one.name, one.message, one.line) for one in report.failures] == [
        ("tests/test_cart.py > adds 1", "assert 1 + 1 == 3", 4)
    ]
    assert not report.gaps


def test_a_total_that_differs_from_what_was_read_is_told():
    report = read(BLOCK.format("adds 1", 4, 4, "assert 1 + 1 == 3") + RESULTS.format(2))
    assert (report.status, len(report.gaps)) == ("failed", 1)
    assert "itself counts 2 failures, and 1 were read" in report.gaps[0]


def test_descriptions_that_several_cases_share_are_one_failure_without_a_gap():
    block = BLOCK.format("adds", 4, 4, "assert a == b")
    report = read(block + block + RESULTS.format(2))
    assert (len(report.failures), report.gaps) == (1, ())


def test_a_run_without_failures_has_passed():
    assert read("─────────────── SUCCESS in 0.03 seconds ───────────────\n").status == "passed"
