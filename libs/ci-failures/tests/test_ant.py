"""What is particular of Ant's junit task; the kept logs are read by test_logs.py."""

from pathlib import Path

from ci_failures.parsers.jvm.ant import Ant

LOGS = Path(__file__).parent / "logs" / "ant"


def failures(read, text):
    return [one for tale in read(text) if tale.parser is Ant for one in tale.failures]


def test_a_class_that_failed_without_a_name_of_a_test_is_not_certain(read):
    text = "    [junit] Running org.example.ATest\n    [junit] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n"
    (found,) = failures(read, f"{text}    [junit] Test org.example.ATest FAILED\n")
    assert (found.name, found.confidence) == ("org.example.ATest", "medium")


def test_a_message_has_all_its_lines(read):
    found = {one.name: one for one in failures(read, (LOGS / "junit-plain.log").read_text(encoding="utf-8"))}
    lines = found["org.example.old.PlainTest.saysManyLines"].message.splitlines()
    assert (lines[0], lines[-1]) == (
        "junit.framework.AssertionFailedError: one",
        "  decoy(org.example.old.PlainTest): three",
    )


def test_what_passed_is_none(read):
    text = "    [junit] Testsuite: org.example.ATest\n    [junit] Testcase: adds took 0.1 sec\n"
    assert failures(read, f"{text}    [junit] Testcase: reads took 0.1 sec\n") == []


def test_a_class_whose_tests_are_only_counted_is_told(read):
    text = (
        "[junitlauncher] Running org.example.{}\n[junitlauncher] Tests run: 2, Failures: {}, Aborted: {}, Skipped: 0\n"
    )
    told = read(text.format("ATest", 1, 0) + text.format("BTest", 0, 1))
    assert [one.name for tale in told for one in tale.failures] == ["org.example.ATest"]
