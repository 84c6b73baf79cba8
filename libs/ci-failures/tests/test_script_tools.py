"""test-unit, Pest, Mix, bats, and the linters of Ruby, PHP and the shell: what is particular to them.

Pest's, PHPStan's and Psalm's lines are made from their published sources; the others are printed by our own samples.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import ci_failures

HERE = Path(__file__).parent
PEST = """
   FAIL  Tests\\Feature\\CartTest
  \N{VECTOR OR CROSS PRODUCT} index without page is bounded to twenty-five rows                     0.38s
  \N{VECTOR OR CROSS PRODUCT} it adds with ('a', 'b')                                               0.01s
  ✓ it is fine                                                                0.01s
  ────────────────────────────────────────────────────────────────────────────
   FAILED  Tests\\Feature\\CartTest > index without page is bou…  QueryException
  SQLSTATE[HY000]: General error: 1 no such table: carts

  at vendor/laravel/framework/src/Illuminate/Database/Connection.php:825
    821▕             $bindings
  ➜ 825▕             throw new QueryException(

      +18 vendor frames
  19  tests/Feature/CartTest.php:79

  Tests:    1 deprecated, 1 failed, 1 passed (2 assertions)
"""
UP_FRONT = """Time: 00:00.010, Memory: 6.00 MB

These before-first-test methods errored:

1) App\\Tests\\CartTest::setUpBeforeClass
Exception: no database

/home/runner/work/app/app/tests/CartTest.php:9

ERRORS!
Tests: 1, Assertions: 0, Errors: 1.
"""
RETRIED = """Time: 00:00.010, Memory: 6.00 MB

There was 1 failure:

1) /home/runner/work/app/app/tests/cart.phpt (attempt 3 of 3)
Failed asserting that two strings are equal.

/home/runner/work/app/app/tests/cart.phpt:7

FAILURES!
Tests: 1, Assertions: 1, Failures: 1.
"""
WARNED = """Compiling 1 file (.ex)
warning: variable "x" is unused
  lib/cart.ex:2: Cart.a/1

    warning: variable "y" is unused
    │
  4 │     y = 2
    │     ~
    │
    └─ lib/cart.ex:4:5: Cart.b/0

"""
FATAL = "Compilation failed due to warnings while using the --warnings-as-errors option\n"
UNFORMATTED = """** (Mix) mix format failed due to --check-formatted.
The following files are not formatted:

  * lib/cart.ex
  * test/cart_test.exs

"""
STAN = """ ------ -----------------------------------------------------
  Line   src/Cart.php
 ------ -----------------------------------------------------
  12     Call to an undefined method App\\Cart::no() in a long
         message.
         \N{IDENTIFICATION CARD}  method.notFound
  20     Old versions tell no identifier.
 ------ -----------------------------------------------------

 [ERROR] Found 2 errors
"""
PSALM = "ERROR: UndefinedMethod - src/Cart.php:12:5 - Method App\\Cart::no does not exist (see https://psalm.dev/022)\n"
CARTS = "Finished in 1 second (files took 1 seconds to load)\n2 examples, 2 failures\n\nFailed examples:\n\n"
CARTS += "rspec ./a_spec.rb:7 # A loop 0\nrspec ./a_spec.rb:7 # A loop 1\n"
BATS = """1..4
not ok 1 times out # timeout after 1s
# (in test file test/a.bats, line 13)
#   `@test "times out" { sleep 5; }' failed due to timeout
# Terminated
not ok 1 decoy
# (in test file t.bats, line 3)
ok 2 prints a decoy
not ok 3 setup_file failed
# (from function `setup_file' in test file test/sub/b.bats, line 1)
#   `setup_file() { false; }' failed
# bats warning: Executed 3 instead of expected 4 tests
"""
TOLD = {
    "bats": (
        BATS,
        [
            ("test/a.bats > times out", "test/a.bats", 13),
            ("test/sub/b.bats > setup_file failed", "test/sub/b.bats", 1),
        ],
    ),
    "phpunit before a class": (UP_FRONT, [("App\\Tests\\CartTest::setUpBeforeClass", "tests/CartTest.php", 9)]),
    "phpunit retried": (RETRIED, [("tests/cart.phpt", "tests/cart.phpt", 7)]),
    "elixir's warnings": (
        WARNED + FATAL,
        [("Warning lib/cart.ex:2", "lib/cart.ex", 2), ("Warning lib/cart.ex:4", "lib/cart.ex", 4)],
    ),
    "elixir's output that only looks like warnings": (WARNED, []),
    "mix format": (
        UNFORMATTED,
        [("format lib/cart.ex", "lib/cart.ex", None), ("format test/cart_test.exs", "test/cart_test.exs", None)],
    ),
    "phpstan": (
        STAN,
        [
            ("method.notFound src/Cart.php:12", "src/Cart.php", 12),
            ("Old versions tell no identifier. src/Cart.php:20", "src/Cart.php", 20),
        ],
    ),
    "psalm": (PSALM, [("UndefinedMethod src/Cart.php:12:5", "src/Cart.php", 12)]),
    "rspec in parallel": (CARTS, [("./a_spec.rb:7", "a_spec.rb", 7), ("./a_spec.rb:7 # A loop 1", "a_spec.rb", 7)]),
}


def parse(read, text):
    return [one for told in read(text) for one in told.failures]


def again(read, raw):
    return [told.parser.rerun(told.failures) for told in read(raw)]


@pytest.mark.parametrize("form", TOLD)
def test_what_failed_is_told(form, read):
    text, expected = TOLD[form]
    assert [(one.name, one.file, one.line) for one in parse(read, text)] == expected


def test_a_title_of_pest_that_is_cut_is_whole_in_the_tree(read):
    (one,) = parse(read, PEST)
    assert one.name == "Tests\\Feature\\CartTest > index without page is bounded to twenty-five rows"
    assert (one.file, one.line, one.confidence) == ("tests/Feature/CartTest.php", 79, "high")
    assert one.message == "SQLSTATE[HY000]: General error: 1 no such table: carts"


def test_a_title_of_pest_may_be_made_of_a_method(read):
    (command,) = again(read, PEST)
    assert command.startswith("vendor/bin/pest --filter 'index[ _]?without[ _]?page")


@pytest.mark.skipif(not shutil.which("ruby"), reason="needs Ruby with test-unit")
def test_the_command_of_test_unit_runs_exactly_what_failed(read):
    raw = (HERE / "logs/test-unit/plain.log").read_bytes()
    (command,) = again(read, raw)
    folder = HERE / "samples/test-unit"
    env = os.environ | {"LC_ALL": "C.UTF-8"}
    said = subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, timeout=120).stdout
    if b"test/unit (LoadError)" in said or not said:
        pytest.skip("needs Ruby's test-unit")
    assert {one.name for one in parse(read, said)} == {one.name for one in parse(read, raw)}
    assert b"\n10 tests, " in said or b"\n9 tests, " in said


@pytest.mark.parametrize(("tool", "words"), [("rubocop", "rubocop --cache false"), ("shellcheck", "shellcheck")])
def test_the_command_of_a_linter_finds_the_same(tool, words, read):
    if not shutil.which(tool):
        pytest.skip(f"needs {tool}")
    raw = next((HERE / "logs" / tool).glob("*.log")).read_bytes()
    (command,) = again(read, raw)
    command = command.removeprefix("bundle exec ").replace(tool, words, 1)
    folder = HERE / "samples/scripting_lint"
    said = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, timeout=120).stdout
    assert {one.name for one in parse(read, said)} == {one.name for one in parse(read, raw)}


BEFORE_5 = """Run options: --seed 13016

# Running tests:

.FE

Finished tests in 48.599332s, 1.9548 tests/s, 5.2676 assertions/s.

  1) Failure:
test_adds(Shop::TillTest) [test/till_test.rb:23]:
Expected 3, not 2.

  2) Error:
test_opens(Shop::TillTest):
Errno::ENOENT: No such file or directory - box
    test/till_test.rb:11:in `test_opens'

3 tests, 5 assertions, 1 failures, 1 errors, 0 skips
"""


def test_names_of_minitest_before_5_are_read(read):
    found = [one for told in read(BEFORE_5) for one in told.failures]
    assert [(one.tool, one.name, one.file, one.line, one.confidence) for one in found] == [
        ("minitest", "Shop::TillTest#test_adds", "test/till_test.rb", 23, "high"),
        ("minitest", "Shop::TillTest#test_opens", "test/till_test.rb", 11, "high"),
    ]


def test_offenses_without_cops_are_read_of_files_of_ruby_only():
    """Credo prints the same form with `--format flycheck`."""
    log = (
        "app/cart.rb:4:7: C: Use snake_case for method names.\n"
        "app/cart.rb:5:7: C: [Corrected] Redundant `return` detected.\n"
        "lib/cart.ex:1:11: R: Modules should have a @moduledoc tag.\n"
        "Gemfile:1:1: C: Missing magic comment.\n"
        "== app/till.rb ==\nC:  6: 11: [Corrected] Unnecessary spacing detected.\nW:  7:  1: Useless assignment.\n"
    )
    assert [one.name for one in ci_failures.parse(log.encode()).failures] == [
        "Use snake_case for method names. app/cart.rb:4:7",
        "Missing magic comment. Gemfile:1:1",
        "Useless assignment. app/till.rb:7:1",
    ]
