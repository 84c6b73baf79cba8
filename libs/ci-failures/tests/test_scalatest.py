"""What is particular of sbt, ScalaTest, munit and scalac; the kept logs are read by test_logs.py."""

from ci_failures.parsers.jvm import specs2
from ci_failures.parsers.jvm.munit import JUnitUnderSbt, Munit
from ci_failures.parsers.jvm.scalac import Scalac
from ci_failures.parsers.jvm.scalatest import ScalaTest
from ci_failures.parsers.jvm.specs2 import Specs2
from ci_failures.parsers.jvm.zio import ZioTest

OUTLINE = """[info] StackSpec:
[info] A Stack
[info] - is outside *** FAILED ***
[info]   "a" did not equal "b" (StackSpec.scala:62)
[info]   when it is empty
[info]   - has the size 0 *** FAILED *** (12 milliseconds)
[info]     1 did not equal 0 (StackSpec.scala:57)
[info] - passes
"""
LISTED = "[error] Failed tests:\n[error] \torg.example.StackSpec\n[error] (Test / test) sbt.TestsFailedException\n"


def failures(read, text, parser=ScalaTest):
    return [one for tale in read(text) if tale.parser is parser for one in tale.failures]


def test_scopes_are_part_of_names(read):
    names = [one.name for one in failures(read, OUTLINE)]
    assert names == ["StackSpec.A Stack is outside", "StackSpec.A Stack when it is empty has the size 0"]


def test_messages_and_places_are_their_own(read):
    found = failures(read, OUTLINE)[1]
    assert (found.message, found.file, found.line) == ("1 did not equal 0", "StackSpec.scala", 57)


def test_sbt_tells_the_package_at_the_end(read):
    assert failures(read, OUTLINE + LISTED)[0].name == "org.example.StackSpec.A Stack is outside"


def test_what_a_test_prints_under_sbt_is_none(read):
    assert failures(read, f"[info] StackSpec:\n- is printed *** FAILED ***\n{LISTED}") == []


def test_a_scope_far_above_is_known(read):
    passing = "".join(f"[info] - passes {number}\n" for number in range(200))
    (found,) = failures(
        read, f"[info] ASpec:\n[info] A Stack\n{passing}[info] - should pop *** FAILED ***\n[info]   no\n"
    )
    assert found.name == "ASpec.A Stack should pop"


def test_a_suite_that_was_aborted_is_named_itself(read):
    text = "[info] org.example.ASpec *** ABORTED ***\n[info]   java.lang.Error: no\n[info]   at org.A.b(A.scala:1)\n"
    assert [(one.name, one.message) for one in failures(read, text)] == [("org.example.ASpec", "java.lang.Error: no")]


def test_failures_are_run_again_by_one_call_of_sbt(read):
    command = ScalaTest.rerun(failures(read, OUTLINE + LISTED))
    whole = '-t "A Stack is outside" -t "A Stack when it is empty has the size 0"'
    assert command == f"sbt 'testOnly org.example.StackSpec -- {whole}'"


def test_what_a_test_prints_like_munit_is_none(read):
    text = "==> X org.example.Decoy.is printed  0.01s no\n==> X org.example.StackSpec.fails  0.01s no\n"
    assert [one.name for one in failures(read, text + LISTED, Munit)] == ["org.example.StackSpec.fails"]


def test_junit_under_sbt(read):
    text = "[error] Test org.example.ATest.adds failed: java.lang.AssertionError: no, took 0.001 sec\n"
    text += "[error]     at org.example.ATest.adds(ATest.java:10)\n[error]     ...\n"
    (found,) = failures(read, text, JUnitUnderSbt)
    assert (found.name, found.message, found.line) == ("org.example.ATest.adds", "java.lang.AssertionError: no", 10)


def test_errors_of_scala_2(read):
    (found,) = failures(read, "[error] /home/runner/work/a/a/src/A.scala:10:18: not found: value x\n", Scalac)
    assert (found.name, found.message) == ("src/A.scala:10:18", "not found: value x")


def test_errors_of_scala_3(read):
    text = "[error] -- [E006] Not Found Error: /home/runner/work/a/a/src/A.scala:3:4 ---------\n[error] 3 |    x\n"
    assert [one.name for one in failures(read, text, Scalac)] == ["src/A.scala:3:4"]


def test_a_trace_is_no_error_of_the_compiler(read):
    assert failures(read, "[error]     at org.example.A.b(A.scala:3)\n[error] A failed (A.scala:3)\n", Scalac) == []


def test_munit_is_run_again_by_names(read):
    text = '==> X org.example.ASuite.it\'s (so) - yes  0.01s no\n==> X org.example.ASuite."b"  0.01s no\n'
    command = Munit.rerun(failures(read, text, Munit)[:1])
    assert command == """sbt 'testOnly org.example.ASuite -- "org.example.ASuite.it'"'"'s (so) - yes"'"""
    assert Munit.rerun(failures(read, text, Munit)[1:]) == "sbt 'testOnly org.example.ASuite -- org.example.ASuite.*'"


def test_specs2_names_examples_by_their_scopes(read):
    text = "[info] ASpec\n[info] A stack should\n[error]   x have a size\n[error]    1 != 2 (ASpec.scala:8)\n"
    (found,) = failures(read, f"{text}[info] Total for specification ASpec\n", Specs2)
    assert (found.name, found.message, found.line) == ("ASpec.A stack should::have a size", "1 != 2", 8)


def test_what_tests_print_is_no_scope(read):
    begin = "Run starting. Expected test count is: 2\nASpec:\nA Stack\n12:00 INFO started\nprinted\n"
    (found,) = failures(read, f"{begin}- should pop *** FAILED ***\n  no (ASpec.scala:3)\n")
    assert found.name == "ASpec.A Stack should pop"


def test_a_scenario_is_a_test(read):
    text = "[info] ASpec:\n[info] Feature: Checkout\n[info]   Scenario: with a card *** FAILED ***\n"
    (found,) = failures(read, f"{text}[info]   not paid (ASpec.scala:38)\n[info]     Given a card\n")
    assert (found.name, found.line) == ("ASpec.Feature: Checkout Scenario: with a card", 38)


def test_a_name_of_two_lines_is_one_name(read):
    text = "[info] ASuite:\n[info] - one\n[info] two *** FAILED ***\n[info]   no (ASuite.scala:3)\n"
    text += "[info] - three *** FAILED ***\n[info]   no (ASuite.scala:4)\n"
    assert [one.name for one in failures(read, text)] == ["ASuite.one two", "ASuite.three"]


def test_suites_that_were_aborted_are_run_again_by_a_call_of_their_own(read):
    aborted = "[info] org.example.ASpec *** ABORTED ***\n[info]   java.lang.Error: no\n[info]   at org.A.b(A.scala:1)\n"
    command = ScalaTest.rerun(failures(read, aborted + OUTLINE + LISTED))
    assert command.startswith("sbt 'testOnly org.example.StackSpec -- -t ")
    assert command.endswith("; sbt 'testOnly org.example.ASpec'")


def test_why_an_example_is_skipped_is_no_scope(read):
    text = (
        "[info] A cart should\n[info]   o be skipped\n[info] not now\n[error]   x sum\n[error]    3 != 4 (A.scala:9)\n"
    )
    (found,) = failures(read, f"{text}[info] Total for specification ASpec\n", Specs2)
    assert (found.name, found.message, found.line) == ("ASpec.A cart should::sum", "3 != 4", 9)


def test_munit_tells_the_assertion_without_its_source(read):
    text = (
        "==> X org.example.A.adds  0.01s munit.FailException: /home/runner/work/a/a/src/A.scala:4\n3:class A\n4:  no\n"
    )
    (found,) = failures(read, f"{text}values are not the same\n\n    at org.example.A.x(A.scala:4)\n", Munit)
    assert (found.message, found.file) == ("munit.FailException:\nvalues are not the same", "src/A.scala")


ZIO = """1 tests passed. 2 tests failed. 0 tests ignored.


  - EffectSpec / sums up
    ✗ 3 was not equal to 4
    at /home/runner/work/app/app/src/EffectSpec.scala:6

    - EffectSpec - in a suite - fails
      Exception in thread "zio-fiber-1" java.lang.RuntimeException: refused
      \tat org.example.EffectSpec.spec(EffectSpec.scala:8)
Executed in 3 s 685 ms
"""


def test_zio_names_tests_with_their_suites(read):
    found = [(one.name, one.message, one.file, one.line) for one in failures(read, ZIO, ZioTest)]
    assert found == [
        ("EffectSpec / sums up", "✗ 3 was not equal to 4", "src/EffectSpec.scala", 6),
        ("EffectSpec / in a suite / fails", "java.lang.RuntimeException: refused", "EffectSpec.scala", 8),
    ]


def test_zio_is_run_again_in_the_classes_that_sbt_lists(read):
    command = ZioTest.rerun(failures(read, f"{ZIO}[error] Failed tests:\n[error] \torg.example.EffectSpec\n", ZioTest))
    assert command == 'sbt \'testOnly org.example.EffectSpec -- -t "sums up" -t "fails"\''


def test_a_line_of_a_message_that_looks_like_an_example_of_specs2_is_none(read):
    """An example that stands deeper follows the title of its group."""
    text = "[info] A stack should\n[error]   x push\n[error]    * got 1\n[error]    x = 3 expected (A.scala:9)\n"
    (found,) = failures(read, f"{text}[info] Total for specification ASpec\n", Specs2)
    assert (found.name, found.message) == ("ASpec.A stack should::push", "* got 1\nx = 3 expected")


def test_a_group_behind_a_pending_example_of_specs2_is_a_scope(read):
    text = "[info] A cart should\n[info]   * sum later PENDING\n[info]   when full\n[error]     x pop\n[error]      no"
    (found,) = failures(read, f"{text}\n[info] Total for specification ASpec\n", Specs2)
    assert found.name == "ASpec.A cart should::when full::pop"


def test_specs2_before_version_3_does_not_indent_its_first_level(read):
    text = (
        "[info] Stack should\n[info] x be empty\n[error]    '1' is not equal to '0' (StackSpec.scala:7)\n[info] + pop\n"
    )
    (found,) = failures(read, f"{text}[info] Total for specification StackSpec\n", Specs2)
    assert (found.name, found.line) == ("StackSpec.Stack should::be empty", 7)


def test_a_text_that_begins_like_a_failure_of_specs2_is_none(read):
    text = "[info] x coordinates should\n[info] + be numbers\n[info] Total for specification PointSpec\n"
    assert failures(read, text, Specs2) == []


def test_lines_of_what_specs2_has_beyond_the_bound_belong_to_no_message(read, monkeypatch):
    monkeypatch.setattr(specs2, "MOST_FAILURES", 1)
    text = "[info] ASpec\n[error]   x one\n[error]    no (ASpec.scala:3)\n"
    text += "[error]   x two\n[error]    nor (ASpec.scala:4)\n"
    (found,) = failures(read, f"{text}[info] Total for specification ASpec\n", Specs2)
    assert (found.name, found.message) == ("ASpec.one", "no")
