"""What is particular of Gradle; the kept logs are read by test_logs.py.

Kept logs are of 4.4.1 and 7.6.4; what other tools under Gradle print is tested here.
"""

import pytest

from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.gradle import Gradle
from ci_failures.parsers.jvm.gradle_filters import pattern
from ci_failures.parsers.jvm.gradle_names import parse_name

END = "\n3 tests completed, 1 failed\n\n> Task :core:test FAILED\n\nFAILURE: Build failed with an exception.\n"


def failures(read, text):
    return [one for tale in read(text) if tale.parser is Gradle for one in tale.failures]


@pytest.mark.parametrize(
    ("line", "name", "selector"),
    [
        ("CalculatorTest > adds()", "CalculatorTest.adds", "CalculatorTest.adds"),
        ("org.example.CalculatorTest > adds", "org.example.CalculatorTest.adds", "org.example.CalculatorTest.adds"),
        ("OuterTest > Inner > inside()", "OuterTest$Inner.inside", "OuterTest$Inner.inside"),
        (
            "A five > made() > a box > org.example.FiveTest.in a box",
            "A five.made() > a box > in a box",
            "",
        ),
        ("FiveTest > made() > a box > org.example.FiveTest.in", "FiveTest.made() > a box > in", "FiveTest.made"),
        ("CasesTest > words(String) > [1] a > b", "CasesTest.words(String) > [1] a > b", "CasesTest.words"),
        (
            "CasesTest > words(String) > org.example.CasesTest.words(String)[1]",
            "org.example.CasesTest.words(String)[1]",
            "org.example.CasesTest.words",
        ),
        ("Gradle suite > Gradle test > org.example.Ng.adds", "org.example.Ng.adds", "org.example.Ng.adds"),
        ("Gradle Test Run :test > Gradle Test Executor 4 > ATest > adds()", "ATest.adds", "ATest.adds"),
        ("SetUpTest > initializationError", "SetUpTest.initializationError", "SetUpTest"),
        ("org.a.ASpec > does x, then y", "org.a.ASpec.does x, then y", "org.a.ASpec.does x, then y"),
        ("ATest > adds 1 (and 2)()", "ATest.adds 1 (and 2)", "ATest.adds 1 (and 2)"),
        ("ATest > is displayed by words", "ATest.is displayed by words", "ATest"),
        ("ATest > when new > adds()", "ATest.when new > adds", "ATest"),
        ("ATest[jvm] > adds()[jvm]", "ATest.adds()[jvm]", "ATest.adds"),
        ("org.a.ATest > adds[0]", "org.a.ATest.adds[0]", "org.a.ATest.adds*"),
        ("org.a.ATest > org.a.ATest$Full.adds", "org.a.ATest$Full.adds", "org.a.ATest$Full.adds"),
        ("org.a.KoTest > a wallet > holds", "org.a.KoTest.a wallet > holds", "org.a.KoTest"),
        ("A stack > Inner > adds()", "A stack.Inner > adds", ""),
    ],
)
def test_lines_name_tests(line, name, selector):
    test = parse_name(line)
    assert (test.name, pattern(test, Trace(), "")) == (name, selector)


@pytest.mark.parametrize("line", ["> Task :test", ":test", "tests/a.py::x", "Gradle Test Executor 4", "FAILURE: x"])
def test_lines_that_name_none(line):
    assert parse_name(line) is None


def test_a_full_exception_gives_message_and_place(read):
    text = "> Task :core:test\n\nATest > adds() FAILED\n    org.opentest4j.AssertionFailedError: one\n    two\n"
    text += "        at app//org.junit.Assertions.fail(Assertions.java:1)\n"
    text += "        at app//org.example.ATest.adds(ATest.java:9)\n"
    (found,) = failures(read, text + END)
    assert (found.message, found.line) == ("org.opentest4j.AssertionFailedError: one\ntwo", 9)
    assert (found.place, found.confidence) == (":core:test", "high")


def test_a_decoy_without_gradle_is_none(read):
    assert failures(read, "DecoyTest > decoy() FAILED\n    java.lang.AssertionError at DecoyTest.java:3\n") == []


def test_what_passes_when_it_is_run_again_is_flaky(read):
    block = "ATest > adds() FAILED\n    java.lang.AssertionError at ATest.java:3\n\n"
    (found,) = failures(read, f"> Task :test\n\n{block}ATest > adds() PASSED\n\n2 tests completed, 1 failed\n")
    assert found.flaky


def test_a_build_that_succeeds_has_no_failures(read):
    block = "ATest > adds() FAILED\n    java.lang.AssertionError at ATest.java:3\n\n"
    (found,) = failures(read, f"> Task :test\n\n{block}2 tests completed, 1 failed\n\nBUILD SUCCESSFUL in 3s\n")
    assert found.flaky


def test_what_fails_twice_is_one_failure(read):
    block = "ATest > adds() FAILED\n    java.lang.AssertionError at ATest.java:3\n\n"
    (found,) = failures(read, f"> Task :test\n\n{block}{block}2 tests completed, 2 failed\n\nBUILD FAILED in 3s\n")
    assert (found.attempts, found.flaky) == (2, False)


def test_failures_are_run_again_by_one_call(read):
    text = "> Task :core:test\n\nATest > it's FAILED\n    java.lang.AssertionError at ATest.java:3\n\n"
    command = Gradle.rerun(failures(read, text + "BTest > b() FAILED\n    java.lang.Error at BTest.java:3\n" + END))
    assert command == "./gradlew :core:test --tests 'ATest.it'\"'\"'s' --tests BTest.b"


def test_a_class_may_be_displayed_by_words(read):
    text = "> Task :test\n\nA stack, as it is > adds() FAILED\n    java.lang.AssertionError: no\n"
    text += "        at app//org.example.ATest.adds(ATest.java:9)\n"
    (found,) = failures(read, text + END)
    assert (found.name, found.selector) == ("A stack, as it is.adds", "org.example.ATest.adds")
    assert (found.file, found.line) == ("org/example/ATest.java", 9)


def test_the_whole_task_is_run_again_where_a_test_cannot_be_selected(read):
    text = "> Task :core:test\n\nA stack > adds() FAILED\n    java.lang.AssertionError at Checks.java:9\n"
    assert Gradle.rerun(failures(read, text + END)) == "./gradlew :core:test"


def test_a_class_in_words_is_run_again_by_its_source(read):
    text = "> Task :core:test\n\nA stack > adds() FAILED\n    java.lang.AssertionError at StackTest.java:9\n"
    assert Gradle.rerun(failures(read, text + END)) == "./gradlew :core:test --tests StackTest"


def test_the_same_name_in_two_projects_is_two_tests(read):
    block = "ATest > adds() FAILED\n    java.lang.AssertionError at ATest.java:3\n\n1 test completed, 1 failed\n\n"
    found = failures(read, f"> Task :core:test\n\n{block}> Task :web:test\n\n{block}BUILD FAILED in 3s\n")
    assert [one.place for one in found] == [":core:test", ":web:test"]


def test_the_same_test_in_two_tasks_of_a_project_is_one(read):
    block = "ATest > adds() FAILED\n    java.lang.AssertionError at ATest.java:3\n\n1 test completed, 1 failed\n\n"
    text = f"> Task :app:testDebugUnitTest\n\n{block}> Task :app:testReleaseUnitTest\n\n{block}BUILD FAILED in 3s\n"
    (found,) = failures(read, text)
    assert (found.place, found.attempts) == (":app:testDebugUnitTest", 1)


def test_a_name_may_have_several_lines(read):
    text = (
        "> Task :core:test\n\nATest > reads(String) > [1] a\nb FAILED\n    java.lang.AssertionError at ATest.java:9\n"
    )
    assert [one.name for one in failures(read, text + END)] == ["ATest.reads(String) > [1] a b"]


def test_the_short_form_tells_no_place_in_the_jdk(read):
    text = "ATest > adds() FAILED\n    java.lang.Error at ArrayList.java:9\n"
    text += "        Caused by: java.lang.Error at B.java:3\n"
    (found,) = failures(read, "> Task :core:test\n\n" + text + END)
    assert (found.file, found.line) == ("B.java", 3)


def test_a_machine_that_crashed_is_told_with_its_task(read):
    text = "* What went wrong:\nExecution failed for task ':core:test'.\n"
    (found,) = failures(read, f"{text}> Process 'Gradle Test Executor 3' finished with non-zero exit value 137\n")
    assert (found.kind, found.name, found.place) == ("out_of_memory", ":core:test", ":core:test")


def test_what_testng_calls_its_suite_and_test_is_no_class(read):
    text = (
        "> Task :test\n\nNightly > Slow ones > org.example.SumTest.adds FAILED\n    java.lang.Error at SumTest.java:9\n"
    )
    (found,) = failures(read, text + END)
    assert (found.name, found.selector) == ("org.example.SumTest.adds", "org.example.SumTest.adds")


def test_a_runner_may_mix_the_streams_and_tell_counts_first(read):
    text = "> Task :core:test FAILED\n3 tests completed, 1 failed\n\nATest > adds() FAILED\n\n"
    mixed = text[:-1] + "FAILURE: Build failed with an exception.\n    java.lang.Error at ATest.java:6\n\n"
    assert [one.line for one in failures(read, mixed)] == [6]
    assert [one.name for one in failures(read, text)] == ["ATest.adds"]


THEMES = ("  Test adds() FAILED (1.3s)\n\n  {}\n      {}\n", "    ✘ adds() (1.3s)\n\n      {}\n          {}\n")


@pytest.mark.parametrize("theme", THEMES)
def test_the_plugin_test_logger_prints_tests_below_their_class(theme, read):
    block = theme.format("java.lang.Error: expected 3", "at org.example.ATest.adds(ATest.java:7)")
    passed = "".join(f"    ✔ passes{n}()\n" for n in range(20)) if "✘" in theme else "  Test passes() PASSED\n"
    text = f"> Task :core:test FAILED\n\norg.example.ATest\n\n{passed}{block}\n{passed}\n2 tests completed, 1 failed\n"
    (found,) = failures(read, text)
    assert (found.name, found.message, found.line) == ("org.example.ATest.adds", "java.lang.Error: expected 3", 7)
    assert (found.selector, found.place, found.confidence) == ("org.example.ATest.adds", ":core:test", "high")


def test_gradle_and_test_logger_may_both_print_a_test(read):
    themed = THEMES[0].format("java.lang.Error: no", "at org.example.ATest.adds(ATest.java:7)")
    themed = f"org.example.ATest\n\n{themed}"
    own = "ATest > adds() FAILED\n    java.lang.Error at ATest.java:7\n"
    text = f"> Task :test\n\n{{}}\n\n{{}}\n\n1 test completed, 1 failed\n\n{END}"
    both = failures(read, text.format(themed, own)), failures(read, text.format(own, themed))
    assert [[one.line for one in found] for found in both] == [[7], [7]]


def test_tests_on_android_devices_are_selected_by_an_argument_of_their_runner(read):
    """Their tasks have no option `--tests`: https://developer.android.com/studio/test/command-line."""
    log = (
        "> Task :app:connectedDebugAndroidTest\nStarting 3 tests on Pixel_3a_API_30(AVD) - 11\n\n"
        "a.LogTest > fails[Pixel_3a_API_30(AVD) - 11] FAILED \n\tjava.lang.AssertionError: expected:<1> but was:<2>\n"
        "\tat a.LogTest.fails(LoginTest.kt:22)\n\n> Task :app:connectedDebugAndroidTest FAILED\n"
    )
    (tale,) = read(log)
    assert tale.parser.rerun(tale.failures) == (
        "./gradlew :app:connectedDebugAndroidTest '-Pandroid.testInstrumentationRunnerArguments.class=a.LogTest#fails'"
    )


LISTED = """> Task :core:integrationTest

Tests with failures:
 - org.a.b.FirstIT.isAllowed
 - org.a.b.ManyIT.test {p0=bulk/11.x/List of strings > one}

40 tests completed, 2 failed
There were failing tests. See the report at: file:///home/runner/work/a/report/index.html
"""


def test_a_list_of_failed_tests_names_them(read):
    found = failures(read, LISTED)
    assert [(one.name, one.place, one.confidence) for one in found] == [
        ("org.a.b.FirstIT.isAllowed", ":core:integrationTest", "high"),
        ("org.a.b.ManyIT.test {p0=bulk/11.x/List of strings > one}", ":core:integrationTest", "high"),
    ]


def test_a_test_that_is_listed_and_printed_is_one(read):
    block = "> Task :core:test\norg.a.b.FirstIT > isAllowed FAILED\n    java.lang.AssertionError: no\n\n"
    (one,) = failures(
        read, block + "Tests with failures:\n - org.a.b.FirstIT.isAllowed\n\n4 tests completed, 1 failed\n"
    )
    assert (one.message, one.confidence) == ("java.lang.AssertionError: no", "high")
