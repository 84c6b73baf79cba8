"""`stithy archdocs validate` says what it did not check: rules, files, and names that cannot be shown."""

import json
import os
import sys
import xml.etree.ElementTree as ET

import pytest
from pattern_rules import NO_PRINT

PATTERN = "mcp/resources/patterns/p.md"
UNREAD = "id: x\nlanguage: go\nseverity: fatal\nrule: {pattern: f($A)}"
DISABLED = "id: x\nlanguage: go\nrule: {pattern: panic($A)}\ninvalid: ['package a']"
LARGE = "x" * 1_000_001


def make_pattern(*rules):
    blocks = (f"```yaml ast-grep\n{rule}\n```\n" for rule in (*rules, json.dumps(NO_PRINT)))
    return "# P\n\n" + "\n".join(blocks)


def make_policy(kind, **rule):
    return f"# P\n\n```yaml policy\n{json.dumps({kind: [{'id': 'r', **rule}]})}\n```\n"


@pytest.mark.parametrize(("rule", "said"), [(UNREAD, "invalid severity"), (DISABLED, "it fails its own samples")])
def test_a_rule_that_is_not_used_fails_a_strict_check(stithy, rule, said):
    files = {PATTERN: make_pattern(rule), "a.py": "x = 1\n"}
    result = stithy(files, "validate", "--all")
    assert (result.exit_code, result.stderr.count("Not used: rule x"), said in result.stderr) == (0, 1, True)
    assert stithy({}, "validate", "--all", "--strict").exit_code == 1


def test_a_baseline_names_what_it_cannot_have(stithy):
    files = {PATTERN: make_pattern(UNREAD), "a.py": "print(1)\n", "b.py": "x = ("}
    result = stithy(files, "validate", "--all", "--write-baseline")
    assert (result.exit_code, result.stdout) == (0, "1 violations added to baseline.json\n")
    assert "Not used: rule x" in result.stderr
    assert "b.py:1: cannot be parsed" in result.stderr
    assert stithy({}, "validate", "--all", "--write-baseline", "--strict").exit_code == 1


@pytest.mark.parametrize("form", ["sarif", "json", "junit"])
def test_reports_name_rules_that_are_not_used(stithy, form):
    result = stithy({PATTERN: make_pattern(UNREAD), "a.py": "x = 1\n"}, "validate", "--all", "--format", form)
    assert "rule x" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"), [(("check",), "No documents were found"), (("validate", "--all"), "Nothing was checked")]
)
def test_a_check_of_nothing_says_so_and_fails_if_it_is_strict(stithy, words, said):
    result = stithy({"docs/records/0001-x.md": "# X\n"}, *words)
    assert (result.exit_code, said in result.stderr) == (0, True)
    assert stithy({}, *words, "--strict").exit_code == 1


@pytest.fixture
def odd(tmp_path):
    """Write files whose names have a line break and bytes that are not UTF-8."""
    if sys.platform != "linux":
        pytest.skip("the file system refuses such names")
    for name in (b"bad\xff.py", b"new\nline.py"):
        (tmp_path / os.fsdecode(name)).write_text("print(1)\n")


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("words", [("--all",), ("p", "*.py")])
def test_files_whose_names_cannot_be_shown_are_not_checked(stithy, words):
    files = {PATTERN: make_pattern(), "a.py": "print(1)\n"}
    result = stithy(files, "validate", *words)
    assert result.stdout.split("\n")[0] == "a.py:1: warning: no print [no-print]"
    assert [line[: line.index(".py")] for line in result.stderr.splitlines()] == [
        "Not everything was checked: bad\\xff",
        "Not everything was checked: new\\nline",
    ]
    (run,) = json.loads(stithy({}, "validate", *words, "--format", "sarif").stdout)["runs"]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 2
    (suite,) = ET.fromstring(stithy({}, "validate", *words, "--format", "junit").stdout)
    assert (suite.get("tests"), suite.get("skipped")) == ("3", "2")
    assert stithy({}, "validate", *words, "--write-baseline", "--strict").exit_code == 1
    assert stithy({}, "validate", *words).exit_code == 0


@pytest.mark.usefixtures("odd")
def test_documents_whose_names_cannot_be_shown_are_named(stithy, tmp_path):
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / os.fsdecode(b"docs/adr/0001-\xff.md")).write_text("# A\n")
    assert stithy({}, "check").stdout.startswith("docs/adr/0001-\\xff.md: warning: not read: the name has")


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("texts", {"disallow": "T[O]DO"}),
        ("paths", {"files": ["*.py"], "name": ".*"}),
        ("independence", {"language": "python", "modules": ["a", "b"]}),
    ],
)
def test_rules_about_the_project_name_files_that_they_cannot_read(stithy, kind, rule):
    files = {PATTERN: make_policy(kind, **rule), "a.py": "", "b.py": ""}
    result = stithy(files, "validate", "--all", "--strict")
    assert (result.exit_code, result.stderr.count("bad\\xff.py: not read")) == (1, 1)
    limited = make_policy(kind, **rule, ignores=["bad*", "new*"])
    assert stithy({PATTERN: limited}, "validate", "--all", "--strict").exit_code == 0


def test_a_text_that_is_too_large_is_a_gap_and_a_file_without_text_is_none(stithy):
    files = {PATTERN: make_policy("texts", disallow="T[O]DO"), "a.txt": LARGE, "b.png": b"\x89PNG\0TODO"}
    result = stithy(files, "validate", "--all", "--strict")
    assert (result.exit_code, "a.txt: the file has more than" in result.stderr) == (1, True)
    assert "b.png" not in result.stderr
    assert stithy({"a.txt": "x"}, "validate", "--all", "--strict").exit_code == 0


def test_a_manifest_that_cannot_be_read_breaks_no_rule(stithy):
    rule = {"files": ["go.mod"], "require": ["github.com/a/b"]}
    result = stithy({PATTERN: make_policy("manifests", **rule), "go.mod": LARGE}, "validate", "--all")
    assert (result.exit_code, "go.mod cannot be read" in result.stderr) == (0, True)


def test_a_large_file_that_no_rule_is_for_is_no_gap(stithy):
    files = {PATTERN: make_pattern(), "a.py": "x = 1\n", "b.js": LARGE, "c.bin": LARGE}
    assert stithy(files, "validate", "p", "*.*", "--strict").exit_code == 0
    result = stithy({"d.py": LARGE}, "validate", "p", "*.*", "--strict")
    assert (result.exit_code, "d.py: the file has more than" in result.stderr) == (1, True)


def test_contracts_need_the_files_of_their_own_language_only(stithy):
    modules = {"language": "python", "modules": ["a", "b"]}
    texts = make_policy("texts", files=["*.js"], disallow="T[O]DO")
    text = texts + make_policy("independence", **modules).replace('"r"', '"s"')
    result = stithy({PATTERN: text, "a.py": "", "b.py": "", "c.js": LARGE}, "validate", "--all", "--format", "json")
    assert [one["what"] for one in json.loads(result.stdout)["not_checked"]] == ["c.js"]
