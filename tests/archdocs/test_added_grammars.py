"""Rules for TOML, SQL and Dockerfiles, whose grammars are the extra `grammars`."""

import json
import os
import subprocess
import sys

import pytest

PINNED = {"id": "pinned", "language": "dockerfile", "rule": {"kind": "image_tag", "regex": "^:latest$"}}
WHOLE_TABLES = {
    "id": "whole-tables",
    "language": "sql",
    "rule": {"pattern": "DELETE FROM $TABLE", "not": {"has": {"kind": "where", "stopBy": "end"}}},
}
NO_GIT = {"id": "no-git", "language": "toml", "rule": {"kind": "pair", "has": {"kind": "bare_key", "regex": "^git$"}}}


def write_pattern(*rules):
    """Return a pattern with some rules of ast-grep."""
    return "# Rules\n\n" + "\n".join(f"```yaml ast-grep\n{json.dumps(rule)}\n```\n" for rule in rules)


@pytest.fixture
def validate(stithy):
    """Return a function that runs `stithy archdocs validate` for one rule and one file."""

    def run(rule, path, code):
        return stithy({"mcp/resources/patterns/rules.md": write_pattern(rule), path: code}, "validate", "rules", path)

    return run


@pytest.mark.parametrize(
    ("rule", "path", "bad", "good"),
    [
        (PINNED, "Dockerfile", "FROM python:latest\n", "FROM python:3.11\n"),
        (PINNED, "web/Dockerfile.prod", "FROM python:latest\n", "# FROM python:latest\nFROM python:3.11\n"),
        (PINNED, "Containerfile", "FROM python:latest\n", "FROM python:3.11\n"),
        (WHOLE_TABLES, "a.sql", "DELETE FROM users;\n", "DELETE FROM users WHERE id = 1;\n"),
        (NO_GIT, "a.toml", '[a]\nb = {git = "x"}\n', '[a]\nb = "git"\n'),
    ],
)
def test_a_rule_finds_its_violations_and_no_others(validate, rule, path, bad, good):
    found = [
        (ran.exit_code, rule["id"] in ran.stdout) for ran in (validate(rule, path, bad), validate(rule, path, good))
    ]
    assert found == [(1, True), (0, False)]


def test_a_rule_is_suppressed_by_a_comment_of_the_language(validate):
    code = "DELETE FROM users; -- stithy: allow whole-tables -- once\n"
    assert validate(WHOLE_TABLES, "a.sql", code).exit_code == 0


def test_a_list_of_ignored_files_of_docker_is_no_dockerfile(validate):
    assert "pinned" not in validate(PINNED, "Dockerfile.dockerignore", "FROM python:latest\n").stdout


@pytest.mark.parametrize(
    ("language", "pattern", "hidden"),
    [("toml", 'name = "a"', "a"), ("dockerfile", "FROM $IMAGE:latest", "latest"), ("toml", "name = $X", "")],
)
def test_a_pattern_with_text_that_the_grammar_hides_is_refused(validate, language, pattern, hidden):
    """ast-grep would compare the rest alone, and `FROM $IMAGE:latest` would match `FROM a:1`."""
    ran = validate({"id": "one", "language": language, "rule": {"pattern": pattern}}, "a.toml", 'name = "b"\n')
    said = f"hides {hidden!r} from patterns" in ran.stdout + ran.stderr
    assert said == bool(hidden)


def test_without_the_extra_the_message_names_it(tmp_path):
    pattern = tmp_path / "mcp/resources/patterns/rules.md"
    pattern.parent.mkdir(parents=True)
    pattern.write_text(write_pattern(PINNED))
    (tmp_path / "Dockerfile").write_text("FROM python:latest\n")
    hidden = "import sys; sys.modules['tree_sitter_dockerfile'] = None; from stithy_core.cli import main; main()"
    command = [sys.executable, "-c", hidden, "archdocs", "validate", "rules", "Dockerfile"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert "unsupported language 'dockerfile'; its grammar is an extra: pip install \"stithy[grammars]\"" in (
        ran.stdout + ran.stderr
    )
