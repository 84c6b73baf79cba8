# ruff: noqa: RUF001 -- the signs are those that the tools print
"""Result files that were printed into a log are read as files are, and one that breaks off is told."""

import json
import re

import pytest

import ci_failures

JUNIT = """<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="2" failures="1" errors="0">
    <testsuite name="src/a.test.ts" tests="2" failures="1" errors="0">
        <testcase classname="src/a.test.ts" name="Auth &gt; rejects">
            <failure message="expected 1 to be 2" type="AssertionError">
AssertionError: expected 1 to be 2
 ❯ src/a.test.ts:8:48
            </failure>
        </testcase>
        <testcase classname="src/a.test.ts" name="Auth &gt; accepts"/>
    </testsuite>
</testsuites>
"""
NAMED = [("vitest", "src/a.test.ts > Auth > rejects", "src/a.test.ts", 8)]
JEST = json.dumps(
    {
        "numTotalTestSuites": 1,
        "numFailedTests": 1,
        "success": False,
        "padding": "x" * 9_000,
        "testResults": [
            {
                "name": "/home/runner/work/app/app/src/a.test.ts",
                "status": "failed",
                "assertionResults": [
                    {"ancestorTitles": ["Auth"], "title": "rejects", "status": "failed", "failureMessages": ["no"]}
                ],
            }
        ],
    },
    separators=(",", ":"),
)


def read(text):
    return ci_failures.parse(text.encode())


def list_names(report):
    return [(one.tool, one.name, one.file, one.line) for one in report.failures]


def add_prefix(text, prefix):
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def test_junit_xml_in_a_log_is_read():
    assert list_names(read(f"$ npx vitest run\n{JUNIT}Done in 3 s.\n")) == NAMED


def test_junit_xml_behind_the_stamps_of_a_runner_is_read():
    assert list_names(read(add_prefix(f"$ npx vitest run\n{JUNIT}", "[2026-03-04T05:06:07.123Z] "))) == NAMED


def test_a_document_without_line_breaks_is_read_whole():
    (one,) = read(f"$ npx vitest run\n{JEST}\n").failures
    assert (one.tool, one.name) == ("vitest", "src/a.test.ts > Auth > rejects")


def test_a_document_without_line_breaks_is_read_whole_behind_a_prefix():
    (one,) = read(add_prefix(f"$ npx vitest run\n\n{JEST}", "test\tRun tests\t2026-03-04T05:06:07.1234567Z ")).failures
    assert one.name == "src/a.test.ts > Auth > rejects"


def test_a_document_that_breaks_off_leaves_the_status_unknown():
    head = "\n".join(JUNIT.splitlines()[:3])
    report = read(f"$ npx vitest run\n{head}\n")
    assert (report.status, len(report.gaps)) == ("unknown", 1)


def test_a_document_without_failures_is_a_total():
    passed = JUNIT.replace('failures="1"', 'failures="0"').partition("            <failure")[0]
    assert read(f"$ npx vitest run\n{passed}        </testcase>\n    </testsuite>\n</testsuites>\n").status == "passed"


def test_other_markup_is_not_taken_for_a_result():
    report = read('$ cat page.xml\n<?xml version="1.0"?>\n<page>\n<testsuite>\n</testsuite>\n</page>\n')
    assert list_names(report) == []


RUFF = '{"cell":null,"code":"F401","end_location":{},"filename":"a.py","location":{"column":8,"row":1},"message":"m"}'
PYLINT = '{"type":"error","module":"a","line":5,"column":4,"path":"a.py","message-id":"E0602","message":"m"}'
PYLINT_2 = '{"type":"error","symbol":"x","messageId":"E0602","line":5,"column":4,"path":"a.py","message":"m"}'
PYRIGHT = (
    '{"version":"1.1.4","time":"17","generalDiagnostics":[{"file":"a.py","severity":"error","message":"m",'
    '"range":{"start":{"line":4,"character":0}},"rule":"reportX"},{"file":"a.py","severity":"warning"}]}'
)
BANDIT = (
    '{"errors":[],"generated_at":"2026","metrics":{},"results":[{"filename":"./a.py","line_number":4,"col_offset":4,'
    '"test_id":"B102","issue_text":"m"}]}'
)
DOCUMENTS = {
    "ruff F401 a.py:1:8": f"[{RUFF}]",
    "pylint E0602 a.py:5:4": f"[{PYLINT}]",
    "pylint-2 E0602 a.py:5:4": f'{{"messages":[{PYLINT_2}],"statistics":{{}}}}',
    "pyright reportX a.py:5:1": PYRIGHT,
    "bandit B102 a.py:4:4": BANDIT,
}
INDENTS = {"ruff": 2, "bandit": 2}


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("around", [("", ""), ("Run checks\n", "Process completed with exit code 1.\n")])
def test_the_json_of_linters_of_python_is_read(name, around):
    tool = name.split()[0].partition("-")[0]
    document = json.dumps(json.loads(DOCUMENTS[name]), indent=INDENTS.get(tool, 4))
    report = ci_failures.parse(f"{around[0]}{document}{around[1]}".encode())
    assert [f"{one.tool} {one.name}" for one in report.failures] == [f"{tool} {name.partition(' ')[2]}"]


def test_the_lines_of_ruffs_json_lines_are_read():
    report = ci_failures.parse(f"Run ruff\n{RUFF}\n{RUFF.replace('F401', 'F841')}\nFound 2 errors.\n".encode())
    assert [one.name for one in report.failures] == ["F401 a.py:1:8", "F841 a.py:1:8"]


BIOME = (
    '{"summary":{"changed":0},"diagnostics":[{"severity":"error","message":"m","category":"lint/x","location":'
    '{"path":"a.js","start":{"line":2,"column":7}}},{"severity":"warning","category":"lint/y"}],"command":"check"}'
)
OXLINT = (
    '{ "diagnostics": [{"message": "m","code": "eslint(x)","severity": "error","filename": "a.js",'
    '"labels": [{"span": {"offset": 4,"length": 1,"line": 2,"column": 7}}]}], "number_of_files": 1 }'
)
STYLELINT = (
    '[{"source":"a.css","deprecations":[],"invalidOptionWarnings":[],"warnings":'
    '[{"line":2,"column":7,"rule":"x","severity":"error","text":"m (x)"}]}]'
)
ESLINT = (
    '{"results":[{"filePath":"a.js","messages":[{"ruleId":"x","severity":2,"message":"m","line":2,"column":7}]}],'
    '"metadata":{}}'
)


@pytest.mark.parametrize(
    ("document", "name"),
    [
        (BIOME, "biome lint/x a.js:2:7"),
        (OXLINT, "oxlint eslint(x) a.js:2:7"),
        (STYLELINT, "stylelint x a.css:2:7"),
        (ESLINT, "eslint x a.js:2:7"),
    ],
)
def test_the_json_of_linters_of_javascript_is_read(document, name):
    (found,) = ci_failures.parse(document.encode()).failures
    assert (f"{found.tool} {found.name}", found.message) == (name, "m")


@pytest.mark.parametrize("document", [BIOME, STYLELINT, ESLINT, ESLINT[11:-15]])
def test_a_long_line_of_json_in_a_log_is_read_whole(document):
    longer = document.replace(':"m', f':"{"m" * 5_000}')
    report = ci_failures.parse(f"Run lint\n{longer}\nProcess completed with exit code 1.\n".encode())
    assert len(report.failures) == 1


def test_output_behind_a_document_of_json_does_not_make_it_unreadable():
    report = ci_failures.parse(f"{ESLINT}\nerror: script failed\n".encode())
    assert [one.name for one in report.failures] == ["x a.js:2:7"]
    assert "other output follows" in report.gaps[0]


def test_output_behind_xml_does_not_make_it_unreadable():
    report = ci_failures.parse(f"{JUNIT}check failed\n".encode())
    assert (len(report.failures), report.status) == (1, "failed")
    assert "only its beginning was read" in report.gaps[0]


def test_output_behind_a_document_without_failures_leaves_the_status_unknown():
    report = ci_failures.parse(f"{ESLINT.replace('2,', '1,', 1)}\nerror: script failed\n".encode())
    assert report.status == "unknown"


SARIF = {
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [{"tool": {"driver": {"name": "ruff"}}, "results": [{
        "level": "error", "ruleId": "F401", "message": {"text": "m"}, "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": "a.py"}, "region": {"startLine": 1, "startColumn": 8}}}]}]}],
}  # fmt: skip
RDJSON = {
    "source": {"name": "ruff"},
    "diagnostics": [{"code": {"value": "F401"}, "message": "m", "severity": "ERROR", "location": {
        "path": "a.py", "range": {"start": {"line": 1, "column": 8}}}}],
}  # fmt: skip


@pytest.mark.parametrize("document", [SARIF, dict(reversed(SARIF.items())), RDJSON, dict(reversed(RDJSON.items()))])
@pytest.mark.parametrize("indent", [2, None])
def test_reports_of_linters_are_read_in_lines_and_behind_colours(document, indent):
    """jq sets the colours of each sign; ruff and Biome print two blanks of indentation."""
    text = json.dumps(document, indent=indent)
    coloured = re.sub(r'("[^"]*"|[\[\]{},:])', "\x1b[1;39m\\1\x1b[0m", text)
    for log in (coloured, f"$ lint\n{text}\n$ other\n", f"$ lint\n{coloured}\n$ other\n"):
        (one,) = ci_failures.parse(log.encode()).failures
        assert (one.tool, one.name) == ("ruff", "F401 a.py:1:8")
