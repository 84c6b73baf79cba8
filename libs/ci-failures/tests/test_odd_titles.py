# ruff: noqa: RUF001 -- the signs are those that the tools print
"""Titles with line breaks and quotation marks, as loops over texts make them, are read whole."""

import pytest

SIGN = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
BULLET, CROSS = "\N{BLACK CIRCLE}", "\N{HEAVY BALLOT X}"
RULE = "⎯"
VITEST = f"""{RULE * 7} Failed Tests 2 {RULE * 7}

 FAIL  src/a.test.ts > Cart > over
onto two lines
TypeError: boom
 ❯ src/a.test.ts:8:48
{RULE * 24}[1/2]{RULE}

 FAIL  src/a.test.ts > Cart > next
AssertionError: expected 1 to be 2
 ❯ src/a.test.ts:9:48
{RULE * 24}[2/2]{RULE}

 Test Files  1 failed (1)
      Tests  2 failed (2)
"""
JEST = f"""FAIL test/a.test.js
  {BULLET} Cart {SIGN} over
onto two lines

    TypeError: boom

      at Object.<anonymous> (test/a.test.js:5:45)

  {BULLET} Cart {SIGN} next

    boom

      at Object.<anonymous> (test/a.test.js:6:45)

Test Suites: 1 failed, 1 total
Tests:       2 failed, 2 total
"""
RSPEC = """Failures:

  1) Cart over
onto two lines
     Failure/Error: raise "boom"

     RuntimeError:
       boom
     # ./spec/cart_spec.rb:5:in `block'

  2) Cart next
     Failure/Error: raise "bang"

     RuntimeError:
       bang
     # ./spec/cart_spec.rb:7:in `block'

Finished in 0.1 seconds (files took 0.2 seconds to load)
2 examples, 2 failures

Failed examples:

rspec ./spec/cart_spec.rb:4 # Cart over
onto two lines
rspec ./spec/cart_spec.rb:6 # Cart next
"""
UVU = f"""math.js
 Sum "quoted" {CROSS} {CROSS}   (0 / 2)

   FAIL  Sum "quoted" "adds "wrong""
    boom
    at Object.handler (/home/runner/work/app/app/tests/math.js:4:32)


   FAIL  Sum "quoted" "over
onto two lines"
    boom
    at Object.handler (/home/runner/work/app/app/tests/math.js:5:32)


  Total:     2
  Passed:    0
  Skipped:   0
"""
TITLES = {
    VITEST: ["src/a.test.ts > Cart > over\nonto two lines", "src/a.test.ts > Cart > next"],
    JEST: [f"test/a.test.js {SIGN} Cart {SIGN} over\nonto two lines", f"test/a.test.js {SIGN} Cart {SIGN} next"],
    RSPEC: ["./spec/cart_spec.rb:4", "./spec/cart_spec.rb:6"],
    UVU: ['math.js > Sum "quoted" > adds "wrong"', 'math.js > Sum "quoted" > over\nonto two lines'],
}


@pytest.mark.parametrize("log", TITLES, ids=["vitest", "jest", "rspec", "uvu"])
def test_titles_are_whole(log, read):
    (told,) = read(log)
    assert ([one.name for one in told.failures], told.counted) == (TITLES[log], 2)


def test_rspec_keeps_the_messages_of_titles_with_line_breaks(read):
    (told,) = read(RSPEC)
    assert [one.message.rpartition("\n")[2].strip() for one in told.failures] == ["boom", "bang"]


def test_a_class_without_a_namespace_ends_the_one_before_in_testdox(read):
    log = """PHPUnit 9.6.7 by Sebastian Bergmann and contributors.

Error Test Case (PHPUnit\\Framework\\ErrorTestCase)
 ✘ Error
   │
   │ The data provider specified for BrokenTest::testX is invalid.
   │
   │ /home/runner/work/app/app/tests/BrokenTest.php:5
   │

Cart
 ✘ Total
   │
   │ 1 is not 2
   │
   │ /home/runner/work/app/app/tests/CartTest.php:6
   │
"""
    names = [one.name for told in read(log) for one in told.failures]
    assert names == ["BrokenTest::testX", "CartTest::Total"]


def test_teamcitys_messages_of_phpunit_have_its_names(read):
    root = "php_qn:///home/runner/work/app/app/tests/CartTest.php::\\CartTest"
    log = f"""PHPUnit 9.6.7 by Sebastian Bergmann and contributors.
##teamcity[testSuiteStarted name='CartTest' locationHint='{root}' flowId='1']
##teamcity[testStarted name='testRows with data set "two"' locationHint='{root}::testRows with data set "two"' flowId='1']
##teamcity[testFailed name='testRows with data set "two"' message='2 is not 1' details=' /home/runner/work/app/app/tests/CartTest.php:10|n ' flowId='1']
##teamcity[testStarted name='testRisky' locationHint='{root}::testRisky' flowId='1']
##teamcity[testFailed name='testRisky' message='This test did not perform any assertions' details=' ' flowId='1']

Tests: 2, Assertions: 1, Failures: 1, Risky: 1.
"""  # noqa: E501 -- as PHPUnit prints it
    failures = [one for told in read(log) for one in told.failures]
    assert [(one.tool, one.name, one.file, one.line) for one in failures] == [
        ("phpunit", "CartTest::testRows@two", "tests/CartTest.php", 10)
    ]
