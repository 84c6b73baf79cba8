"""What is particular of Surefire and Failsafe; the kept logs are read by test_logs.py."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ci_failures.model import Line
from ci_failures.parsers.jvm import PARSERS, surefire
from ci_failures.parsers.jvm.surefire import Surefire
from ci_failures.parsers.jvm.surefire_names import pattern, split_header

LOGS = Path(__file__).parent / "logs"
TOOLS = ("surefire", "gradle", "junit-console", "javac", "kotlinc", "sbt", "scalatest", "ant", "testng")
BLOCK = 40
"""Lines in which a failure is told: of one that is cut, the nested class or the column may be missing."""
KEPT = sorted(path for tool in TOOLS for path in (LOGS / tool).glob("*.log"))


def fed(lines, parser=Surefire):
    """Feed one parser with lines, awake from the first on."""
    one = parser()
    for number, text in enumerate(lines, 1):
        one.read(Line(number, text))
    return one, list(one.finish())


def by_name(failures):
    return {one.name: one for one in failures}


def read_truth(case):
    return (LOGS / "surefire" / f"{case}.log").read_text(encoding="utf-8")


def failures(read, text):
    return [one for tale in read(text) if tale.parser is Surefire for one in tale.failures]


def test_a_message_has_all_its_lines_and_no_frames(read):
    found = by_name(failures(read, read_truth("3.5.4-all")))["org.example.calc.CalculatorTest#saysManyLines"]
    assert found.message.splitlines()[1:3] == ["first line", "  second line"]
    assert "\tat " not in found.message


def test_what_passed_at_last_is_flaky(read):
    found = by_name(failures(read, read_truth("3.5.4-flaky")))
    assert found["org.example.calc.FlakyTest#passesAtLast"].flaky
    assert not found["org.example.calc.FlakyTest#neverPasses"].flaky


def test_what_is_run_again_is_one_failure_of_several_attempts(read):
    found = by_name(failures(read, read_truth("2.22.2-flaky")))["org.example.old.PlainTest#adds"]
    assert (found.attempts, found.flaky) == (3, False)


def test_a_failure_of_a_reactor_says_which_module(read):
    assert {one.place for one in failures(read, read_truth("2.22.2-all"))} == {"jupiter", "vintage", "ng"}


def test_modules_that_run_at_once_are_not_guessed(read):
    assert {one.place for one in failures(read, read_truth("3.2.5-parallel"))} == {""}


def test_the_count_is_that_of_the_summaries(read):
    told = next(tale for tale in read(read_truth("2.12.4-old")) if tale.parser is Surefire)
    assert told.counted == len(told.failures) == 17


def test_a_summary_without_blocks_is_taken(read):
    text = "[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   ATest.adds:12->helper:30 no\n[ERROR] Errors: \n"
    text += "[ERROR]   BTest.reads:7 » IO gone\n[INFO] \n[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0\n"
    assert [(one.name, one.message) for one in failures(read, text)] == [
        ("ATest#adds", "no"),
        ("BTest#reads", "IO gone"),
    ]


def test_a_summary_without_a_total_is_taken_if_it_is_all_there_is(read):
    text = "[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   ATest.adds:12 no\n[INFO] BUILD FAILURE\n"
    assert [(one.name, one.confidence) for one in failures(read, text)] == [("ATest#adds", "medium")]


def test_a_test_that_prints_a_summary_failed_not(read):
    assert failures(read, read_truth("3.5.4-passes")) == []


def test_times_before_levels_change_nothing(read):
    lines = read_truth("2.22.2-all").splitlines()
    stamped = "\n".join(f"12:00:01.123 {line}" if line.startswith("[") else line for line in lines)
    assert by_name(failures(read, stamped)).keys() == by_name(failures(read, read_truth("2.22.2-all"))).keys()


def test_a_block_without_a_summary_is_not_certain(read):
    text = read_truth("3.2.5-colour")
    assert {one.confidence for one in failures(read, text[: text.index("Results:")])} == {"medium"}


@pytest.mark.parametrize(
    ("head", "known", "expected"),
    [
        ("org.example.ATest.par(int)[2]", "org.example.ATest", ("org.example.ATest", "par(int)[2]")),
        ("adds(org.example.ATest)", "", ("org.example.ATest", "adds")),
        ("hasTheLength[2: d (x)](org.example.ATest)", "", ("org.example.ATest", "hasTheLength[2: d (x)]")),
        ("par{int}[2]", "org.example.ATest", ("org.example.ATest", "par{int}[2]")),
        ("org.example.ATest", "org.example.ATest", ("org.example.ATest", "")),
        ("org.example.ATest$Inner.adds", "", ("org.example.ATest$Inner", "adds")),
        ("org.example.ATest.does this. And that", "org.example.ATest", ("org.example.ATest", "does this. And that")),
        ("org.example.ATest.takes(TestInfo)", "", ("org.example.ATest", "takes(TestInfo)")),
        ("Shopping cart.Add to cart", "org.example.CucumberTest", ("Shopping cart", "Add to cart")),
        ("Example #1.2", "org.example.CucumberTest", ("org.example.CucumberTest", "Example #1.2")),
    ],
)
def test_heads_are_parted(head, known, expected):
    assert split_header(head, known) == expected


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("adds", "adds"),
        ("par(int)[2]", "par"),
        ("par{int}[2]", "par"),
        ("len[2: d]", "len[*]"),
        ("isFine[a](1)", "isFine"),
        ("isIn[1: Europe/Berlin]", ""),
        ("shown by words (of a case)", ""),
    ],
)
def test_all_cases_of_a_method_are_run_again(method, expected):
    assert pattern(method) == expected


def test_what_failed_is_run_again_by_one_call_of_maven(read):
    found = failures(read, read_truth("3.5.4-verify"))
    command = Surefire.rerun([one for one in found if "Inner" in one.name])
    assert command.startswith("mvn test -pl :jupiter -am '-Dtest=org.example.calc.OuterTest$Inner#inside,")


def test_integration_tests_are_run_again_by_failsafe(read):
    command = Surefire.rerun(failures(read, read_truth("3.5.4-failsafe")))
    assert command.startswith("mvn verify -pl :jupiter -am '-Dit.test=org.example.calc.CalculatorIT#is")
    assert "-Dtest=NoUnitTests" in command


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(KEPT), st.floats(0, 1))
def test_a_log_that_ends_early_makes_nothing_up(read, path, part):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    end = int(len(lines) * part)
    whole = [one for tale in read(text) if tale.parser in PARSERS for one in tale.failures]
    begun = [one for tale in read("".join(lines[:end])) if tale.parser in PARSERS for one in tale.failures]
    told = [one for one in begun if one.log_line < end - BLOCK]
    early, names = ({one.name.rpartition("org.example.")[2] for one in some} for some in (told, whole))
    early -= {"Decoy.is only printed"}  # of munit's only the list at the end tells what failed
    assert not [one for one in early if one not in names]


@given(st.sampled_from(KEPT), st.sampled_from(KEPT), st.randoms(use_true_random=False), st.sampled_from(PARSERS))
def test_interleaved_lines_raise_nothing(one, other, dice, parser):
    lines = [*one.read_text(encoding="utf-8").splitlines(), *other.read_text(encoding="utf-8").splitlines()]
    fed(dice.sample(lines, min(len(lines), 400)), parser)


@given(st.lists(st.text(max_size=80), max_size=30), st.sampled_from(PARSERS), st.integers(0, 2**32))
def test_any_text_raises_nothing(texts, parser, seed):
    dice = random.Random(seed)
    fed([dice.choice(["", *parser.wakes, "[ERROR] ", "    ", "\tat "]) + text for text in texts], parser)


def test_what_github_shows_is_read_like_what_maven_prints(read):
    text = read_truth("3.5.4-trimmed")
    shown = text.replace("[ERROR] ", "Error:  ").replace("[WARNING] ", "Warning:  ")
    assert by_name(failures(read, shown)).keys() == by_name(failures(read, text)).keys()


def test_a_class_whose_machine_crashed_is_named(read):
    text = "[ERROR] Crashed tests:\n[ERROR] org.example.ATest\n[ERROR] org.apache.maven.surefire.booter: gone\n"
    assert [one.name for one in failures(read, text + text)] == ["org.example.ATest"]


def test_a_method_in_words_is_run_again_if_its_trace_tells_it():
    assert pattern('adds (twice), then "stops"', ['adds (twice), then "stops"']) == "adds ?twice?? then ?stops?"


def test_cases_shown_by_words_are_run_again_by_their_method():
    assert pattern("maximum of 7 and 4", ["maximum of #a and #b"]) == "maximum of ?a and ?b"


def test_a_feature_is_run_again_by_the_class_that_runs_it(read):
    text = "[ERROR] Tests run: 1, Failures: 1, Time elapsed: 1 s <<< FAILURE! -- in org.example.CucumberTest\n"
    text += "[ERROR] Shopping cart.Add to cart -- Time elapsed: 0.1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
    (found,) = failures(read, text)
    assert (found.name, found.selector) == ("Shopping cart#Add to cart", "test=org.example.CucumberTest")


def test_a_block_without_an_exception_is_none(read):
    text = "[ERROR] org.example.Decoy.fake -- Time elapsed: 0.1 s <<< FAILURE!\n[INFO] Running org.example.ATest\n"
    assert failures(read, text) == []


def test_an_exit_code_is_told_with_the_class_that_crashed(read):
    text = "[ERROR] Process Exit Code: 3\n[ERROR] Crashed tests:\n[ERROR] org.example.ATest\n[ERROR] \n"
    (found,) = failures(read, text)
    assert found.message.endswith("saying goodbye (Process Exit Code: 3)")


def test_blocks_of_modules_that_run_at_once_are_counted_together(read):
    blocks = "".join(
        f"[ERROR] org.example.{of}.adds -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
        for of in "AB"
    )
    summary = (
        "[INFO] Results:\n[ERROR] Failures: \n[ERROR]   {}.setUp:3 no\n[ERROR] Tests run: 1, Failures: 1, Errors: 0,"
    )
    ends = "".join(f"{summary.format(of)} Skipped: 0\n" for of in "AB")
    found = failures(read, f"[INFO] Using the MultiThreadedBuilder implementation\n{blocks}{ends}")
    assert [one.name for one in found] == ["org.example.A#adds", "org.example.B#adds"]


def test_one_module_of_several_is_named(read):
    text = "[INFO]   from core/pom.xml\n[INFO] --- surefire:3.5.2:test (default-test) @ shop-core ---\n"
    text += "[ERROR] org.example.ATest.adds -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
    assert [one.place for one in failures(read, text)] == ["shop-core"]


def test_the_innermost_cause_is_told(read):
    text = (
        "[ERROR] org.example.ATest.adds -- Time elapsed: 1 s <<< ERROR!\njava.lang.IllegalStateException: no context\n"
    )
    text += "\tat org.springframework.X.load(X.java:1)\nCaused by: java.lang.Error: middle\n\tat a.B.c(B.java:2)\n"
    (found,) = failures(
        read, f"{text}Caused by: java.net.ConnectException: refused\n\tat org.example.Db.open(Db.java:7)\n\n"
    )
    assert found.message.splitlines()[1:] == ["Caused by: java.net.ConnectException: refused"]
    assert (found.file, found.line) == ("org/example/Db.java", 7)


def test_integration_tests_are_run_again_by_a_call_of_their_own(read):
    block = "[ERROR] org.example.{} -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
    goal = "[INFO] --- {}:3.5.2:test (default) @ app ---\n"
    text = "".join(goal.format(of) + block.format(of.title() + ".adds") for of in ("surefire", "failsafe"))
    unit, integration = Surefire.rerun(failures(read, text)).split("; ")
    assert unit == "mvn test '-Dtest=org.example.Surefire#adds'"
    assert integration.startswith("mvn verify '-Dit.test=org.example.Failsafe#adds' -Dtest=NoUnitTests ")


def test_the_heading_of_results_may_be_lost_in_what_tests_print(read):
    text = "Tests run: 9, Failures: 1, Errors: 0, Skipped: 0\n"
    (found,) = failures(read, f"INFO a.B - doneFailed tests: \nFailed tests: \n  ATest.adds:7 expected 3\n\n{text}")
    assert (found.name, found.message) == ("ATest#adds", "expected 3")


def test_testng_names_the_tests_of_junit_with_their_instance(read):
    entry = "  adds on instance adds(org.example.ATest)(org.example.ATest): no\n"
    (found,) = failures(
        read, f"Results :\n\nFailed tests: \n{entry}\nTests run: 9, Failures: 1, Errors: 0, Skipped: 0\n"
    )
    assert found.name == "org.example.ATest#adds"


def test_a_class_may_have_no_package(read):
    block = (
        "adds(SumTest)  Time elapsed: 0.1 sec  <<< FAILURE!\njava.lang.Error: no\n\tat SumTest.adds(SumTest.java:3)\n"
    )
    (found,) = failures(read, f"Running SumTest\n{block}\nResults :\n")
    assert (found.name, found.line) == ("SumTest#adds", 3)


def test_beyond_the_bound_failures_are_counted(monkeypatch):
    monkeypatch.setattr(surefire, "MOST_FAILURES", 2)
    block = "[ERROR] a.FooTest.t{} -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
    summary = "[ERROR] Failures: \n[ERROR]   FooTest.t0:1 no\n[INFO] \n"
    summary += "[ERROR] Tests run: 3, Failures: 3, Errors: 0, Skipped: 0\n"
    one, found = fed(("".join(block.format(number) for number in range(3)) + summary).splitlines())
    assert (len(found), one.total()) == (2, 3)


def test_a_message_may_have_the_heading_of_a_summary(read):
    block = "[ERROR] a.FooTest.t -- Time elapsed: 1 s <<< FAILURE!\njava.lang.Error: invalid\nErrors:\n  no name\n"
    (found,) = failures(read, f"{block}\tat a.FooTest.t(FooTest.java:3)\n\n[INFO] Results:\n")
    assert found.message.splitlines()[1:] == ["Errors:", "  no name"]


def test_the_exit_code_of_one_crash_is_not_that_of_the_next(read):
    crash = "[ERROR] {}Crashed tests:\n[ERROR] a.{}Test\n[INFO] \n"
    text = crash.format("Process Exit Code: 137\n[ERROR] ", "One") + crash.format("", "Two")
    assert ["137" in one.message for one in failures(read, text)] == [True, False]


RERUN = "[ERROR] org.example.{}.adds -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: no\n\n"
SUMMARY = "[INFO] Results:\n[INFO] \n[{}\n[INFO] \n[ERROR] Tests run: 3, Failures: {}, Errors: 0, Skipped: 0{}\n"


def test_the_blocks_of_flaky_tests_are_no_failures(read):
    """They stood for a failure that only the summary names, and the total was 0."""
    listed = "ERROR] Failures: \n[ERROR]   BTest.adds:3 no\n[WARNING] Flakes: \n[WARNING] org.example.ATest.adds\n"
    listed += "[ERROR]   Run 1: ATest.adds:3 no\n[INFO]   Run 2: PASS"
    (told,) = read(RERUN.format("ATest") + SUMMARY.format(listed, 1, ", Flakes: 1"))
    assert [(one.name, one.flaky) for one in told.failures] == [("org.example.ATest#adds", True), ("BTest#adds", False)]
    assert told.counted == 1


def test_two_modules_may_have_one_class(read):
    text = "[INFO] Reactor Build Order:\n"
    for module in ("core", "web"):
        text += f"[INFO] --- surefire:3.5.2:test (default-test) @ {module} ---\n" + RERUN.format("ATest")
        text += SUMMARY.format("ERROR] Failures: \n[ERROR]   ATest.adds:3 no", 1, "")
    (told,) = read(text)
    assert [(one.place, one.confidence) for one in told.failures] == [("core", "high"), ("web", "high")]
    assert told.counted == 2


GOAL = "[INFO] --- surefire:3.5.4:test (default-test) @ app ---\n"
BLOCK_OF = "[ERROR] org.example.ATest.{} -- Time elapsed: 1 s <<< FAILURE!\njava.lang.AssertionError: {}\n\n"


def test_a_block_without_a_level_is_output_of_a_test(read):
    """A test printed lines of another Surefire, whose own lines all have a level since 2.20."""
    printed = "org.example.OtherTest.fake  Time elapsed: 0.01 s  <<< FAILURE!\njava.lang.Error: x\n\n"
    printed += "Failed tests: \n  fake(org.example.OtherTest)\n\nTests run: 1, Failures: 1, Errors: 0, Skipped: 0\n\n"
    assert list(by_name(failures(read, GOAL + printed + BLOCK_OF.format("adds", "no")))) == ["org.example.ATest#adds"]


def test_an_entry_that_names_a_set_up_is_the_block_of_its_class(read):
    """Summaries name the method of the innermost frame, which is not that of the test."""
    entry = "[ERROR] Failures: \n[ERROR]   ATest.open:3 no"
    text = (
        GOAL
        + BLOCK_OF.format("adds", "no")
        + SUMMARY.format(entry.removeprefix("["), 1, "").replace("run: 3", "run: 1")
    )
    assert list(by_name(failures(read, text))) == ["org.example.ATest#adds"]


def test_a_block_that_no_complete_summary_names_is_output(read):
    old = "org.example.{}.{}  Time elapsed: 0.01 sec  <<< FAILURE!\njava.lang.Error: x\n\tat o.A.a(A.java:1)\n\n"
    total = "Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n"
    results = f"Results :\n\nFailed tests: \n  adds(org.example.ATest): x\n\n{total}"
    told = by_name(failures(read, old.format("OtherTest", "fake") + old.format("ATest", "adds") + results))
    assert {name: one.confidence for name, one in told.items()} == {"org.example.ATest#adds": "high"}


def test_a_summary_without_a_total_is_taken_although_a_test_printed_a_block(read):
    printed = "org.example.OtherTest.fake  Time elapsed: 0.01 s  <<< FAILURE!\njava.lang.Error: x\n\n"
    log = f"{printed}[INFO] \n[ERROR] Failures: \n[ERROR]   ATest.adds:12 no\n[INFO] ----\n[INFO] BUILD FAILURE\n"
    assert list(by_name(failures(read, log))) == ["ATest#adds"]


def test_titles_of_spock_are_read_in_old_summaries(read):
    log = (
        "Running org.example.CartTests\n"
        "Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 1 sec <<< FAILURE!\n"
        "\nResults :\n\nTests in error: \n  Adding one item, works(org.example.CartTests): no such thing\n"
        "\nTests run: 1, Failures: 0, Errors: 1, Skipped: 0\n"
    )
    assert [one.name for one in failures(read, log)] == ["org.example.CartTests#Adding one item, works"]


def test_classes_whose_set_up_failed_are_read_in_old_summaries(read):
    log = (
        "Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 1 sec <<< FAILURE!\n\nResults :\n\n"
        "Tests in error: \n  org.example.CartTest: Operation failed\n  java.lang.TestException: no\n"
        "\nTests run: 1, Failures: 0, Errors: 1, Skipped: 0\n"
    )
    assert [one.name for one in failures(read, log)] == ["org.example.CartTest"]


def test_summaries_of_repeated_runs_name_each_case(read):
    head = (
        "Tests run: 3, Failures: 3, Errors: 0, Skipped: 0, Time elapsed: 1 s <<< FAILURE! -- in org.example.CartTest\n"
    )
    names = ["adds()[1]", "adds()[2]", "has a title"]
    blocks = [
        f"[ERROR] org.example.CartTest.{name} -- Time elapsed: 0 s <<< FAILURE!\njava.lang.X: no\n\n" for name in names
    ]
    runs = [f"[ERROR] org.example.CartTest.{name}\n[ERROR]   Run 1: CartTest.x:3 no\n" for name in names]
    runs[0], runs[1] = runs[0] + "[ERROR]   Run 2: CartTest.x:3 no\n", runs[1] + "[INFO]   Run 2: PASS\n"
    summary = f"[INFO] Results:\n[INFO] \n[ERROR] Failures: \n{runs[0]}{runs[2]}[WARNING] Flakes: \n{runs[1]}"
    log = (
        f"[ERROR] {head}{''.join(blocks)}{summary}[ERROR] Tests run: 3, Failures: 2, Errors: 0, Skipped: 0, Flakes: 1\n"
    )
    assert [(one.name.partition("#")[2], one.attempts, one.flaky) for one in failures(read, log)] == [
        ("adds()[1]", 2, False), ("adds()[2]", 2, True), ("has a title", 1, False)
    ]  # fmt: skip
