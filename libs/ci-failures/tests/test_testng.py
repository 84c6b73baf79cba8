"""What is particular of TestNG's own runner; the kept logs are read by test_logs.py."""

from ci_failures.parsers.jvm.testng import TestNG as Runner

BLOCK = "FAILED: org.example.ATest.adds\njava.lang.AssertionError: no\n\tat org.example.ATest.adds(ATest.java:9)\n\n"
TOTAL = "    Tests run: 2, Failures: 1, Skips: 0\n"


def failures(read, text):
    return [one for tale in read(text) if tale.parser is Runner for one in tale.failures]


def test_a_block_counts_where_totals_follow(read):
    (found,) = failures(read, BLOCK + TOTAL)
    assert (found.name, found.file, found.line) == ("org.example.ATest.adds", "org/example/ATest.java", 9)


def test_a_block_without_totals_is_of_another_tool(read):
    assert failures(read, BLOCK) == []


def test_what_is_tried_again_is_one_failure(read):
    (found,) = failures(read, BLOCK + BLOCK + TOTAL)
    assert found.attempts == 2
