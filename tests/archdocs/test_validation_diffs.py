"""`validate-against-pattern` on diffs and pull requests: only new lines are judged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pattern_rules import NO_PRINT

from stithy_archdocs.validation.added_lines import iterate_changed_files
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

HORN = {
    "id": "no-raise",
    "language": "python",
    "message": "no raise",
    "rule": {"kind": "raise_statement"},
    "invalid": ["raise A"],
}
SETTINGS = '[archdocs]\nroot = "."\n[forges.play]\nkind = "sandbox"\n'
DIFF = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,3 +1,4 @@
 print(1)
-x = 2
+x = 3
+print(x)
 y = 4
"""


async def validate(folder, *rules, **arguments):
    pattern = folder / "mcp/resources/patterns/quiet.md"
    pattern.parent.mkdir(parents=True, exist_ok=True)
    blocks = "\n".join(f"```yaml ast-grep\n{json.dumps(rule)}\n```\n" for rule in rules or (NO_PRINT,))
    pattern.write_text(f"# Quiet\n\n{blocks}")
    async with connect(make_app(folder, SETTINGS)) as client:
        return (
            await client.call_tool("validate-against-pattern", {"pattern_name": "quiet"} | arguments)
        ).structured_content


async def test_only_new_lines_of_a_diff_are_judged(tmp_path):
    answer = await validate(tmp_path, diff=DIFF)
    assert [(row["file"], row["line"]) for row in answer["violations"]] == [("a.py", 3)]


async def test_a_diff_that_fits_the_working_tree_is_judged_in_its_file(tmp_path):
    (tmp_path / "a.py").write_text("print(1)\nx = 3\nprint(x)\ny = 4\nz = (\n")
    answer = await validate(tmp_path, diff=DIFF)
    assert [row["line"] for row in answer["violations"]] == [3]
    assert [row["line"] for row in answer["parse_errors"]] == [5]


async def test_a_hunk_within_a_function_is_judged_by_itself(tmp_path):
    diff = "+++ b/a.py\n@@ -10,2 +10,3 @@ def f():\n     x = 1\n+    y = 2\n     z = 3\n"
    answer = await validate(tmp_path, diff=diff)
    assert (answer["verdict"], answer["files_checked"]) == ("compliant", 1)


async def test_a_place_in_a_hunk_has_the_column_of_its_file(tmp_path):
    diff = "+++ b/a.py\n@@ -10,1 +10,2 @@ def f():\n     x = 1\n+    print(x)\n"
    (found,) = (await validate(tmp_path, diff=diff))["violations"]
    assert (found["line"], found["column"]) == (11, 5)


async def test_new_lines_that_cannot_be_parsed_alone_are_not_compliant(tmp_path):
    answer = await validate(tmp_path, diff="+++ b/a.py\n@@ -10,2 +10,2 @@\n     a,\n+    b = [\n")
    assert (answer["verdict"], answer["parse_errors"][0]["line"]) == ("not_checkable", 11)


async def test_a_diff_without_new_code_is_not_compliant(tmp_path):
    answer = await validate(tmp_path, diff="--- a/a.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-print(1)\n")
    assert (answer["verdict"], answer["why"]) == ("not_checkable", "the change adds no code")


async def test_a_pull_request_is_judged_by_its_new_lines(tmp_path):
    answer = await validate(tmp_path, HORN, pr="play:smith/anvil#2")
    assert [(row["file"], row["code"].partition("(")[0]) for row in answer["violations"]] == [
        ("anvil/horn.py", "raise ValueError")
    ]


async def test_a_pull_request_that_is_not_there_is_an_error(tmp_path):
    assert "smith/anvil has no pull request 999" in (await validate(tmp_path, pr="play:smith/anvil#999"))["error"]


def test_a_line_of_code_that_looks_like_a_head_is_code():
    diff = "+++ b/a.py\n@@ -1 +1,2 @@\n x\n+++ b/other.py\n+++ b/c d.py\t\n@@ -0,0 +1 @@\n+y\n"
    assert [(path, hunks[0].lines) for path, hunks in iterate_changed_files(diff)] == [
        ("a.py", ["x", "++ b/other.py"]),
        ("c d.py", ["y"]),
    ]


def test_a_quoted_name_is_read():
    assert [path for path, _ in iterate_changed_files('+++ "b/\\303\\251.py"\n@@ -0,0 +1 @@\n+y\n')] == ["é.py"]


@given(st.text(alphabet='@+- \n,1b/\\"x', max_size=200))
def test_no_text_breaks_the_reading_of_diffs(text):
    for _, hunks in iterate_changed_files(f"+++ b/a\n@@ -1,3 +1,9 @@\n{text}"):
        assert all(hunk.first <= line < hunk.first + len(hunk.lines) for hunk in hunks for line in hunk.added)
