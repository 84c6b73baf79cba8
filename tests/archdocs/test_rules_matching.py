"""Rules of a pattern: what they hit, and what switches them off."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.rules.rule_parser import InvalidRule, load_documents
from stithy_archdocs.rules.rulebook import load_rules
from stithy_archdocs.rules.syntax_trees import NotCheckable, run_contained
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import check_sources
from stithy_archdocs.validation.validation_tool import extract_requirements

RULE = {
    "id": "no-print",
    "language": "python",
    "severity": "error",
    "message": "no $A",
    "rule": {"pattern": "print($A)"},
}

PIECES = (
    *("# A", "## Bad", "```yaml ast-grep", "```", "~~~", "> ```yaml policy", "---", "", "é\u2028", "- b must c"),
    *("id: a", "rule: {pattern: x}", "language: go", "imports: [", "policy: {imports: {disallow: [a]}}"),
)


def document(*blocks, matter="", words="yaml ast-grep"):
    bodies = "\n".join(
        f"```{words}\n{block if isinstance(block, str) else json.dumps(block)}\n```\n" for block in blocks
    )
    text = f"{matter}# Printing\n\n## Rules\n\n{bodies}"
    return parse_document(DocumentFile("mcp/resources/patterns/p.md", DocumentKind.PATTERN, "p.md", ()), text.encode())


def lines(rules, code, language="python", path=""):
    return [
        (one.rule, one.line)
        for one in check_sources(rules, [CodeSource(path=path, code=code)], language=language).violations
    ]


def test_a_rule_hits_code_and_neither_comments_nor_strings():
    rules = load_rules(document(RULE | {"invalid": ["print(1)"]}))
    assert lines(rules, "# print(1)\ns = 'print(2)'\nprint(3)\n") == [("no-print", 3)]
    assert not rules.problems


def test_matched_text_is_inserted_in_message_and_fix():
    rule = RULE | {"rule": {"pattern": "print($A, $$$REST)"}, "fix": "log($A, $$$REST)"}
    found = check_sources(
        load_rules(document(rule)), [CodeSource(code="print('é', 1, 2)")], language="python"
    ).violations[0]
    assert (found.description, found.fix) == ("no 'é'", "log('é', 1, 2)")


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ({"invalid": ["log(1)"]}, "invalid sample 1: the rule does not hit it"),
        ({"valid": ["x = 1\nprint(1)"]}, "valid sample 1: the rule hits it in line 2"),
        ({"valid": ["x = ("]}, "cannot be parsed as python"),
        ({"rule": {"any": []}, "invalid": ["print(1)"]}, "the rule does not hit it"),
        ({"rule": {"kind": "nonsense"}}, "Kind `nonsense` is invalid"),
        ({"rule": {"patern": "print($A)"}}, "unknown field `patern`"),
    ],
)
def test_a_rule_that_fails_its_own_samples_is_disabled_and_listed(samples, said):
    rules = load_rules(document(RULE | samples))
    assert not rules.rules
    assert said in rules.disabled[0].reason
    assert [problem.rule for problem in rules.problems] == ["rule-fails-samples"]


def test_a_rule_without_an_invalid_sample_is_used_and_listed():
    rules = load_rules(document(RULE))
    assert lines(rules, "print(1)") == [("no-print", 1)]
    assert [problem.rule for problem in rules.problems] == ["rule-without-sample"]


@pytest.mark.parametrize(
    "block",
    [
        "id: [",
        "- 1",
        "a: &a [1]\nb: *a",
        RULE | {"id": "no spaces"},
        RULE | {"language": "sql"},
        RULE | {"severity": "fatal"},
        RULE | {"rule": "print"},
        {"id": "x", "language": "python"},
    ],
)
def test_a_rule_that_cannot_be_read_costs_no_other(block):
    rules = load_rules(document(block, RULE | {"invalid": ["print(1)"]}))
    assert [rule.id for rule in rules.rules] == ["no-print"]
    (problem,) = rules.problems
    assert (problem.rule, problem.path) == ("invalid-rule", "mcp/resources/patterns/p.md")
    assert problem.line >= 5


def test_two_rules_of_one_name_are_reported():
    rules = load_rules(document(RULE | {"invalid": ["print(1)"]}, RULE))
    assert "duplicate rule id 'no-print'" in rules.problems[0].message


def test_several_rules_stand_in_one_block():
    text = f"{json.dumps(RULE)}\n---\n{json.dumps(RULE | {'id': 'other'})}"
    assert [rule.id for rule in load_rules(document(text)).rules] == ["no-print", "other"]


def test_aliases_that_make_few_lines_millions_are_refused():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{c}: &{c} [{', '.join([f'*{p}'] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(InvalidRule, match="aliases"):
        list(load_documents(bomb))


def test_front_matter_says_for_which_files_all_rules_are():
    rules = load_rules(document(RULE, matter='---\nfiles: ["src/**"]\n---\n'))
    assert lines(rules, "print(1)", path="src/a/b.py") == [("no-print", 1)]
    assert lines(rules, "print(1)", path="tests/b.py") == []


def test_a_rule_passes_over_files_that_it_ignores():
    rules = load_rules(document(RULE | {"ignores": ["**/cli/**", "conftest.py"]}))
    assert lines(rules, "print(1)", path="src/cli/a.py") == lines(rules, "print(1)", path="a/conftest.py") == []
    assert lines(rules, "print(1)", path="src/a.py") == [("no-print", 1)]


def test_an_example_of_the_document_that_breaks_its_own_rule_is_listed():
    good = document(RULE | {"invalid": ["print(1)"]}).text + "\n## Example\n\n```python\nx = 1\nprint(2)\n```\n"
    shown = parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), good.encode())
    (problem,) = load_rules(shown).problems
    assert (problem.rule, problem.line) == ("example-breaks-rule", good.split("\n").index("print(2)") + 1)


@pytest.mark.parametrize("heading", ["## Bad example", "## Anti-patterns", "## Example\n\nDon't do this:\n"])
def test_an_example_marked_as_bad_may_break_the_rule(heading):
    text = document(RULE | {"invalid": ["print(1)"]}).text + f"\n{heading}\n\n```python\nprint(2)\n```\n"
    assert not load_rules(
        parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode())
    ).problems


@pytest.mark.parametrize(
    ("comment", "hit"),
    [
        ("print(1)  # stithy: allow no-print -- a demo", False),
        ("# stithy: allow no-print -- a demo\n# more\n\nprint(1)", False),
        ("# stithy: allow other, no-print -- a demo\nprint(1)", False),
        ("print(1)  # stithy: allow no-print", True),
        ("print(1)  # stithy: allow other -- a demo", True),
        ("print('stithy: allow no-print -- a demo')", True),
        ("# stithy: allow no-print -- a demo\nx = 1\nprint(1)", True),
        ("x = 1  # stithy: allow no-print -- a demo\nprint(1)", True),
    ],
)
def test_a_comment_that_names_the_rule_and_a_reason_allows_one_place(comment, hit):
    assert bool(lines(load_rules(document(RULE)), comment)) is hit


def test_a_comment_in_another_language_ends_before_its_mark():
    rule = RULE | {"language": "javascript", "rule": {"pattern": "alert($A)"}}
    found = check_sources(
        load_rules(document(rule)),
        [CodeSource(code="/* stithy: allow no-print -- old */\nalert(1)")],
        language="javascript",
    )
    assert [one.reason for one in found.suppressed] == ["old"]


def test_a_panic_of_ast_grep_is_contained(capfd):
    from ast_grep_py import SgRoot

    with pytest.raises(NotCheckable, match="LanguageNotSupported"):
        run_contained(lambda: SgRoot("select 1", "cobol"))
    capfd.readouterr()


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_document_breaks_the_reading_of_rules_and_of_prose(pieces):
    text = "\n".join(pieces)
    shown = parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode())
    last = text.count("\n") + 1
    places = [problem.line for problem in load_rules(shown).problems] + [
        point.line for point in extract_requirements(shown)
    ]
    assert all(1 <= line <= last for line in places)


def test_deep_nesting_made_on_purpose_is_refused_at_once():
    found = check_sources(load_rules(document(RULE)), [CodeSource(code="(" * 20_000 + ")" * 20_000)], language="python")
    assert "nested too deeply" in found.reasons[0]
    assert not found.checked


def test_a_place_that_cannot_be_parsed_is_located():
    found = check_sources(load_rules(document(RULE)), [CodeSource(code="x = 1\ndef f(:\n  pass")], language="python")
    assert [(one.line, one.column) for one in found.unparsed] == [(2, 7)]
    assert found.reasons == ["the code cannot be parsed as python"]


CALL = {"kind": "call_expression", "regex": "^gets"}
GETS = {"id": "no-gets", "language": "cpp", "rule": CALL, "invalid": ["void f() { gets(b); }"]}


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("class EXPORTED Foo : public Bar {\n  Q_OBJECT\npublic:\n  void f() { gets(b); }\n};\n", 4),
        ("UPROPERTY(EditAnywhere, Meta = (A, B))\nint32 health;\nvoid f() { gets(b); }\n", 3),
        ("static int __init start(void)\n{\n  gets(b);\n}\n", 3),
        ("void f() {\n  for_each_item(i, list) {\n    gets(i);\n  }\n}\n", 3),
        ("WARNINGS_PUSH\n\nnamespace a {\nvoid f() { gets(b); }\n}\n", 4),
    ],
)
def test_macros_of_c_plus_plus_hide_nothing(code, line):
    judged = check_sources(load_rules(document(GETS)), [CodeSource(code=code)], language="cpp")
    assert [(one.rule, one.line) for one in judged.violations] == [("no-gets", line)]
    assert judged.reasons == []


def test_macros_that_were_passed_over_are_named():
    code = "class EXPORTED Foo : public Bar {\n  int a;\n};\n"
    assert list(check_sources(load_rules(document(GETS)), [CodeSource(code=code)], language="cpp").macros) == [
        "EXPORTED"
    ]


def test_c_that_is_broken_is_not_checkable():
    judged = check_sources(load_rules(document(GETS)), [CodeSource(code="void f( { gets(b); )\n")], language="cpp")
    assert judged.reasons == ["the code cannot be parsed as cpp"]


@pytest.mark.parametrize(("code", "language"), [("namespace a { class B {}; }\n", "cpp"), ("int f(int new);\n", "c")])
def test_a_header_is_what_it_can_be_parsed_as(code, language):
    both = [GETS, GETS | {"id": "no-gets-c", "language": "c"}]
    assert check_sources(load_rules(document(*both)), [CodeSource(path="a.h", code=code)]).language == language
