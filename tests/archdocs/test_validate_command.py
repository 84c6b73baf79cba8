"""`stithy archdocs validate`: exit codes, JSON, and writing a baseline."""

import json

import pytest
from pattern_rules import NO_PRINT

from stithy_archdocs.checking.archdocs_commands import run
from stithy_testing import make_app


@pytest.fixture
def validate(project, tmp_path, capsys):
    project(
        {
            "mcp/resources/patterns/quiet.md": f"# Quiet\n\n```yaml ast-grep\n{json.dumps(NO_PRINT)}\n```\n",
            "a.py": "print(1)\n",
        }
    )

    def call(*words):
        app = make_app(tmp_path, '[archdocs]\nroot = "."\n')
        origin = next(origin for _, origin in app.commands if origin.entry_point == "archdocs")
        code = run(app.scope(origin), ["validate", *words])
        said = capsys.readouterr()
        return code, said.out + said.err

    return call


def test_a_violation_ends_with_one_and_names_its_place(validate):
    assert validate("quiet", "*.py") == (1, "a.py:1: warning: no print [no-print]\n1 files, 1 rules, 1 violations\n")


def test_a_written_baseline_makes_it_pass_until_there_is_one_more(validate, project):
    assert validate("quiet", "a.py", "--write-baseline")[0] == 0
    assert validate("quiet", "a.py") == (0, "1 files, 1 rules, 0 violations, 1 in the baseline\n")
    project({"a.py": "x = 1\nprint(1)\nprint(1)\n"})
    assert validate("quiet", "a.py")[0] == 1


def test_json_lists_the_same(validate):
    code, said = validate("quiet", "a.py", "--json")
    assert (code, json.loads(said)["violations"][0]["line"]) == (1, 1)


def test_unchecked_files_fail_with_strict_only(validate, project):
    project({"a.py": "x = ("})
    assert [validate("quiet", "a.py", *words)[0] for words in ((), ("--strict",))] == [0, 1]


@pytest.mark.parametrize("words", [("unknown", "a.py"), ("quiet", "b.py"), ("quiet", "../a.py")])
def test_a_missing_pattern_or_file_exits_with_two(validate, words):
    assert validate(*words)[0] == 2
