"""RSpec, minitest, PHPUnit and ExUnit: what is particular; that their logs are read whole is shown in test_logs.py."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import Line
from ci_failures.parsers.scripting import PARSERS
from ci_failures.parsers.scripting.testthat import TestThat

HERE = Path(__file__).parent
TOOLS = ("rspec", "minitest", "phpunit", "exunit")
LOGS = HERE / "logs"
CASES = sorted(f"{tool}/{path.stem}" for tool in TOOLS for path in (LOGS / tool).glob("*.log"))
LITERALS = Literals(PARSERS)
NOISE = (
    "Failures:", "  1) Account adds", "     Failure/Error: raise", "Failed examples:", "rspec ./a_spec.rb:1 # x",
    "Finished in 1 seconds (files took 1 seconds to load)", "2 examples, 1 failure", "  1) Failure:",
    "A#test_x [t.rb:1]:", "Failure:", "rails test t.rb:1", "Finished in 0.1s, 1.0 runs/s, 1.0 assertions/s.",
    "1 runs, 1 assertions, 1 failures, 0 errors, 0 skips", "Time: 00:00.031, Memory: 6.00 MB", "There was 1 failure:",
    "1) A::testX", "--", "  1) test x (A)", "     a_test.exs:1", "     stacktrace:", "1 test, 1 failure",
    "== Compilation error in file a.ex ==", "** (CompileError) a.ex:1: x",
)  # fmt: skip


def log(case):
    return (LOGS / f"{case}.log").read_text(encoding="utf-8")


def parse(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return [one for told in reader.finish() for one in told.failures]


def names(text):
    return {one.name for one in parse(text)}


def one(case, name):
    return next(failure for failure in parse(log(case)) if failure.name == name)


def parser(tool):
    return next(one for one in PARSERS if one.tool == tool)


def ran(folder, command, **env):
    env = os.environ | {"LC_ALL": "C.UTF-8"} | env
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, timeout=120)
    return done.stdout.decode()


def test_an_example_of_rspec_has_the_assertion_as_its_message():
    failure = one("rspec/progress", "./spec/account_spec.rb:4")
    assert failure.message == (
        "expect(account.balance).to eq(3)\n\n  expected: 3\n       got: 2\n\n  (compared using ==)"
    )


def test_an_example_of_rspec_with_several_failures_tells_all():
    message = one("rspec/progress", "./spec/account_spec.rb:41").message
    assert "expected: 2" in message
    assert 'expected: "b"' in message


def test_without_its_list_an_example_of_rspec_has_its_description():
    text = log("rspec/progress").partition("Finished in")[0]
    failures = parse(text)
    assert "Account adds" in {failure.name for failure in failures}
    assert {failure.confidence for failure in failures} == {"medium"}


def test_pending_examples_of_rspec_are_no_failures():
    assert not [name for name in names(log("rspec/progress")) if name.endswith((":50", ":47", ":58"))]


def test_what_runs_in_parallel_is_counted_once():
    text = "Finished in 1 second (files took 1 seconds to load)\n2 examples, 1 failure\n\nFailed examples:\n\n"
    text += "rspec ./a_spec.rb:1 # A b\n\n\n4 examples, 2 failures\n"
    assert [one.confidence for one in parse(text)] == ["high"]


def test_minitest_knows_blocks_of_rails_from_what_tests_print():
    assert "QuotedTest#test_never" in log("minitest/rails")
    assert "QuotedTest#test_never" not in names(log("minitest/rails"))


def test_a_block_of_rails_is_run_again_by_its_line():
    failure = one("minitest/rails", "UserTest#test_raises")
    assert parser("minitest").rerun([failure]) == "bin/rails test rails/rails_test.rb:11"


def test_phpunit_has_data_sets_in_its_names():
    failure = one("phpunit/plain", "App\\Tests\\AccountTest::testAmounts@named set")
    assert failure.message == "Failed asserting that 0 is greater than 1."


def test_risky_tests_of_phpunit_are_no_failures():
    assert "App\\Tests\\AccountTest::testIsRisky" in log("phpunit/plain")
    assert "App\\Tests\\AccountTest::testIsRisky" not in names(log("phpunit/plain"))


@pytest.mark.parametrize("header", ["There was 1 PHPUnit test runner warning:", "There were 2 PHPUnit deprecations:"])
def test_other_lists_of_phpunit_tell_no_failures(header):
    text = f"Time: 00:00.031, Memory: 6.00 MB\n\n{header}\n\n1) A\\BTest::testC\nold\n\n/home/x/BTest.php:7\n"
    assert not names(text)


def test_an_attempt_is_no_part_of_a_name():
    text = "Time: 00:00.031, Memory: 6.00 MB\n\nThere was 1 failure:\n\n1) A\\BTest::testC (attempt 3 of 3)\nno\n\n"
    assert names(f"{text}/home/x/BTest.php:7\n") == {"A\\BTest::testC"}


def test_exunit_has_the_place_of_the_test():
    failure = one("exunit/plain", 'AccountTest "test compares"')
    assert (failure.file, failure.line) == ("test/account_test.exs", 9)
    assert failure.message.startswith("Assertion with == failed\ncode:  assert Account.add(1, 1) == 3")


def test_a_module_that_cannot_be_set_up_is_one_failure():
    failure = one("exunit/plain", 'Deep.SetupAllTest "setup_all"')
    assert (failure.file, failure.line) == ("test/setup_all_test.exs", 5)


def test_an_application_of_an_umbrella_is_the_place():
    failure = one("exunit/umbrella", 'FirstTest "test has another name"')
    command = parser("exunit").rerun([failure])
    assert command == "(cd apps/first && mix test test/first_test.exs --only 'test:test has another name')"


def test_specs_of_crystal_are_not_those_of_rspec():
    text = "Failures:\n\n  1) A b\n     Failure/Error: 1.should eq 2\n\n       Expected: 2\n     # spec/a_spec.cr:3\n\n"
    assert not names(f"{text}Failed examples:\n\ncrystal spec spec/a_spec.cr:2 # A b\n")


def test_exunit_says_how_long_it_loaded():
    text = "  1) test x (A)\n     test/a_test.exs:1\n     no\n\n"
    text += "Finished in 1.8 seconds (1.6s on load, 0.6s async, 0.6s sync)\n"
    assert [one.confidence for one in parse(f"{text}48 doctests, 3 tests, 1 failure\n")] == ["high"]


def test_elixir_tells_every_error_above_the_file():
    text = (
        'error: undefined variable "x"\n    │\n  2 │   x\n    │   ^\n    │\n    └─ lib/a.ex:2:3: A.b/0\n\n'
        "== Compilation error in file lib/a.ex ==\n** (CompileError) lib/a.ex: cannot compile module A\n"
    )
    assert [(one.name, one.message) for one in parse(text)] == [("CompileError lib/a.ex:2", 'undefined variable "x"')]


@pytest.mark.skipif(not shutil.which("rspec"), reason="needs RSpec")
def test_the_command_of_rspec_runs_exactly_what_failed():
    failures = parse(log("rspec/failures-only"))
    said = ran(HERE / "samples/rspec/project", parser("rspec").rerun(failures) + " -I spec")
    assert names(said) == {failure.name for failure in failures}
    assert "2 examples, 2 failures" in said


@pytest.mark.skipif(not shutil.which("ruby"), reason="needs Ruby with Minitest")
@pytest.mark.parametrize("case", ["minitest/one-file", "minitest/plain"])
def test_the_command_of_minitest_runs_exactly_what_failed(case):
    failures = parse(log(case))
    said = ran(HERE / "samples/minitest/project", parser("minitest").rerun(failures), MT_NO_PLUGINS="1")
    assert names(said) == {failure.name for failure in failures}
    assert f"\n{len(failures)} runs, " in said


@pytest.mark.skipif(not shutil.which("phpunit"), reason="needs PHPUnit")
def test_the_command_of_phpunit_runs_exactly_what_failed():
    failures = [one for one in parse(log("phpunit/plain")) if "ProviderTest" not in one.name]
    words = parser("phpunit").rerun(failures).replace("vendor/bin/phpunit", "phpunit --bootstrap bootstrap.php")
    said = ran(HERE / "samples/phpunit/project", f"{words} --do-not-cache-result tests")
    again = {one.name for one in parse(said)}
    assert {failure.name for failure in failures} <= again
    assert f"Tests: {len(failures) + 1}," in said  # PHPUnit 9 cannot leave out a class without data


@pytest.mark.skipif(not shutil.which("mix"), reason="needs Elixir")
def test_the_command_of_exunit_runs_exactly_what_failed(tmp_path):
    shutil.copytree(HERE / "samples/exunit/plain", tmp_path / "plain")
    shutil.copy(HERE / "samples/exunit/truth.ex", tmp_path / "plain/lib")
    failures = [one for one in parse(log("exunit/plain")) if "left out" not in one.name]
    env = {"STITHY_TRUTH": str(tmp_path / "truth"), "MIX_ENV": "test", "HOME": str(tmp_path)}
    said = ran(tmp_path / "plain", parser("exunit").rerun(failures), **env)
    assert names(said) == {failure.name for failure in failures}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_command_is_quoted_for_a_shell(tool):
    failures = [one for case in CASES if case.startswith(tool) for one in parse(log(case)) if one.tool == tool]
    assert all(shlex.split(parser(tool).rerun([one])) for one in failures if one.selector)


@given(case=st.sampled_from(CASES), data=st.data())
def test_a_log_that_is_cut_tells_nothing_that_did_not_fail(case, data):
    text = log(case)
    end = data.draw(st.integers(0, len(text)))
    cut = {one.name for one in parse(text[:end]) if one.confidence == "high"}
    assert cut <= names(text)


@given(case=st.sampled_from(CASES), begin=st.integers(0, 20_000))
def test_a_log_without_its_beginning_does_no_harm(case, begin):
    assert parse(log(case)[begin:]) is not None


@given(st.lists(st.one_of(st.sampled_from(NOISE), st.text(max_size=40)), max_size=60))
def test_no_lines_make_a_parser_raise(lines):
    for each in PARSERS:
        made = each()
        for number, text in enumerate(lines, 1):
            made.read(Line(number, text))
        each.rerun(list(made.finish()) or parse(log("rspec/progress")))


@given(first=st.sampled_from(CASES), second=st.sampled_from(CASES), every=st.integers(2, 9))
def test_two_logs_between_each_other_raise_nothing(first, second, every):
    lines, others = log(first).splitlines(), iter(log(second).splitlines())
    mixed = [f"{line}\n{next(others, '')}" if number % every == 0 else line for number, line in enumerate(lines)]
    assert parse("\n".join(mixed)) is not None


def test_an_error_of_testthat_without_a_place_is_a_failure(read):
    """As testthat 3.1.6 printed it for `test_that("it throws", stop("boom"))`: no code is around the error."""
    rule = "─" * 40
    log = f"── Error (???): it throws {rule}\nError in `eval(code, test_env)`: boom\nsecond\n"
    (tale,) = read(f"{log}\n[ FAIL 1 | WARN 0 | SKIP 0 | PASS 3 ]\n")
    told = [(one.name, one.file, one.line, one.message) for one in tale.failures]
    assert told == [("it throws", "", None, "Error in `eval(code, test_env)`: boom\nsecond")]
    assert not TestThat.rerun(tale.failures)


def test_testthat_tells_if_an_expectation_was_not_read():
    block = "── Failure (test-sum.R:13:3): sums ────\n`x` not equal to 3.\n\n"
    assert not ci_failures.parse(f"{block}[ FAIL 1 | WARN 0 | SKIP 0 | PASS 3 ]\n".encode()).gaps
    assert ci_failures.parse(f"{block}[ FAIL 2 | WARN 0 | SKIP 0 | PASS 3 ]\n".encode()).gaps


def test_testthat_without_utf_8_draws_rules_of_ascii(read):
    """In the C locale, as `cli` draws them: https://cli.r-lib.org/reference/is_utf8_output.html."""
    log = (
        f"== Failed tests {'=' * 60}\n-- Failure (test-sum.R:13:3): sums ----\n`x` not equal to 3.\n1/1 mismatches\n"
        f"-- Error (test-sum.R:20:1): adds {'-' * 40}\nError: boom\n\n[ FAIL 2 | WARN 0 | SKIP 0 | PASS 3 ]\n"
    )
    (tale,) = read(log)
    assert [(one.name, one.line, one.message) for one in tale.failures] == [
        ("test-sum.R: sums", 13, "`x` not equal to 3.\n1/1 mismatches"),
        ("test-sum.R: adds", 20, "Error: boom"),
    ]
