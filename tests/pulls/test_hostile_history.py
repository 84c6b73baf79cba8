"""Histories that are written to be misread: names, paths and times that git takes and nobody has; real git."""

import pytest
from conflict_cases import LINES

from stithy_testing import connect

pytestmark = pytest.mark.anyio

CODE = "def bend():\n    return {}\n"


@pytest.fixture
def analyze(app_of, served):
    """Ask for the impact of a pull request, and give the object."""

    async def call_tool(pr, **arguments):
        async with connect(app_of(served)) as client:
            result = await client.call_tool("analyze_pr_impact", {"pr": pr, **arguments})
        assert not result.is_error, result.content[0].text
        return result.structured_content

    return call_tool


async def test_names_with_separators_are_names(shop, analyze):
    """A name may have any character but the end of a line, and does not shift the fields behind it."""
    evil = {f"GIT_{role}_NAME": "eve\x1fon\x1d\x1e" for role in ("AUTHOR", "COMMITTER")}
    shop.commit("Begin", {"a.py": CODE.format(1)})
    shop.commit("Reviewed\n\nReviewed-by: x\x1fy <x@example.org>", {"a.py": CODE.format(2)}, **evil)
    shop.branch("work")
    shop.commit("Change", {"a.py": CODE.format(3)}, **evil)
    found = await analyze(shop.pull(1, "work"))
    assert found["changes"]["files_changed"] == 1
    assert not [row for row in found["unknown"] if "git" in row["reason"]]


async def test_a_commit_of_the_year_10000_is_read(shop, analyze):
    late = {f"GIT_{role}_DATE": "@253402300800 +0000" for role in ("AUTHOR", "COMMITTER")}
    shop.commit("Begin", {"a.py": CODE.format(1)})
    shop.commit("Late", {"a.py": CODE.format(2)}, **late)
    shop.branch("work")
    shop.commit("Change", {"a.py": CODE.format(1)}, **late)
    found = await analyze(shop.pull(1, "work"))
    assert "it restores 1 code file as before" in str(found["risk_terms"])


async def test_a_path_that_looks_like_a_commit_is_a_path(shop, analyze):
    shop.commit("Begin", {"a.py": CODE.format(1)})
    sha = shop.commit("Merged", {"\x01.py": "A = 1\n", "\x1ebeef.py": CODE.format(2), "~.py": "A = 1\n"})
    shop.branch("work")
    shop.commit("Change", {"~.py": "A = 2\n"})
    shop.pull(2, "main", state="closed", merged=True, merge_commit_sha=sha, title="Pull 1")
    found = await analyze(shop.pull(1, "work"))
    (row,) = found["similar_prs"]
    assert row["terms"][0]["said"] == "1 of 3 files in common: ~.py"


async def test_a_conflict_in_such_a_path_names_its_last_changes(shop, served, ask):
    path = "\x1e>\x1f.txt"
    shop.commit("Begin", {path: LINES})
    shop.branch("work")
    shop.commit("Ten is X", {path: LINES.replace("line 10\n", "X\n")})
    shop.switch("main")
    shop.commit("Ten is Y", {path: LINES.replace("line 10\n", "Y\n")}, GIT_AUTHOR_NAME="eve\x1fon")
    (one,) = (await ask(served, shop.pull(1, "work")))["conflicts"]
    assert (one["base_touched"]["subject"], one["head_touched"]["subject"]) == ("Ten is Y", "Ten is X")


async def test_a_change_of_the_mode_restores_nothing(shop, analyze):
    """Its content was there before the latest two changes, but the pull request does not change it."""
    shop.commit("Begin", {"a.py": CODE.format(1)})
    shop.commit("Bend", {"a.py": CODE.format(2)})
    shop.commit("Straighten", {"a.py": CODE.format(1)})
    shop.branch("work")
    shop.work.joinpath("a.py").chmod(0o755)
    shop.commit("Make it a program")
    found = await analyze(shop.pull(1, "work"))
    assert "it restores" not in str(found["risk_terms"])


async def test_changes_of_the_mode_are_no_revert(shop, analyze):
    shop.commit("Begin", {"a.py": CODE.format(1)})
    for mode in (0o755, 0o644):
        shop.work.joinpath("a.py").chmod(mode)
        shop.commit("Revert the mode")
    shop.branch("work")
    shop.commit("Change", {"a.py": CODE.format(2)})
    found = await analyze(shop.pull(1, "work"))
    assert "reverted" not in str(found["risk_terms"])


async def test_code_owners_that_are_nested_too_deeply_are_an_invalid_line(shop, analyze):
    """The lines of Gitea are regular expressions, and compiling them is recursive."""
    nested = f"{'(' * 5_000}{')' * 5_000} @ada\n"
    shop.commit("Begin", {"CODEOWNERS": f"{nested}.* @bob\n", "a.py": CODE.format(1)})
    shop.branch("work")
    shop.commit("Change", {"a.py": CODE.format(2)})
    found = await analyze(shop.pull(1, "work"))
    assert "CODEOWNERS: 1 invalid line ignored: line 1: the expression is nested too deeply" in found["notes"]
