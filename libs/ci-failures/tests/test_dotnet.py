"""`dotnet test` in the forms that its sources print: VSTest, the terminal logger, MSBuild's, and the newer platform.

Made from the format strings of the published sources of vstest, testfx, xunit and MSBuild; none of these was run.
"""

import pytest

ROOT = "/home/runner/work/app/app"
FRAMEWORKS = f"""Test run for {ROOT}/T/bin/Debug/net8.0/T.dll (.NETCoreApp,Version=v8.0)
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.36]     Shop.CartTests+Nested.Adds(name: "a, b | c", value: 'é', url: "http://x/?a=b&c=d") [FAIL]
[xUnit.net 00:00:00.36]       Assert.Equal() Failure: Values differ
[xUnit.net 00:00:00.36]       Expected: 3
[xUnit.net 00:00:00.36]       Actual:   2
[xUnit.net 00:00:00.36]       Stack Trace:
[xUnit.net 00:00:00.36]         {ROOT}/T/CartTests.cs(12,0): at Shop.CartTests.Nested.Adds(String name)
[xUnit.net 00:00:00.37]     Shop.CartTests.Later [SKIP]
[xUnit.net 00:00:00.37]       not yet
  Failed Shop.CartTests+Nested.Adds(name: "a, b | c", value: 'é', url: "http://x/?a=b&c=d") [1 m 3 s]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 3
Actual:   2
  Stack Trace:
     at Shop.CartTests.Nested.Adds(String name) in {ROOT}/T/CartTests.cs:line 12
   at System.RuntimeMethodHandle.InvokeMethod(Object target, Void** arguments, Signature sig, Boolean isConstructor)
  Standard Output Messages:
   Failed Other.Test [1 ms]
   Error Message:

Failed!  - Failed:     1, Passed:     0, Skipped:     1, Total:     2, Duration: 1 m 3 s - T.dll (net8.0)
"""
TWO_FRAMEWORKS = FRAMEWORKS + FRAMEWORKS.replace("net8.0", "net48")
NUNIT = f"""NUnit Adapter 4.5.0.0: Test execution started
  Failed Adds(1,2,4) [21 ms]
  Error Message:
     Expected: 4
  But was:  3

  Stack Trace:
     at Shop.Tests.Check.That(Object value) in {ROOT}/Tests/Check.cs:line 5
   at Shop.Tests.SumTests.Adds(Int32 a, Int32 b, Int32 sum) in {ROOT}/Tests/SumTests.cs:line 14

1)    at Shop.Tests.SumTests.Adds(Int32 a, Int32 b, Int32 sum) in {ROOT}/Tests/SumTests.cs:line 14


  Failed Waits [2 s]
  Error Message:
   System.TimeoutException : too slow
  Stack Trace:
     at Shop.Slow.<Wait>d__3.MoveNext() in {ROOT}/Shop/Slow.cs:line 7
--- End of stack trace from previous location ---
   at Shop.Tests.SumTests.<Waits>d__4.MoveNext() in {ROOT}/Tests/SumTests.cs:line 20

Test Run Failed.
Total tests: 2
     Failed: 2
 Total time: 1.6229 Seconds
"""
MSTEST = """  Failed Adds (1,2,4) [< 1 ms]
  Error Message:
   Assert.AreEqual failed. Expected:<4>. Actual:<3>. wrong
  Stack Trace:
      at Shop.SumTests.Adds(Int32 a, Int32 b, Int32 sum) in D:\\a\\_work\\1\\s\\Tests\\SumTests.cs:line 9

Test Run Failed.
Total tests: 1
     Failed: 1
"""
LOGGED = "Assert.Equal() Failure: Values differ", "Expected: 5", "Actual:   4", "Stack Trace:"
BY_MSBUILD = "\n".join(
    [
        f"{ROOT}/T/A.cs(14): error TESTERROR: N.A.Fails(x: 6) (5ms): Error Message: {LOGGED[0]} [{ROOT}/T/T.csproj]",
        *(f"{ROOT}/T/A.cs(14): error TESTERROR: {text} [{ROOT}/T/T.csproj]" for text in LOGGED[1:]),
        f"{ROOT}/T/A.cs(14): error TESTERROR:    at N.A.Fails() in {ROOT}/T/A.cs:line 14 [{ROOT}/T/T.csproj]",
        f"{ROOT}/T/A.cs(20): error TESTERROR: N.A.Throws (< 1ms): Error Message: E : no [{ROOT}/T/T.csproj]",
        "",
    ]
)
BY_MSBUILD += "\nBuild FAILED.\n\n" + BY_MSBUILD
TERMINAL = f"""  T test net8.0 failed with 2 error(s) (0.8s)
    {ROOT}/T/A.cs(28): error TESTERROR:\x20
      N.A.Theory(value: 6) (< 1ms): Error Message: Assert.True() Failure
      Expected: True
      Actual:   False
      Stack Trace:
         at N.A.Theory(Int32 value) in {ROOT}/T/A.cs:line 28
    {ROOT}/T/A.cs(14): error TESTERROR:\x20
      N.A.Fails (1s 2ms): Error Message: Assert.Equal() Failure: Values differ
      Expected: 5

Test summary: total: 5, failed: 2, succeeded: 3, skipped: 0, duration: 0.8s
Build failed with 2 error(s) in 1.4s
"""
PLATFORM = f"""failed Adds (1,2,4) (1s 207ms)
  from {ROOT}/bin/T.dll (net9.0|x64)
  Assert.AreEqual failed.
  Expected
    4
  Actual
    3
    at Shop.SumTests.Adds(Int32 a) in {ROOT}/T/SumTests.cs:9
  Standard output
    failed N.Printed (3ms)
failed (try 2) N.A.Flaky (2ms)
  System.Exception: no
    at N.A.Flaky() in {ROOT}/T/A.cs:31
skipped N.A.Skipped (0ms)

Test run summary: Failed! - {ROOT}/bin/T.dll (net9.0|x64)
  total: 3
  failed: 2
  succeeded: 0
  skipped: 1
  duration: 1s 300ms
"""
BUILT = f"""{ROOT}/T/A.cs(31): error test failed: Flaky (2ms): Assertion failed [{ROOT}/T/T.csproj]
{ROOT}/T/T.csproj : error run failed: Tests failed: '{ROOT}/T/TestResults/T_net8.0_x64.log' [net8.0|x64]
"""
CONSOLE = f"""xUnit.net v3 In-Process Runner v1.0.0 (64-bit .NET 8.0.11)
  Starting:    T (method display = ClassAndMethod)
    N.A.Fails [FAIL]
      Assert.True() Failure
      Expected: True
      Stack Trace:
        {ROOT}/T/A.cs(14,0): at N.A.Fails()
    it adds two numbers [FAIL]
      Assert.True() Failure
      Stack Trace:
        {ROOT}/T/A.cs(24,0): at N.A.Named()
  Finished:    T
=== TEST EXECUTION SUMMARY ===
   T  Total: 3, Errors: 0, Failed: 2, Skipped: 0, Not Run: 0, Time: 0.1s
"""
CRASHED = """  Passed N.A.Fine [1 ms]
The active test run was aborted. Reason: Test host process crashed : Stack overflow.
   at N.A.Deep()

Data collector 'Blame' message: The specified inactivity time of 10 minutes has elapsed.
The test running when the crash occurred:\x20
N.A.Deep

This test may, or may not be the source of the crash.
Test Run Aborted.
"""
NUNIT_CONSOLE = f"""Errors, Failures and Warnings

1) Failed : Shop.SumTests.Adds(1,2,4)
  Expected: 4
  But was:  3
at Shop.SumTests.Adds(Int32 a) in {ROOT}/T/SumTests.cs:line 9

2) Error : Shop.SumTests.Throws
System.Exception : no
  at Shop.SumTests.Throws () [0x00001] in {ROOT}/T/SumTests.cs:15

Run Settings
    Number of Test Workers: 2

Test Run Summary
  Overall result: Failed
  Test Count: 3, Passed: 1, Failed: 2, Warnings: 0, Inconclusive: 0, Skipped: 0
"""
NESTED = """Shop.CartTests+Nested.Adds(name: "a, b | c", value: 'é', url: "http://x/?a=b&c=d")"""
TOLD = {
    "frameworks": (TWO_FRAMEWORKS, [(NESTED, "T/CartTests.cs", 12)]),
    "nunit": (
        NUNIT,
        [
            ("Shop.Tests.SumTests.Adds(1,2,4)", "Tests/Check.cs", 5),
            ("Shop.Tests.SumTests.Waits", "Shop/Slow.cs", 7),
        ],
    ),
    "mstest": (MSTEST, [("Shop.SumTests.Adds (1,2,4)", "Tests/SumTests.cs", 9)]),
    "by msbuild": (BY_MSBUILD, [("N.A.Fails(x: 6)", "T/A.cs", 14), ("N.A.Throws", "T/A.cs", 20)]),
    "terminal": (TERMINAL, [("N.A.Theory(value: 6)", "T/A.cs", 28), ("N.A.Fails", "T/A.cs", 14)]),
    "platform": (PLATFORM, [("Shop.SumTests.Adds (1,2,4)", "T/SumTests.cs", 9), ("N.A.Flaky", "T/A.cs", 31)]),
    "built": (BUILT, [("Flaky", "T/A.cs", 31)]),
    "console": (CONSOLE, [("N.A.Fails", "T/A.cs", 14), ("it adds two numbers", "T/A.cs", 24)]),
    "crashed": (CRASHED, [("N.A.Deep", "", None)]),
    "nunit console": (
        NUNIT_CONSOLE,
        [("Shop.SumTests.Adds(1,2,4)", "T/SumTests.cs", 9), ("Shop.SumTests.Throws", "T/SumTests.cs", 15)],
    ),
}
MESSAGES = {
    "frameworks": "Assert.Equal() Failure: Values differ\nExpected: 3\nActual:   2",
    "nunit": "Expected: 4\nBut was:  3",
    "mstest": "Assert.AreEqual failed. Expected:<4>. Actual:<3>. wrong",
    "by msbuild": "Assert.Equal() Failure: Values differ\nExpected: 5\nActual:   4",
    "terminal": "Assert.True() Failure\nExpected: True\nActual:   False",
    "platform": "Assert.AreEqual failed.\nExpected\n  4\nActual\n  3",
    "built": "Assertion failed",
    "console": "Assert.True() Failure\nExpected: True",
    "crashed": "Stack overflow.",
    "nunit console": "Expected: 4\nBut was:  3",
}
COUNTED = ["frameworks", "nunit", "mstest", "terminal", "platform", "console", "nunit console"]


def parse(read, text):
    return [one for told in read(text) for one in told.failures if told.parser.tool == "dotnet"]


@pytest.mark.parametrize("form", TOLD)
def test_what_failed_is_told(form, read):
    text, expected = TOLD[form]
    assert [(one.name, one.file, one.line) for one in parse(read, text)] == expected


@pytest.mark.parametrize("form", MESSAGES)
def test_the_message_is_the_assertion(form, read):
    assert parse(read, TOLD[form][0])[0].message == MESSAGES[form]


@pytest.mark.parametrize("form", COUNTED)
def test_the_totals_confirm_what_was_read(form, read):
    assert {one.confidence for one in parse(read, TOLD[form][0])} == {"high"}


@pytest.mark.parametrize("form", TOLD)
def test_no_other_tool_tells_anything(form, read):
    assert {one.tool for told in read(TOLD[form][0]) for one in told.failures} == {"dotnet"}


@pytest.mark.parametrize(("method", "file"), [("Lib.Reaper.Start", ""), ("Shop.Cart.Add", "src/Cart.cs")])
def test_code_that_was_built_elsewhere_is_a_place_only_under_the_same_name(method, file, read):
    text = f"  Failed Shop.CartTests.Adds [1 ms]\n  Error Message:\n   no\n  Stack Trace:\n     at {method}()"
    (one,) = parse(read, f"{text} in /_/src/Cart.cs:line 7\n")
    assert one.file == file


@pytest.mark.parametrize("root", ["/home/ann/shop", "C:\\Users\\Ann\\shop"])
def test_a_path_that_does_not_tell_the_repository_is_kept_whole(root, read):
    told = [one for tale in read(FRAMEWORKS.replace(ROOT, root)) for one in tale.failures]
    assert [(one.file.replace("\\", "/").endswith("shop/T/CartTests.cs"), one.line) for one in told] == [(True, 12)]
