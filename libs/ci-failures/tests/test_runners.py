"""What is particular to Jasmine, Karma, Bun, Deno, Cucumber, behave, Robot Framework and runners like stestr."""

import pytest

CHROME, FIREFOX = "Chrome Headless 120.0.6099.109 (Linux x86_64)", "Firefox 121.0 (Ubuntu 0.0.0)"


def parse(read, log):
    """Return the only tool that a log tells of."""
    (tale,) = read(log)
    return tale


def test_a_test_that_fails_in_two_browsers_is_one(read):
    blocks = "".join(f"{browser} Cart adds FAILED\n\tExpected 1 to be 2.\n" for browser in (CHROME, FIREFOX))
    totals = "".join(f"{browser}: Executed 2 of 2 (1 FAILED) (0.1 secs / 0 secs)\n" for browser in (CHROME, FIREFOX))
    tale = parse(read, blocks + totals)
    assert ([one.name for one in tale.failures], tale.counted) == (["Cart adds"], 1)


def test_an_error_in_a_browser_is_named_by_its_words(read):
    """It belongs to no test, and Karma does not count it: as Karma 6.4 printed it."""
    log = (
        f"{CHROME} ERROR\n  An error was thrown in afterAll\n  Error: set-up broke\n"
        f"      at UserContext.<anonymous> (test/cart.spec.js:14:27)\n"
        f"{CHROME}: Executed 7 of 9 SUCCESS (0.7 secs / 0.1 secs)\n"
    )
    (one,) = parse(read, log).failures
    assert (one.name, one.line) == ("An error was thrown in afterAll Error: set-up broke", 14)


@pytest.mark.parametrize(
    "path",
    [
        "http://localhost:9876/_karma_webpack_/webpack:/src/app/cart.spec.ts",
        "webpack:///src/app/cart.spec.ts",
        "http://localhost:9876/base/src/app/cart.spec.ts",
        "src/app/cart.spec.ts",
    ],
)
def test_frames_of_karma_are_paths_of_the_repository(read, path):
    log = f"{CHROME} Cart adds FAILED\n\tError: no\n\t    at UserContext.apply ({path}:7:3)\n"
    (one,) = parse(read, f"{log}{CHROME}: Executed 1 of 1 (1 FAILED) (0.1 secs / 0 secs)\n").failures
    assert (one.file, one.line) == ("src/app/cart.spec.ts", 7)


def test_lines_that_only_end_like_a_failure_of_karma_are_none(read):
    assert not read("Build 12 (release) FAILED\n\tno\nAngular CLI 17 (x) step FAILED\n")


def test_a_numbered_list_without_messages_is_not_jasmines(read):
    assert not read("Failures:\n1) one\n2) two\n")


def test_a_file_that_bun_cannot_read_is_a_failure(read):
    log = (
        "bun test v1.2.0\n\nsub/b.test.ts:\n\n# Unhandled error between tests\n-------------------------------\n"
        'error: Cannot find module "./missing" from "/home/runner/work/app/app/sub/b.test.ts"\n'
        "-------------------------------\n\n 0 pass\n 1 fail\n 1 error\n"
    )
    (one,) = parse(read, log).failures
    assert (one.kind, one.name) == ("compile", "sub/b.test.ts")


def test_a_file_that_deno_cannot_run_is_a_failure(read):
    log = (
        " ERRORS \n\n./b_test.ts (uncaught error)\nerror: (in promise) Error: boom\n"
        "    at file:///home/runner/work/app/app/b_test.ts:1:7\n\n FAILURES \n\n./b_test.ts (uncaught error)\n\n"
        "FAILED | 0 passed | 1 failed (1s)\n"
    )
    (one,) = parse(read, log).failures
    assert (one.kind, one.name, one.file, one.line) == ("compile", "b_test.ts", "b_test.ts", 1)


def test_the_list_of_cucumber_for_ruby_is_read(read):
    """As its formatter `pretty` prints it: https://github.com/cucumber/cucumber-ruby."""
    log = (
        "Failing Scenarios:\ncucumber features/cart.feature:5 # Scenario: Adding\n"
        "cucumber -p ci features/cart.feature:9\n\n3 scenarios (1 failed, 2 passed)\n"
    )
    tale = parse(read, log)
    assert [one.name for one in tale.failures] == ["features/cart.feature:5 Adding"]


def test_warnings_of_cucumber_are_no_failures(read):
    log = "Warnings:\n\n1) Scenario: Later # features/cart.feature:5\n   ? Given x\n\n1 scenario (1 pending)\n"
    assert not any(tale.failures for tale in read(log))


def test_a_name_that_robots_console_cuts_is_less_certain(read):
    rule, name = "=" * 78, "Deep Bad Name That Is Rather Long So That The Console Has To Cut I..."
    log = f"{rule}\nShop.Cart\n{rule}\n{name} | FAIL |\ndeep\n{rule}\nShop.Cart | FAIL |\n1 test, 0 passed, 1 failed\n"
    tale = parse(read, f"{log}{rule}\n")
    (one,) = tale.failures
    assert (one.name, one.message, one.confidence) == (f"Shop.Cart.{name}", "deep", "medium")
    assert tale.parser.rerun([one]) == f"robot --test '*.Cart.{name.removesuffix('...')}*' ."


def test_a_class_whose_set_up_fails_is_told_by_stestr(read):
    log = (
        "{0} setUpClass (pkg.test_a.B) [0.000000s] ... FAILED\n\nCaptured traceback:\n~~~~~~~~~~~~~~~~~~~\n"
        '    Traceback (most recent call last):\n\n      File "/home/runner/work/app/app/pkg/test_a.py", line 14\n'
        '    raise RuntimeError("no")\n\n    RuntimeError: no\n\n\n - Failed: 1\n'
    )
    (one,) = parse(read, log).failures
    assert (one.name, one.selector, one.line) == ("pkg.test_a.B.setUpClass", "pkg.test_a.B", 14)


def test_a_title_that_a_test_prints_is_no_failure(read):
    total = "  Ran 3 tests with 0 failures, 0 errors and 0 skipped in 0.1 seconds.\n"
    told = read(f"Failure in test test_x (tests.test_x.X)\nfine\n\n{total}")
    assert not any(tale.failures for tale in told)


TRIAL = (
    "===============================================================================\n[{}]\n{}\nshop.tests.T.test_{}\n"
)


def test_errors_of_trial_without_frames_are_read(read):
    begun = "Traceback (most recent call last):\n"
    fail = f'{begun}  File "shop/tests.py", line 6, in test_a\n    self.fail()\nFailTest: no\n'
    later = f"{begun}Failure: builtins.ValueError: later\n"
    log = TRIAL.format("FAIL", fail, "a") + TRIAL.format("ERROR", later, "b")
    log += TRIAL.format("SUCCESS!?!", "Reason: 'x'\n", "c") + "-" * 79
    log += "\nRan 4 tests in 0.2s\n\nFAILED (failures=1, errors=1, unexpectedSuccesses=1, successes=1)\n"
    tale = parse(read, log)
    assert ([one.name[-1] for one in tale.failures], tale.counted) == (["a", "b", "c"], 3)
    assert tale.failures[1].message == "ValueError: later"


def test_an_error_at_the_end_of_python_is_no_test_of_green(read):
    begun = "Error in atexit._run_exitfuncs:\nTraceback (most recent call last):\n"
    assert not read(f"{begun}AttributeError: no\n\nRan 1 test in 0.1s\n\nOK\n")
