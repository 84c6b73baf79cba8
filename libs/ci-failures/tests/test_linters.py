# ruff: noqa: RUF001 -- the signs are those that Biome prints
"""Linters, formatters, type checkers and compilers whose findings are lines, and what runs them as hooks."""

import pytest

import ci_failures

PYRIGHT = """\
/home/runner/work/app/app/src/cart.py
  /home/runner/work/app/app/src/cart.py:13:21 - error: "price" is not defined (reportUndefinedVariable)
  /home/runner/work/app/app/src/cart.py:14:5 - warning: Import "x" is not accessed (reportUnusedImport)
  /home/runner/work/app/app/src/cart.py:20:9 - error: Type "int" is not assignable to type "str"
  \N{NO-BREAK SPACE} "int" is not assignable to "str" (reportReturnType)
2 errors, 1 warning, 0 informations
"""
BIOME = """\
src/cart.js:5:1 lint/suspicious/noDebugger  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × This is an unexpected use of the debugger statement.

    4 │ console.log( y )
  > 5 │ debugger
      │ ^^^^^^^^

src/cart.js:1:1 lint/style/useConst ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  ! This let declares a variable that is only assigned once.

src/cart.js format ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × Formatter would have printed the following content:
"""
FORGE = """\
Ran 3 tests for test/Cart.t.sol:CartTest
[PASS] test_Increment() (gas: 31303)
[FAIL: assertion failed: 1 != 2] test_Adds() (gas: 12345)
[FAIL: overflow; counterexample: calldata=0x01 args=[1]] testFuzz_Set(uint256) (runs: 0, μ: 0, ~: 0)
Suite result: FAILED. 1 passed; 2 failed; 0 skipped; finished in 1.20ms (300.00µs CPU time)

Ran 1 test suite in 10.00ms (1.20ms CPU time): 1 tests passed, 2 failed, 0 skipped (3 total tests)

Failing tests:
Encountered 2 failing tests in test/Cart.t.sol:CartTest
[FAIL: assertion failed: 1 != 2] test_Adds() (gas: 12345)
[FAIL: overflow; counterexample: calldata=0x01 args=[1]] testFuzz_Set(uint256) (runs: 0, μ: 0, ~: 0)

Encountered a total of 2 failing tests, 1 tests succeeded
"""
HOOKS = """\
trim trailing whitespace.................................................Failed
- hook id: trailing-whitespace
- exit code: 1
- files were modified by this hook

Fixing src/cart.py

check yaml...............................................................Passed
black....................................................................Failed
- hook id: black
- exit code: 1

would reformat src/cart.py

Oh no! 💥 💔 💥
1 file would be reformatted.

no files.............................................(no files to check)Skipped
"""
GRADLE = """\
FAILURE: Build failed with an exception.

* Where:
Build file '/home/runner/work/app/app/core/build.gradle' line: 12

* What went wrong:
A problem occurred evaluating project ':core'.
> Could not get unknown property 'x' for project ':core'.

* Try:
> Run with --stacktrace option to get the stack trace.

BUILD FAILED in 3s
"""
GRADLE_TASK = """\
> Task :core:generateModel FAILED

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':core:generateModel'.
> unable to find the exploded archive

BUILD FAILED in 3s
"""

FINDINGS = {
    "black": (
        (
            "would reformat src/cart.py\nerror: cannot format src/b.py: Cannot parse: 1:11: def broken(:\n"
            "Oh no! 💥 💔 💥\n1 file would be reformatted, 3 files would be left unchanged, 1 file would "
            "fail to reformat.\n"
        ),
        ["black would reformat src/cart.py", "black cannot format src/b.py:1"],
    ),
    "isort": (
        "ERROR: /home/runner/work/app/app/src/cart.py Imports are incorrectly sorted and/or formatted.\n",
        ["isort imports src/cart.py"],
    ),
    "pylint": (
        (
            "************* Module cart\nsrc/cart.py:1:0: C0114: Missing module docstring (missing-module-docstring)\n"
            "src/b.py:1:11: E0001: Parsing failed: 'invalid syntax' (syntax-error)\n\n"
            "-----------------------------------\nYour code has been rated at 0.00/10\n"
        ),
        ["pylint C0114 src/cart.py:1", "pylint E0001 src/b.py:1:11"],
    ),
    "pyright": (
        PYRIGHT,
        ["pyright reportUndefinedVariable src/cart.py:13:21", "pyright reportReturnType src/cart.py:20:9"],
    ),
    "prettier": (
        (
            "Checking formatting...\n[warn] src/cart.js\n[error] src/b.ts: SyntaxError: ';' expected. (1:2)\n"
            "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n"
        ),
        ["prettier style src/cart.js", "prettier syntax src/b.ts:1"],
    ),
    "prettier without its end": ("[warn] src/cart.js\n", []),
    "biome": (BIOME, ["biome lint/suspicious/noDebugger src/cart.js:5:1", "biome format src/cart.js"]),
    "oxlint": (
        (
            "  x eslint(no-debugger): `debugger` is not allowed\n   ,-[src/cart.js:5:1]\n 5 | debugger\n   `----\n"
            "  ! eslint(no-unused-vars): Variable 'a' is never used.\n   ,-[src/b.ts:1:5]\n\n"
            "Found 1 warning and 1 error.\n"
        ),
        ["oxlint eslint(no-debugger) src/cart.js:5:1"],
    ),
    "stylelint": (
        (
            "\nsrc/a.css\n  1:2  ✖  Too many declarations  declaration-block-single-line-max"
            "-declarations\n"
            '  1:9  ✖  Expected "#FFFFFF" to be "#FFF"   color-hex-length\n\n✖ 2 problems (2 errors, 0 warnings)\n'
        ),
        [
            "stylelint color-hex-length src/a.css:1:9",
            "stylelint declaration-block-single-line-max-declarations src/a.css:1:2",
        ],
    ),
    "black before 26 and since": (
        (
            "error: cannot parse: src/b.py:1:11\n    def broken(:\n              ^\nParseError: bad input\n\n"
            "1 file would fail to reformat.\n"
        ),
        ["black cannot format src/b.py:1"],
    ),
    "markdownlint": (
        "README.md:1:1 error MD018/no-missing-space-atx No space\nREADME.md:7 MD012/no-multiple-blanks Two\n",
        ["markdownlint MD018 README.md:1:1", "markdownlint MD012 README.md:7"],
    ),
    "actionlint": (
        '.github/workflows/ci.yml:4:14: label "ubuntu-lates" is unknown. available labels are "x" [runner-label]\n',
        ["actionlint runner-label .github/workflows/ci.yml:4:14"],
    ),
    "yamllint": (
        (
            "./src/x.yaml\n  1:4       error    too many spaces after colon  (colons)\n  2:1  warning  x  (truthy)\n\n"
            'src/y.yaml:3:1: [error] duplication of key "b" in mapping (key-duplicates)\n'
        ),
        ["yamllint colons src/x.yaml:1:4", "yamllint key-duplicates src/y.yaml:3:1"],
    ),
    "ktlint and detekt": (
        (
            "/home/runner/work/app/app/src/Cart.kt:1:1: Missing newline (standard:final-newline)\n"
            "/home/runner/work/app/app/src/Cart.kt:12:5: The function total is too long. [LongMethod]\n"
        ),
        ["ktlint standard:final-newline src/Cart.kt:1:1", "ktlint LongMethod src/Cart.kt:12:5"],
    ),
    "ktlint under Gradle": (
        (
            "> Task :app:ktlintMainSourceSetCheck FAILED\n"
            '/home/runner/work/app/app/src/Cart.kt:3:18 Missing trailing comma before ")"\n'
            "/home/runner/work/app/app/src/Cart.kt:9:1 Trailing space(s)\n"
        ),
        ["ktlint ktlint src/Cart.kt:3:18", "ktlint ktlint src/Cart.kt:9:1"],
    ),
    "swiftlint": (
        (
            "/Users/runner/work/app/app/Sources/Cart.swift:3:1: error: Line Length Violation: Long (line_length)\n"
            "Done linting! Found 2 violations, 1 serious in 3 files.\n"
        ),
        ["swiftlint line_length Sources/Cart.swift:3:1"],
    ),
    "solc": (
        (
            'Error: Compiler run failed:\nError (3656): Contract "Cart" should be marked as abstract.\n'
            " --> contracts/Cart.sol:6:1:\n  |\n"
        ),
        ["solc 3656 contracts/Cart.sol:6:1"],
    ),
    "forge": (
        FORGE,
        ["forge test/Cart.t.sol:CartTest.test_Adds()", "forge test/Cart.t.sol:CartTest.testFuzz_Set(uint256)"],
    ),
    "dart's compiler": (
        (
            "lib/cart.dart:18:1:\nError: Expected a declaration, but got '}'.\n}\n^\n"
            "lib/till.dart:3:5: Error: Method not found: 'x'.\n"
        ),
        ["dart-compiler error lib/cart.dart:18:1", "dart-compiler error lib/till.dart:3:5"],
    ),
    "dart analyze, without its sign": (
        r"  error - Invalid constant value - lib\cart.dart:68:24 - invalid_constant" + "\n",
        ["dart-analyze invalid_constant lib/cart.dart:68:24"],
    ),
    "bundlers": (
        (
            "Module not found: Error: Can't resolve './cart' in '/home/runner/work/app/app/src'\n"
            '[vite]: Rollup failed to resolve import "./till" from "/home/runner/work/app/app/src/main.ts".\n'
            '✘ [ERROR] Could not resolve "./shop"\n'
        ),
        ["webpack cannot resolve './cart'", 'vite cannot resolve "./till"', 'esbuild cannot resolve "./shop"'],
    ),
    "pre-commit, but for what others tell": (
        HOOKS,
        ["pre-commit trailing-whitespace", "black would reformat src/cart.py"],
    ),
    "gradle, where": (GRADLE, ["gradle A problem occurred evaluating project ':core'"]),
    "gradle, a task": (GRADLE_TASK, ["gradle task :core:generateModel"]),
    "gradle, but for what others tell": (
        f"e: file:///home/runner/work/app/app/core/Cart.kt:3:8 Unresolved reference: x\n{GRADLE_TASK}",
        ["kotlinc core/Cart.kt:3:8"],
    ),
}


@pytest.mark.parametrize(("text", "names"), FINDINGS.values(), ids=FINDINGS)
def test_findings_are_told_by_rule_and_place(text, names):
    report = ci_failures.parse(text.encode())
    assert not report.gaps or not report.failures
    assert sorted(f"{one.tool} {one.name}" for one in report.failures) == sorted(names)
    assert {one.kind for one in report.failures} <= {"lint", "compile", "test"}
    for command in report.commands:
        assert "\n" not in command


def test_where_gradle_says_that_a_script_is_wrong():
    (one,) = ci_failures.parse(GRADLE.encode()).failures
    assert (one.file, one.line) == ("core/build.gradle", 12)
    assert one.message.endswith("Could not get unknown property 'x' for project ':core'.")


def test_modified_files_are_the_message_of_a_hook():
    (one, _) = sorted(ci_failures.parse(HOOKS.encode()).failures, key=lambda one: one.log_line)
    assert one.message == "files were modified by this hook\nFixing src/cart.py"


def test_places_in_the_output_of_check_yaml_are_told_and_not_the_hook():
    wrong = 'mapping values are not allowed in this context\n  in "b.yml", line 2, column 9\n'
    head = f"check yaml{'.' * 63}Failed\n- hook id: check-yaml\n- exit code: 1\n\n"
    log = f"{head}{wrong}{wrong.replace('b.yml', 'c.yml')}\n"
    assert [(one.name, one.file, one.line) for one in ci_failures.parse(log.encode()).failures] == [
        ("check-yaml b.yml:2:9", "b.yml", 2),
        ("check-yaml c.yml:2:9", "c.yml", 2),
    ]
