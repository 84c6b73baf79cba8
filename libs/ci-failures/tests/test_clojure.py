"""clojure.test beyond the kept log: Leiningen's and Kaocha's outputs, and what a test prints."""

import ci_failures

LEIN = """
lein test till.core-test

lein test :only till.core-test/subtracts

FAIL in (subtracts) (core_test.clj:4)
small numbers
expected: (= 3 (- 5 1))
  actual: (not (= 3 4))

Ran 5 tests containing 6 assertions.
{} failures, 0 errors.
"""
KAOCHA = """[(.F)]

FAIL in till.core-test/subtracts (core_test.clj:4)
Expected:
  3
Actual:
  4
expected: (= 3 (- 5 1))

2 tests, 2 assertions, 1 failures.
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_a_test_has_the_namespace_that_leiningen_prints_above_it():
    report = read(LEIN.format(1))
    (one,) = report.failures
    assert (one.name, one.file, one.line) == ("till.core-test/subtracts", "till/core_test.clj", 4)
    assert (one.confidence, report.gaps) == ("high", ())


def test_kaocha_names_the_namespace_with_the_test():
    assert [(one.name, one.confidence) for one in read(KAOCHA).failures] == [("till.core-test/subtracts", "high")]


def test_the_first_line_of_a_failure_alone_was_printed_by_a_test():
    assert (
        read("Testing a.b-test\nFAIL in (adds) (b_test.clj:2)\n\nRan 1 tests.\n0 failures, 0 errors.\n").failures == ()
    )


def test_a_total_that_counts_more_than_was_read_leaves_a_gap():
    assert read(LEIN.format(4)).gaps
