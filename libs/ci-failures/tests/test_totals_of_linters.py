# ruff: noqa: RUF001 -- the signs are those that Biome prints
"""`Found N errors` ends the output of ruff, tsc, mypy and Biome: it belongs to the tool that it ends."""

import pytest

import ci_failures

TSC = (
    "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    "a.ts(3,14): error TS2322: Type 'number' is not assignable to type 'string'.\n"
)
TSC_PRETTY = """a.ts:1:7 - error TS2322: Type 'string' is not assignable to type 'number'.

1 const x: number = "a";
        ~


Found 1 error in a.ts:1

"""
TSC_4_4 = TSC_PRETTY.replace(" in a.ts:1", ".")
RUFF = """F401 [*] `os` imported but unused
 --> b.py:1:8
  |
1 | import os
  |        ^^
2 | import sys
  |
help: Remove unused import: `os`
  |
  - import os
1 | import sys
  |

Found 1 error.
[*] 1 fixable with `--fix`.
"""
RUFF_CONCISE = "b.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with `--fix`.\n"
RUFF_PYLINT = "b.py:1: [F401] `os` imported but unused\n"
FLAKE8 = "c.py:1:8: F401 imported but unused\nc.py:3:1: E302 expected 2 blank lines\n"
MYPY = 'd.py:3: error: Name "x" is not defined  [name-defined]\nFound 1 error in 1 file (checked 1 source file)\n'
LINE = "━" * 30
BIOME_END = f"""Checked 1 file in 1198µs. No fixes applied.
Found 1 error.
Found 1 warning.
lint {LINE}

  × Some errors were emitted while running checks.

"""
BIOME = f"""e.ts:2:1 lint/suspicious/noDebugger  FIXABLE  {LINE}

  × This is an unexpected use of the debugger statement.

  > 2 │ debugger;
      │ ^^^^^^^^^

{BIOME_END}"""
DENO_ERROR = """TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.
  Type 'x' is not assignable to type 'y'.
  const x: number = "a";
        ~
    at file:///home/runner/work/app/app/{}

"""
DENO = (
    f"{DENO_ERROR.format('f.ts:1:7')}{DENO_ERROR.format('f.ts:2:7')}Found 2 errors.\n\nerror: Type checking failed.\n"
)
DENO_1 = f"error: {DENO_ERROR.format('f.ts:1:7')}{DENO_ERROR.format('f.ts:2:7')}Found 2 errors.\n"
DENO_ONE = f"{DENO_ERROR.format('g.ts:1:7')}error: Type checking failed.\n"
BIOME_SUMMARY = f"""reporter/violations {LINE}

  i The following files have violations:

  - e.ts (1 error, 1 warning)

{BIOME_END}"""
TOOLS = {
    "tsc": (TSC, {"TS2322 a.ts:1:7", "TS2322 a.ts:3:14"}),
    "pretty tsc": (TSC_PRETTY, {"TS2322 a.ts:1:7"}),
    "tsc 4.4": (TSC_4_4, {"TS2322 a.ts:1:7"}),
    "ruff": (RUFF, {"F401 b.py:1:8"}),
    "concise ruff": (RUFF_CONCISE, {"F401 b.py:1:8"}),
    "mypy": (MYPY, {"name-defined d.py:3"}),
    "deno": (DENO, {"TS2322 f.ts:1:7", "TS2322 f.ts:2:7"}),
    "deno 1": (DENO_1, {"TS2322 f.ts:1:7", "TS2322 f.ts:2:7"}),
    "deno with one error": (DENO_ONE, {"TS2322 g.ts:1:7"}),
    "biome": (BIOME, {"lint/suspicious/noDebugger e.ts:2:1"}),
}


@pytest.mark.parametrize("after", TOOLS)
@pytest.mark.parametrize("first", TOOLS)
def test_a_total_confirms_only_the_tool_whose_output_it_ends(first, after):
    report = ci_failures.parse((TOOLS[first][0] + TOOLS[after][0]).encode())
    assert {one.name for one in report.failures} == TOOLS[first][1] | TOOLS[after][1]
    assert {one.confidence for one in report.failures} == {"high"}
    assert report.gaps == ()


@pytest.mark.parametrize(
    ("text", "gap"),
    [
        (BIOME_SUMMARY, "biome counts failures in line 8, 'Found 1 error.'"),
        (BIOME_END, "biome counts failures in line 2, 'Found 1 error.'"),
        ("Found 0 warnings and 2 errors.\nFinished in 8ms.\n", "oxlint counts failures in line 1, 'Found 0 warnings"),
    ],
)
def test_a_summary_alone_is_one_gap_with_its_line(text, gap):
    report = ci_failures.parse(text.encode())
    assert report.status == "unknown"
    assert [one.startswith(f"input: {gap}") for one in report.gaps] == [True]


@pytest.mark.parametrize("linted", [FLAKE8, RUFF_PYLINT, TSC])
def test_the_summary_of_biome_counts_no_findings_of_the_linter_before_it(linted):
    report = ci_failures.parse((linted + BIOME_SUMMARY).encode())
    alone = ci_failures.parse(linted.encode())
    assert [(one.tool, one.name) for one in report.failures] == [(one.tool, one.name) for one in alone.failures]
    assert report.gaps == ("input: biome itself counts 1 failures, and 0 were read",)


def test_errors_that_biome_counts_and_does_not_print_are_a_gap():
    left_out = "The number of diagnostics exceeds the limit allowed. Use --max-diagnostics to increase it.\n"
    log = BIOME.replace("Checked ", f"{left_out}Diagnostics not shown: 4.\nChecked ").replace("1 error.", "5 errors.")
    report = ci_failures.parse(log.encode())
    assert report.gaps == ("input: biome itself counts 5 failures, and 1 were read",)
    assert [one.confidence for one in report.failures] == ["medium"]


def test_what_only_looks_like_the_total_of_biome_is_that_of_ruff_or_tsc():
    (gap,) = ci_failures.parse(b"Found 2 errors.\n").gaps
    assert gap.startswith("input: ruff or tsc or deno counts failures in line 1")


def test_an_error_of_types_is_told_without_the_source_below_it():
    first, _ = ci_failures.parse(DENO.encode()).failures
    assert first.message == (
        "Type 'string' is not assignable to type 'number'.\n  Type 'x' is not assignable to type 'y'."
    )


def test_errors_of_types_that_deno_counts_and_that_are_not_in_the_log_are_a_gap():
    report = ci_failures.parse(DENO.replace("Found 2 ", "Found 5 ").encode())
    assert report.gaps == ("input: deno itself counts 5 failures, and 2 were read",)


def test_commands_check_types_and_run_tests():
    log = f"{DENO}\n ERRORS\n\nadds => ./a_test.ts:5:12\nerror: no\n\n FAILURES\n\nFAILED | 0 passed | 1 failed (2s)\n"
    assert ci_failures.parse(log.encode()).commands == ("deno check f.ts; deno test a_test.ts '--filter=/^adds$/'",)


@pytest.mark.parametrize(
    ("total", "status"),
    [
        ("0 warnings and 0 errors", "passed"),
        ("2 warnings and 0 errors", "unknown"),
        ("1 warning and 3 errors", "unknown"),
    ],
)
def test_warnings_of_oxlint_are_no_proof_of_success(total, status):
    """With `--deny-warnings` it prints the same, and fails."""
    assert ci_failures.parse(f"Found {total}.\nFinished in 8ms on 2 files.\n".encode()).status == status
