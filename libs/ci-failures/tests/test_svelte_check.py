"""The errors of svelte-check in each of its forms, as 4.7 prints them."""

import pytest

import ci_failures

APP = "/home/runner/work/app/app"
HUMAN = f"""\
{APP}/\x1b[32msrc/lib/cart.ts\x1b[39m:1:14
\x1b[31mError\x1b[39m: Type 'string' is not assignable to type 'number'.{" "}

{APP}/\x1b[32msrc/lib/Cart.svelte\x1b[39m:7:1
\x1b[33mWarn\x1b[39m: `<img>` element should have an alt attribute
https://svelte.dev/e/a11y_missing_attribute (svelte)

{APP}/\x1b[32msrc/lib/Cart.svelte\x1b[39m:4:9
\x1b[31mError\x1b[39m: Type 'number' is not assignable to type 'string'.
  No overload. (ts)

====================================
\x1b[31msvelte-check found 2 errors and 1 warning in 2 files
\x1b[39m"""
VERBOSE = f"""\
Loading svelte-check in workspace: {APP}
Getting Svelte diagnostics...

{APP}/src/lib/cart.ts:1:14
Error: Type 'string' is not assignable to type 'number'.{" "}
  export const n: number = "x";
export function f(s: string) {{ return s.length; }}

{APP}/src/lib/Cart.svelte:4:9
Error: Type 'number' is not assignable to type 'string'.
  No overload. (ts)
  let n = $props();
  const s: string = n;

====================================
svelte-check found 2 errors and 1 warning in 2 files
"""
MACHINE = f"""\
1796135190199 START "{APP}"
1796135190204 ERROR "src/lib/cart.ts" 1:14 "Type 'string' is not assignable to type 'number'."
1796135190204 WARNING "src/lib/Cart.svelte" 8:8 "Unused CSS selector \\".unused\\"\\nhttps://svelte.dev/e/css"
1796135190204 ERROR "src/lib/Cart.svelte" 4:9 "Type 'number' is not assignable to type 'string'.\\n  No overload."
1796135190204 COMPLETED 107 FILES 2 ERRORS 1 WARNINGS 2 FILES_WITH_PROBLEMS
"""
_OBJECT = '1796135205516 {{"type":"{}","filename":"{}","start":{},"end":{},"message":"{}","code":2322,"source":"ts"}}\n'
OBJECTS = "".join(
    [
        f'1796135205514 START "{APP}"\n',
        _OBJECT.format(
            "ERROR", "src/lib/cart.ts", '{"line":0,"character":13}', '{"line":0,"character":14}',
            "Type 'string' is not assignable to type 'number'.",
        ),
        _OBJECT.format("WARNING", "src/lib/Cart.svelte", '{"line":6,"character":0}', '{"line":6,"character":9}', "A"),
        _OBJECT.format(
            "ERROR", "src/lib/Cart.svelte", '{"line":3,"character":8}', '{"line":3,"character":9}',
            "Type 'number' is not assignable to type 'string'.\\n  No overload.",
        ),
        "1796135205517 COMPLETED 107 FILES 2 ERRORS 1 WARNINGS 2 FILES_WITH_PROBLEMS\n",
    ]
)  # fmt: skip
FORMS = {"human": HUMAN, "human-verbose": VERBOSE, "machine": MACHINE, "machine-verbose": OBJECTS}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_tells_the_same_errors(form):
    report = ci_failures.parse(FORMS[form].encode())
    assert [(one.tool, one.kind, one.file, one.line, one.message, one.confidence) for one in report.failures] == [
        (
            *("svelte-check", "compile", "src/lib/cart.ts", 1),
            *("Type 'string' is not assignable to type 'number'.", "high"),
        ),
        (
            *("svelte-check", "compile", "src/lib/Cart.svelte", 4),
            *("Type 'number' is not assignable to type 'string'.\n  No overload.", "high"),
        ),
    ]
    assert report.failures[1].name == "Type 'number' is not assignable to type 'string'. src/lib/Cart.svelte:4:9"
    assert (report.commands, report.gaps) == (("npx svelte-check",), ())


@pytest.mark.parametrize("form", FORMS)
def test_errors_that_are_counted_and_not_printed_are_a_gap(form):
    log = FORMS[form].replace("found 2 errors", "found 5 errors").replace("2 ERRORS", "5 ERRORS")
    report = ci_failures.parse(log.encode())
    assert {one.confidence for one in report.failures} == {"medium"}
    assert "svelte-check itself counts 5 failures, and 2 were read" in report.gaps[0]


def test_a_failure_of_another_tool_does_not_hide_the_total():
    log = "src/a.ts(1,7): error TS2322: Wrong.\nsvelte-check found 4 errors and 2 warnings in 6 files\n"
    report = ci_failures.parse(log.encode())
    assert [one.tool for one in report.failures] == ["tsc"]
    assert any("svelte-check" in gap for gap in report.gaps)


@pytest.mark.parametrize(
    "end",
    [
        "svelte-check found 0 errors and 0 warnings",
        "svelte-check found no errors and no warnings",
        "COMPLETED 9 FILES 0 ERRORS 3 WARNINGS 1 FILES_WITH_PROBLEMS",
    ],
)
def test_a_run_without_errors_passed(end):
    assert ci_failures.parse(f"{end}\n".encode()).status == "passed"


def test_an_error_below_a_place_is_read_only_where_svelte_check_runs():
    error = f"{APP}/src/a.ts:4:9\nError: no\n"
    assert [one for one in ci_failures.parse(error.encode()).failures if one.tool == "svelte-check"] == []
    called = ci_failures.parse(f"> svelte-check --tsconfig ./tsconfig.json\n\n{error}".encode())
    assert [(one.tool, one.line) for one in called.failures] == [("svelte-check", 4)]
