"""Parsers of tools that cannot be installed here, on samples written after the published sources of the tools."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.model import Line
from ci_failures.parsers.platforms import PARSERS
from ci_failures.parsers.scripting.pest import Pest
from ci_failures.parsers.scripting.testthat import TestThat

VSTEST = """A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.51]     Ns.C.M(x: "y") [FAIL]
[xUnit.net 00:00:00.51]       Assert.True() Failure
[xUnit.net 00:00:00.51]       Stack Trace:
[xUnit.net 00:00:00.51]         /home/runner/work/app/app/T.cs(10,0): at Ns.C.M(String x)
  Failed Ns.C.M(x: "y") [207 ms]
  Error Message:
   Assert.True() Failure
Expected: True
  Stack Trace:
     at Ns.C.M(String x) in /home/runner/work/app/app/T.cs:line 10
  Passed Ns.C.N [1 ms]
  Standard Output Messages:
 Failed to connect [3 ms]
  Failed to start the engine
  Failed Method [< 1 ms]
  Error Message:
   Assert.IsTrue failed.
  Stack Trace:
     at P.UnitTest1.Method() in D:\\a\\app\\app\\P\\UnitTest1.cs:line 12

Failed!  - Failed:     2, Passed:    30, Skipped:     0, Total:    32, Duration: 1 s - X.dll (net8.0)
"""
PLATFORM = """failed Ns.C.M (10s 000ms)
  from /home/runner/work/app/app/bin/T.dll (net8.0|x64)
  Tests failed
    at Ns.C.M() in /home/runner/work/app/app/T.cs:10
  Standard output
    failed to connect
failed (canceled) Ns.C.N (5ms)

Test run summary: Failed! - /home/x.dll (net8.0|x64)
  total: 5
  failed: 2
  succeeded: 3
"""
TERMINAL = """    /home/runner/work/app/app/UnitTest1.cs(10): error TESTERROR:
      Ns.UnitTest1.Test1 (14ms): Error Message: Assert.True() Failure
      Stack Trace:
         at Ns.UnitTest1.Test1() in /home/runner/work/app/app/UnitTest1.cs:line 10

Test summary: total: 2, failed: 1, succeeded: 1, skipped: 0, duration: 1.2s
"""
MSBUILD = """/home/runner/work/app/app/src/T.cs(10,5): error CS1002: ; expected [/home/runner/work/app/app/src/T.csproj]
##[error]/home/runner/work/app/app/src/T.cs(10,5): error CS1002: ; expected [/home/runner/work/app/app/src/T.csproj]
     3>D:\\a\\app\\app\\src\\U.cs(1,2): error CA1822: Mark it [D:\\a\\app\\app\\src\\T.csproj::TargetFramework=net8.0]
"""
XCTEST = """/home/runner/work/app/app/Tests/T.swift:34: error: C.testX : XCTAssertTrue failed - no
Test Case 'C.testX' failed (0.001 seconds)
/Users/runner/work/app/app/Tests/T.swift:35: error: -[M.D testY] : XCTAssertEqual failed: ("1") is not equal to ("2")
Test Case '-[M.D testY]' failed (0.001 seconds).
Test Case '-[M.D testZ]' passed (0.001 seconds).
Test case 'E.m()' failed on 'Clone 1 of iPhone 15 - X (123)' (0.01 seconds)
Executed 5 tests, with 3 failures (0 unexpected) in 0.1 (0.1) seconds
"""
TESTING = """✘ Test x() recorded an issue at T.swift:17:9: Expectation failed: 1 == 2
✘ Test x() failed after 0.001 seconds with 1 issue.
✘ Test "display name" recorded an issue with 1 argument n → 2 at T.swift:18:9: Expectation failed
✘ Test "display name" failed after 0.001 seconds with 1 issue.
✘ Test known() recorded a known issue at T.swift:17:9: Expectation failed: 1 == 2
✘ Suite S failed after 0.1 seconds with 2 issues.
"""
SWIFTC = "/home/runner/work/app/app/Sources/F.swift:3:5: error: cannot find 'x' in scope\n" * 2
PRETTY = "CTests\n    ✓ testA (0.001 seconds)\n    ✗ testX, XCTAssertTrue failed\n"
DART = """00:01 +0 -1: test/a_test.dart: when nested adds [E]
  Expected: <3>
    Actual: <2>
  package:matcher            expect
  test/a_test.dart 7:33  main.<fn>

00:02 +1 -2: loading test/b_test.dart [E]
  Failed to load "test/b_test.dart":
00:03 +1 -2: Some tests failed.
"""
DART_GITHUB = """::group::❌ test/a_test.dart: adds (failed)
oh no
test/a_test.dart 6:33  main.<fn>
::endgroup::
::error::0 tests passed, 1 failed.
"""
FLUTTER = """══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞══════
The following TestFailure was thrown running a test:
Expected: exactly one matching candidate

When the exception was thrown, this was the stack:
This was caught by the test expectation on the following line:
  file:///home/runner/work/app/app/test/w_test.dart line 19
════════════════
00:05 +3 -1: /home/runner/work/app/app/test/w_test.dart: Counter works [E]
  Test failed. See exception logs above.

00:06 +3 -1: Some tests failed.
"""
PEST = """
   FAIL  Tests\\Unit\\ExampleTest
  \N{VECTOR OR CROSS PRODUCT} it is great and long                                          0.01s
  ✓ passes
  ──────────
   FAILED  Tests\\Unit\\ExampleTest > it is great…   InvalidArgumentException
  Failed asserting that false is true.

  at tests/Unit/ExampleTest.php:4

  Tests:    1 failed, 1 passed (2 assertions)
"""
OLD_PEST = """
   FAIL  Tests\\Feature\\ExampleTest
  \N{VECTOR OR CROSS PRODUCT} multiple assertions

  ---

  \N{BULLET} Tests\\Feature\\ExampleTest > multiple assertions
  Failed asserting that false is true.

  at vendor/phpunit/phpunit/src/Framework/Constraint/Constraint.php:119

  1   vendor/phpunit/phpunit/src/Framework/Assert.php:2228

  2   tests/Feature/ExampleTest.php:7

  Tests:  1 failed
  Time:   0.05s
"""
PESTER = """Running tests from 'Account.Tests.ps1'
[-] Account.when nested.adds 12ms (10ms|2ms)
 Expected 3, but got 2.
 at Add 1 1 | Should -Be 3, /home/runner/work/app/app/tests/Account.Tests.ps1:10
 at <ScriptBlock>, /home/runner/work/app/app/tests/Account.Tests.ps1:10
Tests completed in 123ms
Tests Passed: 3, Failed: 1, Skipped: 0, Inconclusive: 0, NotRun: 0
"""
PESTER_TREE = """Describing Account
 Context when nested
   [+] is fine 5ms (4ms|1ms)
   [-] adds 12ms (10ms|2ms)
    Expected 3, but got 2.
    at Add 1 1 | Should -Be 3, /home/runner/work/app/app/tests/Account.Tests.ps1:10
Tests Passed: 1, Failed: 1, Skipped: 0 NotRun: 0
"""
TESTTHAT = """── Failure (test-account.R:3:3): it adds ──────────────
add(1, 1) not equal to 3.
1/1 mismatches

── Error ('test-account.R:7'): it checks ──────────────
Error in `check()`: no
[ FAIL 2 | WARN 0 | SKIP 0 | PASS 3 ]
── Failure (test-account.R:3:3): it adds ──────────────
add(1, 1) not equal to 3.
"""
TOLD = [
    (VSTEST, [('Ns.C.M(x: "y")', "T.cs", 10), ("P.UnitTest1.Method", "P/UnitTest1.cs", 12)]),
    (PLATFORM, [("Ns.C.M", "T.cs", 10), ("Ns.C.N", "", None)]),
    (TERMINAL, [("Ns.UnitTest1.Test1", "UnitTest1.cs", 10)]),
    (MSBUILD, [("CS1002 src/T.cs:10:5", "src/T.cs", 10), ("CA1822 src/U.cs:1:2", "src/U.cs", 1)]),
    (XCTEST, [("C/testX", "Tests/T.swift", 34), ("M.D/testY", "Tests/T.swift", 35), ("E/m", "", None)]),
    (TESTING, [("x()", "T.swift", 17), ("display name", "T.swift", 18)]),
    (SWIFTC, [("error Sources/F.swift:3:5", "Sources/F.swift", 3)]),
    (PRETTY, [("CTests/testX", "", None)]),
    (
        DART,
        [("test/a_test.dart: when nested adds", "test/a_test.dart", 7), ("test/b_test.dart", "test/b_test.dart", None)],
    ),
    (DART_GITHUB, [("test/a_test.dart: adds", "test/a_test.dart", 6)]),
    (FLUTTER, [("test/w_test.dart: Counter works", "test/w_test.dart", 19)]),
    (PEST, [("Tests\\Unit\\ExampleTest > it is great and long", "tests/Unit/ExampleTest.php", 4)]),
]
TOLD.append((OLD_PEST, [("Tests\\Feature\\ExampleTest > multiple assertions", "tests/Feature/ExampleTest.php", 7)]))
NESTED = "Account.when nested.adds"
R = "tests/testthat/test-account.R"
TOLD += [
    (PESTER, [(NESTED, "tests/Account.Tests.ps1", 10)]),
    (PESTER_TREE, [(NESTED, "tests/Account.Tests.ps1", 10)]),
    (TESTTHAT, [("test-account.R: it adds", R, 3), ("test-account.R: it checks", R, 7)]),
]
MESSAGES = [
    (PESTER, "Expected 3, but got 2."),
    (TESTTHAT, "add(1, 1) not equal to 3.\n1/1 mismatches"),
    (VSTEST, "Assert.True() Failure\nExpected: True"),
    (PLATFORM, "Tests failed"),
    (XCTEST, "XCTAssertTrue failed - no"),
    (DART, "Expected: <3>\n  Actual: <2>"),
    (FLUTTER, "Expected: exactly one matching candidate"),
    (PEST, "Failed asserting that false is true."),
]
LINES = sorted({line for text, _ in TOLD for line in text.splitlines()})


def parse(read, text):
    return [one for told in read(text) for one in told.failures]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_what_failed_is_told(text, expected, read):
    assert [(one.name, one.file, one.line) for one in parse(read, text)] == expected


@pytest.mark.parametrize(("text", "message"), MESSAGES)
def test_the_message_is_the_assertion(text, message, read):
    assert parse(read, text)[0].message == message


@pytest.mark.parametrize("text", [VSTEST, PLATFORM, TERMINAL, DART, PEST])
def test_the_tool_counts_the_same(text, read):
    told = read(text)
    assert [len(one.failures) for one in told] == [one.counted for one in told]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (VSTEST, "dotnet test --filter 'FullyQualifiedName=Ns.C.M|FullyQualifiedName=P.UnitTest1.Method'"),
        (XCTEST, "swift test --filter C/testX --filter 'M\\.D/testY' --filter E/m"),
        (DART_GITHUB, "dart test test/a_test.dart --name '^(?:adds)$'"),
        (PEST, "vendor/bin/pest --filter 'it is great and long'"),
    ],
)
def test_a_command_selects_them(text, command, read):
    told = read(text)
    assert [one.parser.rerun(one.failures) for one in told] == [command]


def test_what_failed_for_two_frameworks_is_one_failure(read):
    assert len(parse(read, VSTEST + VSTEST.replace("net8.0", "net9.0"))) == 2


@pytest.mark.parametrize(
    "line", ["failed to fetch index.json (300ms)", "    the third check [FAIL]", "The Test x failed after 3 seconds"]
)
def test_what_anybody_may_print_is_no_failure(line, read):
    assert not parse(read, f"{line}\n")


def test_other_tools_wake_nothing_of_these(read):
    mine = {parser.tool for parser in (*PARSERS, Pest, TestThat)}
    logs = sorted(path for path in (Path(__file__).parent / "logs").rglob("*.log") if path.parent.name not in mine)
    assert not [path for path in logs[::7] if {one.tool for one in parse(read, path.read_bytes())} & mine]


@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=40)), max_size=60))
def test_no_lines_make_a_parser_raise(lines):
    for each in (*PARSERS, Pest, TestThat):
        made = each()
        for number, text in enumerate(lines, 1):
            made.read(Line(number, text))
        each.rerun(list(made.finish()))


def test_a_failure_of_pester_on_github_has_its_message_in_a_group():
    one = "##[error][-] Account.{} 85ms (83ms|1ms)\n##[group]Message\nExpected 3, but got {}.\n"
    one += "at <ScriptBlock>, {}:{}\n##[endgroup]\n"
    file = "/home/runner/work/app/app/tests/Account.Tests.ps1"
    log = one.format("adds", 2, file, 10) + one.format("opens", 4, file, 20)
    log += "Tests Passed: 3, Failed: 2, Skipped: 0, Inconclusive: 0, NotRun: 0\n"
    found = ci_failures.parse(log.encode()).failures
    assert [(one.name, one.message, one.line) for one in found] == [
        ("Account.adds", "Expected 3, but got 2.", 10),
        ("Account.opens", "Expected 3, but got 4.", 20),
    ]
