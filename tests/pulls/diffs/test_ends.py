"""Between which commits a diff is taken, however the pull request ended."""

import pytest

from stithy_testing import connect

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def begin(shop):
    """Two commits on a branch, and one on main beside it."""
    shop.commit("Begin", {"a": LINES, "b": LINES})
    shop.branch("work")
    shop.commit("One", {"a": LINES.replace("line 1\n", "one\n")})
    shop.commit("Two", {"a": LINES.replace("line 1\n", "one\n").replace("line 30\n", "thirty\n")})
    shop.switch("main")
    shop.commit("Beside", {"b": "other\n"})


def nothing(shop):
    return {}


def merge(shop):
    shop.git("merge", "-q", "--no-ff", "-m", "Merge", "work")
    return find_ends(shop)


def squash(shop):
    shop.git("merge", "-q", "--squash", "work")
    shop.commit("Squashed")
    return find_ends(shop)


def rebase(shop):
    shop.git("cherry-pick", "work~1", "work")
    return find_ends(shop)


def find_ends(shop):
    return {"state": "closed", "merged": True, "merge_commit_sha": shop.git("rev-parse", "main")}


def close_pull(shop):
    return {"state": "closed", "merged": False}


@pytest.mark.parametrize("end", [nothing, merge, squash, rebase, close_pull])
async def test_a_diff_is_the_same_before_and_after(shop, served, app_of, end):
    """Also where main went on, and where the base's SHA is that of now, as Gitea gives it."""
    begin(shop)
    fields = end(shop)
    shop.commit("Later", {"b": "later\n"})
    pr = shop.pull(1, "work", **fields)
    async with connect(app_of(served)) as client:
        result = await client.call_tool("analyze_pr_impact", {"pr": pr})
    found = result.structured_content
    assert (found["found_by"], found["changes"]["additions"]) == ("git", 2)
    assert found["impact_areas"][0]["files"] == ["a"]


async def test_a_fast_forward_is_found_by_the_base_that_was_recorded(shop, served, app_of):
    shop.commit("Begin", {"a": LINES})
    before = shop.git("rev-parse", "main")
    shop.branch("work")
    for word in ("one", "two"):
        shop.commit(word, {word: f"{word}\n"})
    shop.switch("main")
    shop.git("merge", "-q", "--ff-only", "work")
    base = {"ref": "main", "sha": before, "repo": {"full_name": shop.name, "archived": False}}
    pr = shop.pull(1, "work", **find_ends(shop), base=base)
    async with connect(app_of(served)) as client:
        result = await client.call_tool("analyze_pr_impact", {"pr": pr})
    assert result.structured_content["changes"]["files_changed"] == 2
