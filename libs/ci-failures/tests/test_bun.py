"""What is particular of Bun's test runner; its kept logs are read by test_logs.py."""

import ci_failures
from ci_failures.parsers.javascript.bun import Bun


def test_errors_that_a_compiler_counts_are_not_those_of_bun(read):
    """A status with a check mark was taken for a test that passed, and `5 errors` of javac for Bun's total."""
    log = "✓ Found known Gradle Wrapper JAR files:\n  x.jar\n\n5 errors\n8 warnings\n"
    assert not [tale for tale in read(log) if tale.parser is Bun]
    assert ci_failures.parse(log.encode()).status == "unknown"


def test_the_counts_of_a_summary_are_added(read):
    log = "a.test.ts:\n(pass) adds [0.40ms]\n\n 1 pass\n 2 fail\n 1 error\n\nRan 4 tests across 2 files. [9.00ms]\n"
    (tale,) = read(f"5 errors\n{log}")
    assert tale.counted == 3
