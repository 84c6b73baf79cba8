"""Linters that have no report for machines, or whose report has no names: lines that their newest versions printed."""

import pytest

import ci_failures

FINDINGS = {
    "codespell": (
        ">    * recieve teh thing\n: Some text\ndocs/a.md:6: recieve ==> receive\ndocs/a.md:6: ther ==> there, their\n",
        ["codespell recieve docs/a.md:6", "codespell ther docs/a.md:6"],
    ),
    "cspell": (
        (
            "docs/a.md:6:6 - Unknown word (recieve) fix: (receive)\n"
            "docs/a.rst:5:4       - Unknown word (xyz) -- .. xyz::\n"
            "CSpell: Files checked: 3, Issues found: 2 in 2 files.\n"
        ),
        ["cspell recieve docs/a.md:6:6", "cspell xyz docs/a.rst:5:4"],
    ),
    "vulture": (
        (
            "src/a.py:2: unused import 'json' (90% confidence)\n"
            "src/a.py:9: unreachable code after 'return' (100% confidence)\n"
        ),
        ["vulture unused import 'json' src/a.py:2", "vulture unreachable code src/a.py:9"],
    ),
    "pyflakes, but not flake8": (
        (
            "src/a.py:1:1: 'sys' imported but unused\nsrc/b.py:1:7: invalid syntax\ndef f(:\n      ^\n"
            "src/a.py:3:1: F401 'os' imported but unused\n"
        ),
        [
            "pyflakes 'sys' imported but unused src/a.py:1:1",
            "pyflakes invalid syntax src/b.py:1:7",
            "flake8 F401 src/a.py:3:1",
        ],
    ),
    "doc8": (
        "docs/a.rst:1: D000 Inline emphasis start-string without end-string.\nTotal accumulated errors = 1\n",
        ["doc8 D000 docs/a.rst:1"],
    ),
    "rstcheck": (
        'docs/a.rst:5: (ERROR/3) Unknown directive type "x".\nError! Issues detected.\n',
        ["rstcheck ERROR docs/a.rst:5"],
    ),
    "pymarkdown": (
        "docs/a.md:8:1: MD033: Inline HTML [Element: b] (no-inline-html)\n",
        ["pymarkdown MD033 docs/a.md:8:1"],
    ),
    "jshint": (
        "web/a.js: line 2, col 31, Missing semicolon.\nweb/a.js: line 3, col 9, Bad thing. (W033)\n\n2 errors\n",
        ["jshint Missing semicolon. web/a.js:2:31", "jshint W033 web/a.js:3:9"],
    ),
    "djlint": (
        (
            f"\nLinting 1/1 files\n\n\nweb/a.html\n{'─' * 60}\nH005 1:0 Html tag should have a lang. <html>\n"
            "H022 2:16 Use HTTPS. <a\n\nLinted 1 file, found 2 errors.\n"
        ),
        ["djlint H005 web/a.html:1", "djlint H022 web/a.html:2:16"],
    ),
    "pydocstyle": (
        (
            "src/a.py:1 at module level:\n        D100: Missing docstring in public module\n"
            "src/a.py:3 in public function `f`:\n        D103: Missing docstring in public function\n"
        ),
        ["pydocstyle D100 src/a.py:1", "pydocstyle D103 src/a.py:3"],
    ),
    "xo": (
        (
            "\n  web/a.js:1:1\n  ✖  1:1   Unexpected var, use let or const instead.  no-var\n"
            "  ✖  2:31  Missing semicolon.                         @stylistic/semi\n\n  2 errors\n"
        ),
        ["xo no-var web/a.js:1:1", "xo @stylistic/semi web/a.js:2:31"],
    ),
    "xo, whose warnings are above": (
        (
            "\n  web/a.js:2:3\n  ⚠  1:1   Unexpected todo comment.  no-warning-comments\n"
            "  ✖  2:3   Unexpected var.           no-var\n\n  1 warning\n  1 error\n"
        ),
        ["xo no-var web/a.js:2:3"],
    ),
    "tsd": (
        (
            "\n  \033[4mindex.test-d.ts\033[24m:6:0\n"
            "  ✖   6:0   Expected \033[1mlabel\033[22m to be marked as @deprecated           \n"
            "  ✖  10:6   Argument of type string is not assignable to parameter of type number[].  \n\n"
            "  typings/other.test-d.tsx:3:19\n"
            "  ✖   3:19  Expected an error, but found none.                                   \n\n  3 errors\n\n"
        ),
        [
            "tsd Expected label to be marked as @deprecated index.test-d.ts:6",
            "tsd Argument of type string is not assignable to parameter of type number[]. index.test-d.ts:10:6",
            "tsd Expected an error, but found none. typings/other.test-d.tsx:3:19",
        ],
    ),
    "tsd, of its settings": (
        (
            "\n  package.json:1:30\n"
            "  ✖  1:30  TypeScript type definition index.d.ts is not part of the files list.  \n\n  1 error\n\n"
        ),
        ["tsd TypeScript type definition index.d.ts is not part of the files list. package.json:1:30"],
    ),
    "tsd, whose end npm cuts off": (
        (
            "> tsd\n\n\n  index.test-d.ts:4:0\n  ⚠  2:0  Old.  \n  ✖  4:0  Parameter type any is not.          \n"
            "  ✖  5:0  Parameter type any is not.                                   npm ERR! code ELIFECYCLE\n"
            "npm ERR! errno 1\n  ✖  6:0  Of another tool.\n"
        ),
        ["tsd Parameter type any is not. index.test-d.ts:4", "tsd Parameter type any is not. index.test-d.ts:5"],
    ),
    "tsd, which runs twice": (
        2 * "\n  a.test-d.ts:3:19\n  ✖  3:19  Expected an error, but found none.  \n\n  1 error\n\n",
        ["tsd Expected an error, but found none. a.test-d.ts:3:19"],
    ),
    "standard": (
        (
            "standard: Use JavaScript Standard Style (https://standardjs.com)\n"
            "standard: Run `standard --fix` to automatically fix some problems.\n"
            "  /home/runner/work/app/app/a.js:1:1: Unexpected var. (no-var) (warning)\n"
            "  /home/runner/work/app/app/a.js:2:5: 'a' is not defined. (no-undef)\n"
            "  /home/runner/work/app/app/b.js:1:10: Parsing error: Unexpected token ( (null)\n"
        ),
        ["standard no-undef a.js:2:5", "standard error b.js:1:10"],
    ),
    "commitlint": (
        (
            "⧗   input: bad\n✖   subject may not be empty [subject-empty]\n✖   type may not be empty [type-empty]\n\n"
            "✖   found 2 problems, 0 warnings\n"
        ),
        ["commitlint subject-empty commit message", "commitlint type-empty commit message"],
    ),
    "typos before 1.30": ("docs/a.md:6:6: `recieve` -> `receive`\n", ["typos recieve docs/a.md:6:6"]),
    "commands of a workflow": (
        (
            "::warning title=x,file=a.css,line=2::y\n"
            "::error title=lint/a11y/useAltText,file=web/a.html,line=1,col=13::Provide%0Aa\n"
            "::error file=a%2Cb.js,line=3::Expected a name%3A b\n"
        ),
        ["annotation lint/a11y/useAltText web/a.html:1:13", "annotation Expected a name: b a,b.js:3"],
    ),
}


@pytest.mark.parametrize(("text", "names"), FINDINGS.values(), ids=FINDINGS)
def test_findings_are_named_by_rule_and_place(text, names):
    report = ci_failures.parse(text.encode())
    assert sorted(f"{one.tool} {one.name}" for one in report.failures) == sorted(names)
    assert (report.status, report.gaps) == ("failed", ())


def test_a_command_of_a_workflow_repeats_what_a_parser_reads():
    log = "FAILED t.py::test_a - assert 1 == 2\n=== 1 failed in 0.10s ===\n::error file=t.py,line=3,title=test_a::no\n"
    assert [one.tool for one in ci_failures.parse(log.encode()).failures] == ["pytest"]


def test_a_total_of_tsd_tells_of_rows_that_are_missing():
    rows = "\n  a.test-d.ts:3:19\n  ✖  3:19  Expected an error, but found none.  \n\n"
    report = ci_failures.parse(f"{rows}  4 errors\n".encode())
    assert [(one.confidence, one.line) for one in report.failures] == [("medium", 3)]
    assert "4" in report.gaps[0]
    assert report.commands == ("npx tsd --files a.test-d.ts",)


def test_tsd_tests_all_files_again_if_one_of_them_is_no_test():
    rows = "\n  {0}:1:2\n  ✖  1:2  Bad.  \n"
    log = f"{rows.format('index.d.ts')}{rows.format('index.test-d.ts')}\n  2 errors\n"
    assert ci_failures.parse(log.encode()).commands == ("npx tsd",)


@pytest.mark.parametrize(
    "text",
    [
        "\n  src/a.ts:3:19\n  ✖  3:19  Parsing error: Unexpected token  \n\n",
        "==> Linting charts\nWe say a ==> b\nx: 3: a ==>\n",
        'see src/a.py:3 in public view:\n        D1: "x"\n',
        "  2 errors\n",
        "Dockerfile:1 is old\nnote: DL3007 warning: x\n",
        "::error file=x\n",
    ],
)
def test_other_lines_are_no_findings(text):
    assert ci_failures.parse(text.encode()).failures == ()


@pytest.mark.parametrize(
    ("line", "tool"),
    [
        ("Unfortunately, your project is not compliant with version 3.3 of the REUSE Specification :-(", "reuse"),
        ("RESULT: FAILED (minimum: 90.0%, actual: 0.0%)", "interrogate"),
        ("Schema validation errors were encountered.", "check-jsonschema"),
        ("❌ Validation failed with 3 errors and 4 warnings.", "redocly"),
    ],
)
def test_what_has_no_parser_is_never_passed(line, tool):
    report = ci_failures.parse(f"{'=' * 26} 1 passed in 0.10s {'=' * 26}\n{line}\n".encode())
    assert report.status == "unknown"
    assert f"{tool} reports a failure in line 2" in report.gaps[0]


def test_rows_of_bandit_end_where_others_begin_and_items_may_be_quoted():
    columns = "filename,test_name,test_id,issue_severity,issue_text,line_number,col_offset\n"
    rows = 'a.py,eval,B307,LOW,"Use it, or not.",7,11\nB999,not a row\nb.py,eval,B307,LOW,Lost,8,1\n'
    item = (
        "- code: 1 x = 'y'\n  col_offset: 4\n  filename: './b: c.py'\n  issue_severity: LOW\n"
        "  issue_text: 'A ''password'' that is long\n    enough for two lines'\n  line_number: 3\n  test_id: B105\n"
    )
    failures = ci_failures.parse(f"{columns}{rows}{item}- code: other\n  key: value\n".encode()).failures
    assert [(one.name, one.message) for one in failures] == [
        ("B307 a.py:7:11", "Use it, or not."),
        ("B105 b: c.py:3:4", "A 'password' that is long enough for two lines"),
    ]
