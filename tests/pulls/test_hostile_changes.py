"""Changes that nobody wants to review: huge ones, empty ones, odd names; real git, a Gitea's API, both tools."""

import pytest
from conflict_cases import LINES, submodule
from git_forge import git

from stithy_testing import connect

pytestmark = pytest.mark.anyio


@pytest.fixture
def both(app_of, served):
    """Ask both tools, and give their objects with their texts."""

    async def call_tool(pr, **arguments):
        found = []
        async with connect(app_of(served)) as client:
            for tool in ("analyze_pr_impact", "get_review_suggestions"):
                result = await client.call_tool(tool, {"pr": pr})
                assert not result.is_error, result.content[0].text
                found.append(result.structured_content | {"text": result.content[0].text})
        return found

    return call_tool


def open_pull(shop, files, base=None, **fields):
    shop.commit("Begin", base or {"a.txt": LINES})
    shop.branch("work")
    shop.commit("Change", files)
    return shop.pull(1, "work", **fields)


async def test_a_diff_of_100_000_lines(shop, both):
    impact, review = await both(open_pull(shop, {"big.py": "".join(f"x{n} = {n}\n" for n in range(100_000))}))
    assert impact["changes"]["additions"] == 100_000
    (file,) = review["files"]
    assert (file["lines_shown"], file["lines_left_out"]) == (500, 99_501)


async def test_3_000_files(shop, both):
    impact, review = await both(open_pull(shop, {f"d{n % 40}/f{n}.py": f"{n}\n" for n in range(3_000)}))
    assert impact["changes"]["files_changed"] == 3_000
    assert impact["impact_areas"][0]["file_count"] == 75
    assert any(note.startswith("25 areas of lower risk are omitted") for note in impact["notes"])
    assert "nextCursor" in review


async def test_a_line_of_a_megabyte(shop, both):
    _, review = await both(open_pull(shop, {"a.js": "x" * 1_000_000}))
    assert "… [1000000 chars]" in review["files"][0]["diff_excerpt"]


async def test_a_pull_request_without_changes_is_noted(shop, both):
    impact, review = await both(open_pull(shop, {}))
    assert (impact["changes"]["files_changed"], review["files"]) == (0, [])
    assert "The pull request changes no file." in impact["notes"]
    assert "The pull request changes no file." in review["notes"]


async def test_binary_files_alone(shop, both):
    impact, review = await both(open_pull(shop, {"a.png": bytes(range(256)), "b.bin": b"\0\1"}))
    assert impact["changes"]["additions"] == 0
    assert {file["path"] for file in review["files"]} == {"a.png", "b.bin"}
    assert review["files"][0]["focus_points"] == []
    assert any(row["reason"] == "the file is binary" for row in review["unknown"])


async def test_a_submodule_moves(shop, both):
    shop.commit("Begin", {"a.txt": LINES})
    submodule(shop, "1" * 40)
    shop.branch("work")
    submodule(shop, "2" * 40)
    _, review = await both(shop.pull(1, "work"))
    assert review["files"][0]["focus_points"] == ["a submodule moved from 111111111111 to 222222222222"]


@pytest.mark.parametrize(
    "name", ['quo"ted.py', "tab\there.py", "line\nfeed.py", "ümläut.py", "-rf.py", "a b.py", ":(glob)x.py"]
)
async def test_a_path_comes_as_it_is(shop, both, name):
    shop.commit("Begin", {name: "old\n"}, GIT_AUTHOR_EMAIL="ada@forge.invalid", GIT_AUTHOR_NAME="Ada")
    shop.branch("work")
    shop.commit("Change", {name: "new\n"})
    impact, review = await both(shop.pull(1, "work"))
    assert impact["impact_areas"][0]["files"] == [name]
    assert (review["files"][0]["path"], review["files"][0]["diff_excerpt"]) == (name, "@@ -1,1 +1,1 @@\n-old\n+new")
    assert impact["suggested_reviewers"][0]["written_lines"] == 1


async def test_a_path_that_is_not_utf_8(shop, both):
    shop.commit("Begin", {"a.txt": LINES})
    shop.branch("work")
    (shop.work / b"caf\xe9.py".decode(errors="surrogateescape")).write_text("new\n")
    shop.commit("Add")
    impact, _ = await both(shop.pull(1, "work"))
    assert impact["changes"]["files_changed"] == 1


async def test_a_file_that_becomes_a_link_keeps_the_others_in_place(shop, both):
    shop.commit("Begin", {"a": "a\n", "b": "b\n", "c": "c\n"})
    shop.branch("work")
    (shop.work / "b").unlink()
    (shop.work / "b").symlink_to("a")
    shop.commit("Link", {"a": "x\n", "c": "y\n"})
    _, review = await both(shop.pull(1, "work"))
    excerpts = {file["path"]: file["diff_excerpt"] for file in review["files"]}
    assert excerpts["c"] == "@@ -1,1 +1,1 @@\n-c\n+y"
    assert "-b" in excerpts["b"]


async def test_lines_that_look_like_a_diff_are_lines(shop, both):
    text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n"
    _, review = await both(open_pull(shop, {"a.txt": text, "b.txt": "b\n"}))
    assert {file["path"]: file["additions"] for file in review["files"]} == {"a.txt": 4, "b.txt": 1}


async def test_attributes_and_configuration_of_the_repository_change_nothing(shop, both, tmp_path):
    files = {".gitattributes": "* -diff binary filter=x\n", "a.txt": LINES.replace("line 3\n", "three\n")}
    git(shop.bare, "config", "diff.external", f"touch {tmp_path}/sprung")
    _, review = await both(open_pull(shop, files))
    assert "+three" in next(file["diff_excerpt"] for file in review["files"] if file["path"] == "a.txt")
    assert not (tmp_path / "sprung").exists()


async def test_a_branch_that_is_gone(shop, both):
    pr = open_pull(shop, {"a.txt": "new\n"}, head={"ref": "refs/pull/1/head", "sha": "", "repo": None})
    shop.push("--delete", "refs/heads/work")
    impact, review = await both(pr)
    assert (impact["found_by"], review["found_by"]) == ("git", "git")


async def test_nested_code_is_read_within_bounds(shop, both):
    deep = "x = " + "[" * 20_000 + "]" * 20_000 + "\n"
    impact, _ = await both(open_pull(shop, {"deep.py": deep}, {"deep.py": "x = 1\n"}))
    assert impact["changes"]["files_changed"] == 1
