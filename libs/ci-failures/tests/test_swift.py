"""XCTest, Swift Testing, and what xcodebuild, xcpretty and xcbeautify make of them.

Made from the format strings of the published sources of these tools; none of these was run.
"""

import pytest

ROOT = "/Users/runner/work/app/app"
TESTING = """\N{BALLOT X} Test "adds two" recorded an issue at CartTests.swift:17:9: Expectation failed: (sum → 1) == 2
↳ they differ
\N{BALLOT X} Test fails(n:) recorded an issue with 1 argument n → "a at b" at CartTests.swift:21:5: Caught error: .no
\N{BALLOT X} Test fails(n:) recorded an issue with 1 argument n → "c" at CartTests.swift:21:5: Caught error: .no
\N{BALLOT X} Test "adds two" failed after 0.001 seconds with 1 issue.
\N{BALLOT X} Test fails(n:) with 2 test cases failed after 0.001 seconds with 2 issues.
\N{BALLOT X} Suite CartTests failed after 0.1 seconds with 3 issues.
\N{BALLOT X} Suite "The cart" recorded an issue at CartTests.swift:3:1: Issue recorded: no
\N{BALLOT X} Test run with 3 tests in 1 suite failed after 0.1 seconds with 3 issues (including 1 known issue).
""".replace("\N{BALLOT X}", "✘")
MAC = TESTING.replace("✘", "\U00100884 ")
ONLY_RUN = "✘ Test run with 3 tests failed after 0.001 seconds with 1 issue.\n"
XCODEBUILD = f"""Test Suite 'All tests' started at 2026-01-01 10:00:00.000.
Test Case '-[AppTests.CartTests testAdds]' started.
{ROOT}/AppTests/CartTests.swift:12: error: -[AppTests.CartTests testAdds] : XCTAssertEqual failed: ("1") - not
the same
{ROOT}/AppTests/CartTests.swift:13: error: -[AppTests.CartTests testAdds] : XCTAssertTrue failed
Test Case '-[AppTests.CartTests testAdds]' failed (0.003 seconds).
Test Suite 'CartTests' failed at 2026-01-01 10:00:00.100.
\t Executed 1 test, with 2 failures (0 unexpected) in 0.003 (0.004) seconds
Restarting after unexpected exit, crash, or test timeout in CartTests.testCrashes(); summary will include totals.

Failing tests:
\tAppTests.CartTests.testAdds()
\tCartTests.testCrashes()
\t-[OldTests testOld]

** TEST FAILED **
"""
CLONES = f"""Test case 'CartTests.testAdds()' failed on 'Clone 1 of iPhone 15 - App (123)' (0.010 seconds)
Test case '-[OldTests testOld]' failed on 'iPhone 15' (0.010 seconds)
{ROOT}/AppTests/CartTests.swift:12: error: -[AppTests.CartTests testAdds] : XCTAssertTrue failed
Test case 'CartTests/slow(n:)' failed on 'My Mac - App (1)' (0.010 seconds)
"""
PRETTY = f"""All tests
Test Suite AppTests.xctest started
CartTests
    ✓ testFine (0.001 seconds)
    ✗ testAdds, XCTAssertEqual failed: ("1") is not equal to ("2")
    ✗ quick_spec__adds_numbers, expected to equal <2>, got <1>


AppTests.CartTests
  testAdds, XCTAssertEqual failed: ("1") is not equal to ("2")
  {ROOT}/AppTests/CartTests.swift:12
  ```
        XCTAssertEqual(1, 2)
  ```


\t Executed 3 tests, with 2 failures (0 unexpected) in 0.003 (0.004) seconds
"""
BEAUTIFIED = """Test Suite CartTests started
    ✔ testFine (0.001 seconds)
    ✖ testAdds, XCTAssertTrue failed
    ✖ [OtherTests] testParallel on 'iPhone 15' (0.1 seconds)
    [!]  Test "adds two" recorded an issue at CartTests.swift:17:9: Expectation failed: 1 == 2
    ✖ "adds two" (0.001 seconds) 1 issue(s)
Suite "The cart" failed after 0.1 seconds with 1 issue(s)
Test run with 2 tests failed after 0.1 seconds with 1 issue(s)
"""
LINUX = f"""{ROOT}/T/C.swift:12: error: CartTests.testAdds : XCTAssertEqual failed: ("1") is not equal to ("2") -\x20
Test Case 'CartTests.testAdds' failed (0.001 seconds)
<EXPR>:0: error: CartTests.testThrows : threw error "no"
<unknown>:0: error: CartTests.testWaits : Asynchronous wait failed
Test Case 'CartTests.testWaits' failed (1.001 seconds)
Test Case 'CartTests.testThrows' failed (0.0 seconds)
Executed 3 tests, with 3 failures (1 unexpected) in 0.1 (0.1) seconds
"""
TWO = "CartTests/testAdds"
TOLD = {
    "testing": (
        TESTING,
        [
            ("adds two", "CartTests.swift", 17),
            ("fails(n:)", "CartTests.swift", 21),
            ("The cart", "CartTests.swift", 3),
        ],
    ),
    "mac": (
        MAC,
        [
            ("adds two", "CartTests.swift", 17),
            ("fails(n:)", "CartTests.swift", 21),
            ("The cart", "CartTests.swift", 3),
        ],
    ),
    "only run": (ONLY_RUN, []),
    "xcodebuild": (
        XCODEBUILD,
        [
            ("AppTests.CartTests/testAdds", "AppTests/CartTests.swift", 12),
            ("CartTests/testCrashes", "", None),
            ("OldTests/testOld", "", None),
        ],
    ),
    "clones": (
        CLONES,
        [
            ("AppTests.CartTests/testAdds", "AppTests/CartTests.swift", 12),
            ("OldTests/testOld", "", None),
            ("CartTests/slow(n:)", "", None),
        ],
    ),
    "pretty": (
        PRETTY,
        [
            ("AppTests.CartTests/testAdds", "AppTests/CartTests.swift", 12),
            ("CartTests/quick_spec__adds_numbers", "", None),
        ],
    ),
    "beautified": (
        BEAUTIFIED,
        [("CartTests/testAdds", "", None), ("OtherTests/testParallel", "", None), ("adds two", "CartTests.swift", 17)],
    ),
    "linux": (
        LINUX,
        [
            ("CartTests/testAdds", "T/C.swift", 12),
            ("CartTests/testThrows", "", None),
            ("CartTests/testWaits", "", None),
        ],
    ),
}
MESSAGES = {
    "testing": "Expectation failed: (sum → 1) == 2\nthey differ",
    "xcodebuild": 'XCTAssertEqual failed: ("1") - not\nthe same',
    "pretty": 'XCTAssertEqual failed: ("1") is not equal to ("2")',
    "linux": 'XCTAssertEqual failed: ("1") is not equal to ("2") -',
}


def parse(read, text):
    return [one for told in read(text) for one in told.failures]


@pytest.mark.parametrize("form", TOLD)
def test_what_failed_is_told(form, read):
    text, expected = TOLD[form]
    assert sorted((one.name, one.file, one.line or 0) for one in parse(read, text)) == sorted(
        (name, file, line or 0) for name, file, line in expected
    )


@pytest.mark.parametrize("form", MESSAGES)
def test_the_message_is_the_assertion(form, read):
    assert parse(read, TOLD[form][0])[0].message == MESSAGES[form]


def test_a_test_that_ran_when_its_process_died_failed(read):
    text = "Test Case 'CartTests.testFine' started at 1\nTest Case 'CartTests.testFine' passed (0.1 seconds)\n"
    text += "Test Case 'CartTests.testOut' started at 2\n"
    text += (
        f"{ROOT}/Sources/Cart.swift:7: Fatal error: Index out of range\nerror: Exited with unexpected signal code 4\n"
    )
    (one,) = parse(read, text)
    assert (one.name, one.message, one.file, one.line) == (
        "CartTests/testOut", "Index out of range", "Sources/Cart.swift", 7,
    )  # fmt: skip


def swift(read, text):
    return [one for tale in read(text) for one in tale.failures]


def test_a_test_in_objective_c_is_no_error_of_a_compiler(read):
    text = f"{ROOT}/CartTests.m:12: error: -[CartTests testAdds] : expected 1\n"
    (found,) = swift(read, text)
    assert (found.tool, found.line, found.selector) == ("swift", 12, "")


def test_arguments_may_look_like_the_end_of_an_issue(read):
    text = '✘ Test "calls" recorded an issue with 2 arguments f → "f: () -> A", n → nil at CartTests.swift:7:5: no\n'
    (found,) = swift(read, text)
    assert (found.file, found.line, found.message) == ("CartTests.swift", 7, "no")


def test_what_xcodebuild_ran_has_no_command_of_swiftpm(read):
    assert {one.selector for one in swift(read, XCODEBUILD)} == {""}


def test_xcbeautify_tells_suites_in_quotes(read):
    text = "Test Suite 'CartTests' started at 2026-01-01 10:00:00.000.\n    ✖ testAdds, XCTAssertTrue failed\n"
    assert [one.name for one in swift(read, text)] == ["CartTests/testAdds"]
