"""What is particular to Jasmine, Karma, Bun, Deno, Cucumber, behave, Robot Framework and runners like stestr."""

import pytest

import ci_failures

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
    "log",
    [
        f"{CHROME}: Executed 0 of 0 SUCCESS (0.01 secs / 0 secs)\n",
        f"{CHROME}: Executed 3 of 9 DISCONNECTED (30 secs / 0.1 secs)\n",
        f"{CHROME}: Executed 3 of 9 (skipped 1) ERROR (0.2 secs / 0.1 secs)\n",
        "\nSTART:\n\nFinished in 0 secs / 0 secs @ 12:26:18 GMT+0000 (Coordinated Universal Time)\n\n",
        "\nSTART:\n\nFinished in 0.03 secs / 0 secs @ 12:31:15\n\nSUMMARY:\n✔ 0 tests completed\n",
    ],
)
def test_karma_does_not_pass_without_a_test_or_with_an_error(log):
    """Karma 6.4 exits with 1 if no test ran, and karma-mocha-reporter prints its end also where no browser started."""
    assert ci_failures.parse(f"$ karma start\n{log}".encode()).status == "unknown"


def test_a_tree_of_karma_counts_where_a_list_is_missing(read):
    """karma-spec-reporter prints no list if an error outside of the tests is reported."""
    log = (
        f"01 12 2026 12:27:33:INFO [{CHROME}]: Connected on socket pR_-Mo8f with id 37049245\n\n  Cart\n"
        "    when empty\n      ✗ throws (12ms)\n\tTypeError: no items\n\t    at Object.<anonymous> (cart.js:4:3)\n"
        f"\n    ✓ adds\n    ✗ takes\n\tExpected 1 to be 2.\n\n{CHROME} ERROR\n  An error was thrown in afterAll\n"
        f"  Error: broke\n\n{CHROME}: Executed 3 of 3 (2 FAILED) ERROR (0.1 secs / 0.1 secs)\n"
    )
    tale = parse(read, log)
    names = ["An error was thrown in afterAll Error: broke", "Cart when empty throws", "Cart takes"]
    assert ([one.name for one in tale.failures], tale.counted) == (names, 3)


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


def test_titles_of_trial_count_where_its_total_is_missing(read):
    log = TRIAL.format("ERROR", "Failure: builtins.ValueError: later\n", "b") + "=" * 79 + "\n"
    assert [one.name for one in parse(read, log).failures] == ["shop.tests.T.test_b"]


ROBOT = "=" * 78
LISTED = "-" * 78


def test_what_a_test_prints_to_the_console_of_robot_is_no_result(read):
    said = f"Fine{'ERROR: not so | FAIL |':>88}\n{'| PASS |':>8}\n"
    log = f"{ROBOT}\nShop\n{ROBOT}\n{said}{LISTED}\nShop{'| PASS |':>74}\n1 test, 1 passed, 0 failed\n{ROBOT}\n"
    assert not [one for tale in read(log) for one in tale.failures]


def test_the_dotted_console_of_robot_is_read(read):
    log = (
        f"Running suite 'Shop' with 3 tests.\n{ROBOT}\nF.F\n{LISTED}\nFAIL: Shop.Cart.Adds\n1 != 2\n"
        f"{LISTED}\nFAIL: Shop.Cart.Pays | late\nno\n{ROBOT}\nRun suite 'Shop' with 3 tests in 74 milliseconds.\n\n"
        "FAILED\n3 tests, 1 passed, 2 failed\n"
    )
    found = {one.name: one.message for one in parse(read, log).failures}
    assert found == {"Shop.Cart.Adds": "1 != 2", "Shop.Cart.Pays | late": "no"}


def test_a_list_without_steps_that_a_program_prints_is_none_of_cucumbers(read):
    log = "Failures:\n\n1) Scenario: fake # feat/a.feature:3\n\n1 scenario (1 passed)\n3 steps (3 passed)\n"
    assert not [one for tale in read(log) for one in tale.failures]


def test_a_total_that_a_spec_of_jasmine_prints_is_not_counted(read):
    block = "Failures:\n1) Cart adds\n  Message:\n    no\n  Stack:\n        at x (a.js:1:2)\n"
    tale = parse(read, f"3 specs, 2 failures\n{block}\n1 spec, 1 failure\nFinished in 0.01 seconds\n")
    assert ([one.name for one in tale.failures], tale.counted) == (["Cart adds"], 1)


def test_the_lists_of_jasmine_spec_reporter_are_read(read):
    stars = "*" * 50
    log = (
        f"  Cart\n    ✗ adds\n\n{stars}\n*{'Failures':^48}*\n{stars}\n\n1) Cart adds\n  - Expected 2 to be 3.\n\n"
        f"{stars}\n*{'Errors':^48}*\n{stars}\n\n1) Hooks\n  - Error: hook\n\n"
        f"{stars}\n*{'Pending':^48}*\n{stars}\n\n1) Cart sells\n  later\n\n"
        "Executed 2 of 3 specs (1 ERROR) (1 FAILED) (1 PENDING) in 0.04 sec.\n"
    )
    tale = parse(read, log)
    found = {one.name: one.message for one in tale.failures}
    assert (found, tale.counted) == ({"Cart adds": "Expected 2 to be 3.", "Hooks": "Error: hook"}, 2)


def test_green_counts_tests_that_passed_unexpectedly(read):
    """It does not name them, which nothing said."""
    block = 'Failure in a.test_a.A.test_b\n  File "a/test_a.py", line 4, in test_b\n    x\nAssertionError: 1 != 2\n\n'
    tale = parse(
        read, f"F\n\n{block}Ran 2 tests in 0.4s using 2 processes\n\nFAILED (failures=1, unexpected_successes=1)\n"
    )
    assert (len(tale.failures), tale.counted) == (1, 2)
