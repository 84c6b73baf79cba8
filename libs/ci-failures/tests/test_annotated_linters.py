"""Linters in the forms that machines read, and gitlint, by the outputs of their newest versions."""

import ci_failures

JSHINT = "a.js:1:10: Missing semicolon.\nsrc/b.js:3:13: Expected an identifier and instead saw ''.\n\n2 errors\n"
NATIVE = """::group::q.sql
::warning title=SQLFluff,file=q.sql,line=1,col=10,endLine=1,endColumn=11::LT01: Expected single whitespace. [layout]
::endgroup::
"""
JSON = (
    '[{"file": "q.sql", "start_line": 1, "start_column": 10, "end_line": 1, "end_column": 11, "title": "SQLFluff", '
    '"message": "LT01: Expected single whitespace.", "annotation_level": "warning"}, {"file": "q.sql", '
    '"start_line": 2, "start_column": 3, "title": "SQLFluff", "message": "LT14: No.", "annotation_level": "warning"}]\n'
)
GITLINT = """Commit e0e33a2181:
1: T3 Title has trailing punctuation (.): "Two."
3: B5 Body message is too short (1<20): "x"

Commit 047fe641ae:
1: T3 Title has trailing punctuation (.): "WIP: one."
"""


def list_names(log):
    return [(one.tool, one.name, one.file, one.line) for one in ci_failures.parse(log.encode()).failures]


def test_the_unix_form_of_jshint_is_read_above_its_total():
    assert list_names(f"$ jshint --reporter=unix .\n{JSHINT}") == [
        ("jshint", "Missing semicolon. a.js:1:10", "a.js", 1),
        ("jshint", "Expected an identifier and instead saw ''. src/b.js:3:13", "src/b.js", 3),
    ]


def test_lines_of_another_tool_above_such_a_total_are_not_those_of_jshint():
    assert list_names(f"{JSHINT.replace('2 errors', '5 errors')}") == []


def test_the_commands_of_sqlfluff_are_read():
    assert list_names(f"$ sqlfluff lint\n{NATIVE}") == [("sqlfluff", "LT01 q.sql:1:10", "q.sql", 1)]


def test_the_annotations_of_sqlfluff_are_read():
    assert [row[1] for row in list_names(f"$ sqlfluff lint\n{JSON}")] == ["LT01 q.sql:1:10", "LT14 q.sql:2:3"]


def test_findings_of_gitlint_have_the_commit():
    names = ["T3 e0e33a2181 line 1", "B5 e0e33a2181 line 3", "T3 047fe641ae line 1"]
    assert [row[:2] for row in list_names(f"$ gitlint\n{GITLINT}")] == [("gitlint", name) for name in names]


def test_findings_of_gitlint_in_a_hook_have_no_commit():
    log = "1: T5 Title contains the word 'WIP': \"WIP: x\"\n3: B6 Body message is missing\n"
    assert [row[1] for row in list_names(f"gitlint.....Failed\n{log}")] == ["T5 line 1", "B6 line 3"]


def test_issues_in_the_form_of_azures_commands_are_read(read):
    log = (
        "##vso[task.logissue type=error;sourcepath=src/a.py;linenumber=1;columnnumber=8;code=F401;]`os` is not used\n"
        "##vso[task.logissue type=warning;sourcepath=src/a.py;linenumber=2;columnnumber=1;code=W1;]no\n"
    )
    (one,) = (one for tale in read(log) for one in tale.failures)
    assert (one.tool, one.name, one.message) == ("annotation", "F401 src/a.py:1:8", "`os` is not used")


def test_an_annotation_explains_the_total_of_the_linter_that_printed_it():
    log = "::error file=a.js,line=2,col=15,title=oxc::no\n\nFound 0 warnings and 1 error.\n"
    report = ci_failures.parse(log.encode())
    assert (len(report.failures), report.gaps) == (1, ())
