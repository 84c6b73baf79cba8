"""`validate-against-pattern`, as an agent calls it."""

import hashlib
import json

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PATTERN = """---
tags: [data]
---
# Repository pattern

Keep SQL in repositories.

## Rules

```yaml ast-grep
id: no-raw-sql
language: python
severity: error
message: "$CURSOR runs SQL outside of a repository"
note: Move the query into a class whose name ends in Repository.
rule:
  all:
    - pattern: $CURSOR.execute($$$ARGS)
    - not:
        inside:
          {kind: class_definition, stopBy: end, has: {field: name, regex: Repository$}}
valid:
  - |
    class UserRepository:
        def all(self):
            return self.cursor.execute("SELECT 1")
invalid:
  - cursor.execute("SELECT 1")
```

## Example

```python
class UserRepository:
    def all(self):
        return self.cursor.execute("SELECT 1")
```

## Best Practices

- Name repositories after what they hold.

Tests must not mock them. They are slow.
"""
HIT = 'cursor.execute("SELECT 1")\n'


@pytest.fixture
def project(tmp_path):
    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    write(
        {
            "mcp/resources/patterns/repository-pattern.md": PATTERN,
            "mcp/resources/patterns/prose.md": "# Prose\n\n- Be kind.\n",
        }
    )
    return write


ROOT = '[archdocs]\nroot = "."\n'


async def validate(folder, settings=ROOT, **arguments):
    async with connect(make_app(folder, settings)) as client:
        arguments = {"pattern_name": "repository-pattern"} | arguments
        result = await client.call_tool("validate-against-pattern", arguments)
        return result.structured_content | {"text": result.content[0].text}


async def test_a_violation_says_rule_place_and_what_to_do(project):
    answer = await validate(project({}), code=HIT, language="Python")
    assert (answer["verdict"], answer["compliant"], answer["pattern"]) == ("violations", False, "repository-pattern")
    (found,) = answer["violations"]
    assert (
        found
        | {
            "rule": "no-raw-sql",
            "severity": "error",
            "line": 1,
            "description": "cursor runs SQL outside of a repository",
        }
        == found
    )
    assert answer["suggestions"] == ["no-raw-sql: Move the query into a class whose name ends in Repository."]
    assert "line 1 error no-raw-sql" in answer["text"]


async def test_the_patterns_own_example_is_compliant(project):
    code = PATTERN.split("```python\n")[1].split("```", maxsplit=1)[0]
    answer = await validate(project({}), code=code)
    assert (answer["verdict"], answer["compliant"], answer["language"]) == ("compliant", True, "python")
    assert answer["rules_checked"] == ["no-raw-sql"]


async def test_words_in_a_comment_decide_nothing(project):
    answer = await validate(project({}), code="# cursor.execute, repository pattern\nx = 'cursor.execute(1)'\n")
    assert answer["compliant"] is True


async def test_prose_is_an_unchecked_checklist_and_never_compliant(project):
    answer = await validate(project({}), pattern_name="prose", code="x = 1", language="python")
    assert (answer["verdict"], answer["compliant"]) == ("not_checkable", False)
    assert answer["checklist"] == [{"section": "Prose", "text": "Be kind.", "line": 3, "checked": False}]


async def test_points_without_a_rule_are_listed_beside_the_verdict(project):
    answer = await validate(project({}), code="x = 1")
    assert [point["text"] for point in answer["checklist"]] == [
        "Name repositories after what they hold.",
        "Tests must not mock them. They are slow.",
    ]


@pytest.mark.parametrize(
    ("code", "language", "why"),
    [
        ("x = 1", "cobol", "unsupported language 'cobol'"),
        ("x = 1", "plsql", "unsupported language 'plsql'"),
        ("let x = 1;", "rust", "the document has no rule for rust at this path"),
        ("x = (\n", "python", "the code cannot be parsed as python"),
        ("func main() {}", None, "the code cannot be parsed as python"),
        ("\0", "python", "the code cannot be parsed as python"),
    ],
)
async def test_code_that_cannot_be_checked_is_reported(project, code, language, why):
    answer = await validate(project({}), code=code, **({"language": language} if language else {}))
    assert (answer["verdict"], answer["compliant"], answer["why"]) == ("not_checkable", False, why)


async def test_a_hit_beside_code_that_cannot_be_parsed_still_counts(project):
    answer = await validate(project({}), code=f"{HIT}x = (\n", language="python")
    assert answer["verdict"] == "violations"
    assert [row["line"] for row in answer["parse_errors"]] == [2]


async def test_a_disabled_rule_is_listed_and_nothing_is_called_compliant(project):
    broken = PATTERN.replace("  - cursor.execute", "  - cursor.run")
    answer = await validate(
        project({"mcp/resources/patterns/repository-pattern.md": broken}), code=HIT, language="python"
    )
    assert answer["verdict"] == "not_checkable"
    assert answer["not_checked"] == [
        {"what": "rule no-raw-sql", "reason": "disabled: invalid sample 1: the rule does not hit it"}
    ]


@pytest.mark.parametrize(
    "name",
    [
        "Repository-Pattern",
        "repository-pattern.md",
        "architecture://patterns/repository-pattern.md",
        "architecture://patterns/repository-pattern",
    ],
)
async def test_a_pattern_has_several_names(project, name):
    assert (await validate(project({}), pattern_name=name, code="x = 1"))["compliant"] is True


@pytest.mark.parametrize("kind", ["mcp/resources/patterns", "mcp/resources/guidelines", "docs/adr"])
async def test_every_path_that_search_returns_is_a_name(project, kind):
    folder = project({f"{kind}/0001-queries.md": PATTERN})
    async with connect(make_app(folder, '[archdocs]\nroot = "."\n')) as client:
        found = (await client.call_tool("search-architecture", {"query": "queries"})).structured_content
    paths = [row["path"] for row in found["results"]]
    assert f"{kind}/0001-queries.md" in paths
    for path in paths:
        assert (await validate(folder, pattern_name=path, code="x = 1"))["verdict"] == "compliant"


async def test_an_unknown_pattern_proposes_the_nearest(project):
    answer = await validate(project({}), pattern_name="repositry-pattern", code="x = 1")
    assert (answer["category"], answer["suggestion"]) == ("user", "Did you mean repository-pattern?")


async def test_a_name_that_means_several_patterns_lists_them(project):
    folder = project({"mcp/resources/patterns/a/x.md": "# X", "mcp/resources/patterns/b/x.md": "# X"})
    answer = await validate(folder, pattern_name="x", code="x = 1")
    assert "architecture://patterns/a/x.md, architecture://patterns/b/x.md" in answer["error"]


async def test_a_decision_record_may_carry_rules(project):
    folder = project(
        {"docs/adr/0001-sql.md": PATTERN.replace("# Repository pattern", "# 1. SQL\n\n## Status\n\nAccepted\n")}
    )
    assert (await validate(folder, pattern_name="0001-sql", code=HIT))["verdict"] == "violations"


async def test_code_files_diff_and_pr_exclude_one_another(project):
    assert "code is required, or one of files, diff, pr" in (await validate(project({})))["error"]
    assert "conflicting arguments: files and code" in (await validate(project({}), code="x", files=["a.py"]))["error"]
    assert (await validate(project({}), code="x" * 50_001))["code"] == -32602


async def test_files_are_judged_by_their_names(project):
    folder = project({"src/a.py": f"x = 1\n{HIT}", "src/b/c.py": HIT, "src/d.txt": HIT, "e.py": HIT})
    answer = await validate(folder, files=["src/**", "src/a.py"])
    assert [(row["file"], row["line"]) for row in answer["violations"]] == [("src/a.py", 2), ("src/b/c.py", 1)]
    assert [row["what"] for row in answer["not_checked"]] == ["src/d.txt"]


@pytest.mark.parametrize("name", ["../secret.py", "/etc/passwd", "link.py", "nothing.py", "no*.py", "a\0b"])
async def test_files_outside_of_the_project_are_refused(project, tmp_path_factory, name):
    outside = tmp_path_factory.mktemp("outside") / "secret.py"
    outside.write_text(HIT)
    folder = project({})
    (folder / "link.py").symlink_to(outside)
    assert (await validate(folder, files=[name]))["category"] == "user"


async def test_a_baseline_tells_known_hits_apart(project):
    digest = hashlib.sha256(b'cursor.execute("SELECT1")').hexdigest()[:16]
    hit = {"rule": "no-raw-sql", "file": "a.py", "hash": digest}
    folder = project({"a.py": HIT + HIT, "mcp/baseline.json": json.dumps({"version": 1, "hits": [hit]})})
    answer = await validate(folder, files=["a.py"])
    assert (len(answer["violations"]), len(answer["baselined"])) == (1, 1)


async def test_a_baseline_that_cannot_be_read_is_an_error(project):
    answer = await validate(project({"mcp/baseline.json": "[]"}), code="x = 1")
    assert "the baseline baseline.json cannot be read" in answer["error"]


async def test_an_allowed_place_is_listed_with_its_reason(project):
    answer = await validate(project({}), code=f"# stithy: allow no-raw-sql -- migration of 2026\n{HIT}")
    assert answer["compliant"] is True
    assert answer["suppressed"] == [{"rule": "no-raw-sql", "line": 2, "reason": "migration of 2026"}]


async def test_an_allowance_without_a_reason_counts_for_nothing(project):
    answer = await validate(project({}), code=f"# stithy: allow no-raw-sql\n{HIT}")
    assert answer["verdict"] == "violations"
    assert "without a reason" in answer["not_checked"][0]["reason"]


async def test_many_violations_come_in_pages(project):
    async with connect(make_app(project({}), ROOT)) as client:
        arguments = {"pattern_name": "repository-pattern", "code": HIT * 400, "language": "python"}
        seen, cursor = [], {}
        while cursor is not None:
            result = (await client.call_tool("validate-against-pattern", arguments | cursor)).structured_content
            seen += [row["line"] for row in result["violations"]]
            cursor = {"cursor": result["nextCursor"]} if "nextCursor" in result else None
    assert seen == list(range(1, 401))
