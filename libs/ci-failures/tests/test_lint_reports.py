"""Reports of Biome, oxlint and ruff in the forms of other tools, as Biome 2, oxlint 1 and ruff 0.15 print them."""

import io
import json

import pytest

import ci_failures
from ci_failures.results.files import read_file

BIOME = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Biome" tests="3" failures="3" errors="2" time="0.005">
    <testsuite name="src/b.js" tests="1" disabled="0" errors="0" failures="1" package="org.biome">
        <testcase name="org.biome.lint.correctness.noUnusedVariables" line="1" column="8">
            <failure message="This variable x is unused.">line 1, col 8, This variable x is unused.</failure>
        </testcase>
    </testsuite>
    <testsuite name="src/b.js" tests="1" disabled="0" errors="0" failures="1" package="org.biome">
        <testcase name="org.biome.lint.correctness.noUnusedVariables" line="3" column="12">
            <failure message="This variable y is unused.">line 3, col 12, This variable y is unused.</failure>
        </testcase>
    </testsuite>
    <testsuite name="src/b.js" tests="1" disabled="0" errors="0" failures="1" package="org.biome">
        <testcase name="org.biome.lint.security.noGlobalEval" line="3" column="24">
            <failure message="Do not use eval().">line 3, col 24, Do not use eval().</failure>
        </testcase>
    </testsuite>
</testsuites>
"""
OXLINT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Oxlint" tests="2" failures="0" errors="2">
    <testsuite name="src/b.js" tests="2" disabled="0" errors="2" failures="0">
        <testcase name="eslint(no-eval)">
            <error message="eval can be harmful.">line 3, column 24, eval can be harmful.</error>
        </testcase>
        <testcase name="eslint(no-eval)">
            <error message="eval can be harmful.">line 9, column 2, eval can be harmful.</error>
        </testcase>
    </testsuite>
</testsuites>
"""
CHECKSTYLE = """<?xml version="1.0" encoding="utf-8"?><checkstyle version="4.3"><file name="src/b.js">
<error line="3" column="24" severity="error" message="no" source="{}" /></file></checkstyle>"""
STYLISH = """
/home/runner/work/app/app/src/a.js
  2:15  error  `debugger` statement is not allowed  eslint(no-debugger)
  3:5   error  Variable 'unused' is declared but never used.  eslint(no-unused-vars)

✖ 2 problems (2 errors, 0 warnings)
"""
UNIX = "src/a.js:2:15: `debugger` statement is not allowed [Error/eslint(no-debugger)]\n\n1 problem\n"


def read(text):
    return read_file("results", io.BytesIO(text.encode()))


def rows(found):
    return [(one.tool, one.kind, one.name, one.line) for one in found]


def test_each_finding_of_biome_is_one_of_its_junit_file_and_counted_once():
    results = read(BIOME)
    assert rows(results.failures) == [
        ("biome", "lint", "lint/correctness/noUnusedVariables src/b.js:1:8", 1),
        ("biome", "lint", "lint/correctness/noUnusedVariables src/b.js:3:12", 3),
        ("biome", "lint", "lint/security/noGlobalEval src/b.js:3:24", 3),
    ]
    assert (results.counted, results.gap) == (None, "")


def test_each_finding_of_oxlint_is_one_of_its_junit_file():
    assert rows(read(OXLINT).failures) == [
        ("oxlint", "lint", "eslint(no-eval) src/b.js:3:24", 3),
        ("oxlint", "lint", "eslint(no-eval) src/b.js:9:2", 9),
    ]


@pytest.mark.parametrize(
    ("source", "tool"),
    [
        ("eslint(no-eval)", "oxlint"),
        ("typescript-eslint(no-explicit-any)", "oxlint"),
        ("lint/security/noGlobalEval", "biome"),
        ("format", "biome"),
        ("eslint.rules.no-eval", "eslint"),
        ("PHPCS.Rule", "phpcs"),
    ],
)
def test_a_rule_shows_whose_checkstyle_report_it_is(source, tool):
    assert [one.tool for one in read(CHECKSTYLE.format(source)).failures] == [tool]


@pytest.mark.parametrize("log", [STYLISH, UNIX])
def test_oxlint_prints_the_tables_of_eslint(log):
    report = ci_failures.parse(log.encode())
    assert {one.tool for one in report.failures} == {"oxlint"}
    assert report.failures[0].name == "eslint(no-debugger) src/a.js:2:15"
    assert report.commands == ("npx oxlint src/a.js",)


def test_reviewdogs_form_has_the_errors_of_its_source():
    def finding(rule, row, **more):
        place = {"path": "src/a.js", "range": {"start": {"column": 7, "line": row}, "end": {"column": 9, "line": row}}}
        return {"code": {"value": rule}, "location": place, "message": "no", **more}

    biome = {"source": {"name": "Biome"}, "diagnostics": [finding("a", 1, severity="ERROR")]}
    biome["diagnostics"].append(finding("b", 2, severity="WARNING"))
    assert rows(read(json.dumps(biome)).failures) == [("biome", "lint", "a src/a.js:1:7", 1)]
    ruff = {"diagnostics": [finding("F401", 3)], "severity": "WARNING", "source": {"name": "ruff", "url": "https://x"}}
    assert rows(read(json.dumps(ruff)).failures) == [("ruff", "lint", "F401 src/a.js:3:7", 3)]
