"""`dart test`, `flutter test` and their analyser, made from the format strings of their published sources."""

import pytest

import ci_failures

ROOT = "/home/runner/work/app/app"
EXPANDED = """00:00 +0: loading test/cart_test.dart
00:01 +0: test/cart_test.dart: Cart adds
printed: [E]
00:01 +0 -1: test/cart_test.dart: Cart adds [E]
  Expected: <3>
    Actual: <2>

  package:matcher            expect
  test/helper.dart 3:5       check
  test/cart_test.dart 7:33   main.<fn>.<fn>

To run this test again: /opt/dart/bin/dart test test/cart_test.dart -p vm --plain-name 'Cart adds'
00:02 +1 ~1 -2: [Chrome, Dart2Js] test/web_test.dart: (setUpAll) [E]
  Bad state: no
  test/web_test.dart 4:5  main.<fn>

00:03 +1 ~1 -2: test/slow_test.dart: waits - did not complete [E]
00:03 +1 ~1 -2: Some tests failed.

Failing tests:
  test/cart_test.dart: Cart adds
  test/slow_test.dart: waits (did not complete)
  test/web_test.dart: (setUpAll)
"""
GITHUB = f"""##[group]✅ Passing tests
✅ {ROOT}/test/fine_test.dart: is fine
##[endgroup]
##[group]❌ {ROOT}/test/w_test.dart: Counter works (failed)
══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞══════
The following TestFailure was thrown running a test:
Expected: exactly one matching candidate
  Actual: _TextWidgetFinder:<Found 0 widgets>

When the exception was thrown, this was the stack:
#4      main.<anonymous closure> (file://{ROOT}/test/w_test.dart:19:5)
<asynchronous suspension>

The test description was:
  Counter works
════════════════
Test failed. See exception logs above.
The test description was: Counter works

##[endgroup]
##[group]❌ loading {ROOT}/test/broken_test.dart (failed)
Failed to load "{ROOT}/test/broken_test.dart":
test/broken_test.dart:3:10: Error: Expected ';' after this.
##[endgroup]

##[error]1 test passed, 2 failed.
"""
LAYOUT = f"""00:05 +3: {ROOT}/packages/ui/test/w_test.dart: Row fits
══╡ EXCEPTION CAUGHT BY RENDERING LIBRARY ╞═════════
The following assertion was thrown during layout:
A RenderFlex overflowed by 42 pixels on the right.

The relevant error-causing widget was:
  Row
When the exception was thrown, this was the stack:
#0      Row.layout (package:flutter/src/a.dart:1:2)
════════════════
══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═════════
The following message was thrown:
Multiple exceptions (2) were detected during the running of the current test, and at least one was
unexpected.
════════════════
00:05 +3 -1: {ROOT}/packages/ui/test/w_test.dart: Row fits [E]
  Test failed. See exception logs above.
  The test description was: Row fits

00:06 +3 -1: Some tests failed.
"""
SINGLE = """00:00 +0: adds
00:00 +0 -1: adds [E]
  Expected: <3>
    Actual: <2>
  package:matcher     expect
  test/a_test.dart 7:33  main.<fn>

00:00 +0 -1: Some tests failed.
"""
ANALYSED = """Analyzing app...

  error • Undefined name 'x' • lib/cart.dart:3:10 • undefined_identifier
warning • Unused import • lib/cart.dart:1:8 • unused_import
   info • Prefer const • lib/a.dart:2:3 • prefer_const_constructors

3 issues found. (ran in 1.2s)
"""
DART_ANALYSED = """Analyzing app...

  error - lib/cart.dart:3:10 - Undefined name 'x'. Try correcting the name. - undefined_identifier

1 issue found.
"""
TOLD = {
    "expanded": (
        EXPANDED,
        [
            ("test/cart_test.dart: Cart adds", "test/cart_test.dart", 7),
            ("test/web_test.dart: (setUpAll)", "test/web_test.dart", 4),
            ("test/slow_test.dart: waits", "test/slow_test.dart", None),
        ],
    ),
    "github": (
        GITHUB,
        [
            ("test/w_test.dart: Counter works", "test/w_test.dart", 19),
            ("test/broken_test.dart", "test/broken_test.dart", 3),
        ],
    ),
    "layout": (LAYOUT, [("packages/ui/test/w_test.dart: Row fits", "packages/ui/test/w_test.dart", None)]),
    "single": (SINGLE, [("test/a_test.dart: adds", "test/a_test.dart", 7)]),
    "analysed": (
        ANALYSED,
        [("undefined_identifier lib/cart.dart:3:10", "lib/cart.dart", 3)],
    ),
    "dart analyze": (DART_ANALYSED, [("undefined_identifier lib/cart.dart:3:10", "lib/cart.dart", 3)]),
}
MESSAGES = {
    "expanded": "Expected: <3>\n  Actual: <2>",
    "github": "Expected: exactly one matching candidate\n  Actual: _TextWidgetFinder:<Found 0 widgets>",
    "layout": "A RenderFlex overflowed by 42 pixels on the right.",
    "analysed": "Undefined name 'x'",
}


def parse(read, text):
    return [one for told in read(text) for one in told.failures]


@pytest.mark.parametrize("form", TOLD)
def test_what_failed_is_told(form, read):
    text, expected = TOLD[form]
    assert [(one.name, one.file, one.line) for one in parse(read, text)] == expected


@pytest.mark.parametrize("form", MESSAGES)
def test_the_message_is_the_assertion(form, read):
    assert parse(read, TOLD[form][0])[0].message == MESSAGES[form]


@pytest.mark.parametrize("form", ["expanded", "github", "layout", "single"])
def test_the_last_status_confirms_what_was_read(form, read):
    assert {one.confidence for one in parse(read, TOLD[form][0])} == {"high"}


def test_a_command_names_only_tests(read):
    (tale,) = read(EXPANDED)
    command = tale.parser.rerun([one for one in tale.failures if "Cart" in one.name])
    assert command == "dart test test/cart_test.dart --name '^(?:Cart adds)$'"
    assert (
        tale.parser.rerun([one for one in tale.failures if "(setUpAll)" in one.name]) == "dart test test/web_test.dart"
    )


def test_flutter_runs_its_own_again(read):
    (tale,) = read(GITHUB.partition("##[group]❌ loading")[0])
    assert tale.parser.rerun(tale.failures) == "flutter test test/w_test.dart --name '^(?:Counter works)$'"


def test_infos_beside_warnings_fail_flutter_only(read):
    dart = (
        "warning - lib/a.dart:1:2 - Unused. - unused_import\n   info - lib/a.dart:3:4 - Sort. - directives_ordering\n"
    )
    flutter = (
        "warning • Unused • lib/a.dart:1:2 • unused_import\n   info • Sort • lib/a.dart:3:4 • directives_ordering\n"
    )
    names = [
        [one.line for tale in read(f"Analyzing app...\n{log}\n") for one in tale.failures] for log in (dart, flutter)
    ]
    assert names == [[1], [1, 3]]


def test_an_error_whose_rule_is_masked_as_a_secret_is_told():
    masked = ANALYSED.replace("undefined_identifier", "REDACTED_TOKEN")
    assert [one.name for one in ci_failures.parse(masked.encode()).failures if one.line == 3] == [
        "REDACTED_TOKEN lib/cart.dart:3:10"
    ]


def test_several_errors_because_of_which_a_test_cannot_be_loaded_are_told():
    errors = "".join(f"test/a_test.dart:{at}:5: Error: Undefined name 'x'.\n    x;\n    ^\n" for at in (7, 9))
    load = '00:01 +0 -1: loading test/a_test.dart [E]\n  Failed to load "test/a_test.dart": Compilation failed\n'
    log = f"00:00 +0: loading test/a_test.dart\n{errors}{load}00:01 +0 -1: Some tests failed.\n"
    report = ci_failures.parse(log.encode())
    assert sorted(one.line for one in report.failures if one.tool == "dart-compiler") == [7, 9]
