"""What is particular to builds of Next.js: where errors begin, what belongs to them, and what other parsers read."""

import ci_failures

HEAD = "> Build error occurred\nError: Turbopack build failed with {} errors:\n"
MISSING = "./app/page.js:1:1\nModule not found: Can't resolve './nowhere'\n> 1 | import './nowhere';\n    | ^^^\n\n\n\n"
CSS = (
    "./app/d.css:2:6\nError: Parsing CSS source code failed\n> 2 | .b } { x\n    |    ^\n\nInvalid empty selector\n\n"
    "Generated code of PostCSS transform of file content of app/d.css:\n./app/d.css:2:6\n> 2 | .b } { x\n\n\n"
)
WARNED = "Turbopack build encountered 1 warnings:\n./app/old.js:3:1\nExport absent doesn't exist in target module\n\n\n"
FONT = (
    "[next]/internal/font/google/geist.module.css\nnext/font: error:\nFailed to fetch `Geist` from Google Fonts.\n\n\n"
)


def parse(log):
    report = ci_failures.parse(log.encode())
    return [f"{one.tool} {one.name}" for one in report.failures], report.gaps


def test_an_error_has_the_file_above_it_and_is_told_once():
    names, gaps = parse(f"{WARNED}{HEAD.format(3)}{MISSING}{MISSING}{CSS}    at <unknown> (./app/d.css:2:6)\n")
    assert names == [
        "turbopack cannot resolve './nowhere' app/page.js:1:1",
        "turbopack Parsing CSS source code failed app/d.css:2:6",
    ]
    assert not gaps


def test_errors_that_are_counted_and_not_printed_are_a_gap():
    names, (gap,) = parse(HEAD.format(5) + MISSING + CSS)
    assert len(names) == 2
    assert "turbopack itself counts 5 failures, and 2 were read" in gap


def test_pages_that_could_not_be_built_are_told():
    page = 'Error occurred prerendering page "/cart". Read more: https://nextjs.org/docs\nError: no cart\n\n'
    data = "> Build error occurred\n[Error: Failed to collect page data for /api/till] { type: 'Error' }\n"
    assert parse(page + data)[0] == [
        'next cannot prerender "/cart"',
        "next cannot collect the data of page /api/till",
    ]


def test_code_of_next_itself_is_a_place():
    names, gaps = parse(HEAD.format(1) + FONT)
    assert (names, gaps) == (["turbopack next/font: error: [next]/internal/font/google/geist.module.css"], ())


def test_errors_of_types_and_rules_below_the_same_line_are_those_of_their_tools():
    types = "./app/a.tsx:3:7\nType error: Type 'string' is not assignable to type 'number'.\n\n"
    assert parse(f"Failed to compile.\n\n{types}")[0] == ["tsc type-error app/a.tsx:3:7"]
    rules = "./app/a.js\n3:10  Error: 'x' is defined but never used.  no-unused-vars\n\n"
    assert parse(f"Failed to compile.\n\n{rules}")[0] == ["eslint no-unused-vars app/a.js:3:10"]


def test_files_of_a_trace_are_no_errors():
    trace = "Import trace for requested module:\n./app/b.js\n./app/a.js\nError: is thrown elsewhere\n"
    log = f"Failed to compile.\n\n./app/a.js\nSyntax error: Unclosed block\n\n{trace}"
    assert parse(log)[0] == ["webpack Syntax error: Unclosed block app/a.js"]


def test_of_a_failed_build_without_a_known_error_its_last_words_are_a_hint():
    report = ci_failures.parse(b"Failed to compile.\n\n> Build failed because of webpack errors\n")
    assert [(one.confidence, one.message) for one in report.failures] == [("low", "Failed to compile.")]


def test_a_long_line_of_blanks_and_digits_takes_no_time():
    """Its pattern took three minutes to fail at this."""
    names, _ = parse(f"{HEAD.format(1)}./a.js:1:1\nNo\n{' ' * 1_300}{'1' * 1_300}{' ' * 1_300}x\n")
    assert names == ["turbopack No a.js:1:1"]
