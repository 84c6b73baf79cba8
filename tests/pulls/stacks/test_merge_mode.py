"""The mode without a force push: a merge of the new base, in which a squash makes no conflict with itself."""

import pytest
from git_forge import git
from stack_cases import list_refs

from stithy_core.spi import UserError

pytestmark = pytest.mark.anyio

BASE = "smith/anvil#1"


def list_lines(found):
    return [row["command"] for row in found["commands"] if row["type"] == "git"]


def read_diff(bare, base, branch):
    """Return the files that a pull request changes, with their new content, as a forge shows it."""
    names = git(bare, "diff", "--name-only", f"{base}...{branch}").split()
    return {name: git(bare, "show", f"{branch}:{name}") for name in names}


@pytest.fixture
def touching(stack):
    """A base of two commits on one line that was squashed, and one above it that changes the same line."""
    stack.grow(1, "feat-a", "main", *((f"a{at}", {"base.txt": f"{at}\n"}) for at in (1, 2)))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"base.txt": "c1\n"}))
    stack.squash(1, "feat-a")
    return stack


async def test_a_squash_does_not_conflict_with_what_it_squashed(touching, manage, perform, tmp_path):
    """A plain merge of main would."""
    bare = touching.shop.bare
    plain = tmp_path / "plain"
    git(tmp_path, "clone", "-q", "-b", "feat-b", str(bare), "plain")
    with pytest.raises(AssertionError, match="CONFLICT"):
        git(plain, "merge", "origin/main")
    old = list_refs(bare, "refs/heads")
    found = await manage(BASE, None, merge=True)
    assert [row["predicted"] for row in found["merges"]] == ["clean", "clean"]
    assert found["rebase_strategy"]["recommended"] == "merge"
    assert not [line for line in list_lines(found) if "--force-with-lease" in line]
    perform(found)
    assert read_diff(bare, "main", "feat-b") == {"base.txt": "b1"}
    assert read_diff(bare, "feat-b", "feat-c") == {"base.txt": "c1"}
    for branch, parents in (("feat-b", ("feat-b", "main")), ("feat-c", ("feat-c", "feat-b"))):
        first = old[f"refs/heads/{parents[0]}"]
        assert git(bare, "log", "-1", "--format=%P", branch).split() == [first, git(bare, "rev-parse", parents[1])]


async def test_the_commits_of_others_that_stay_are_counted(touching, manage):
    """The branch above has none: nothing is said of it."""
    _, _, *costs = (await manage(BASE, None, merge=True))["rebase_strategy"]["considerations"]
    assert costs == ["2 commits of others, whose changes main has, stay in the list of commits of smith/anvil#2."]


async def test_what_is_merged_needs_no_second_merge(touching, manage, perform):
    perform(await manage(BASE, None, merge=True))
    for number, branch in ((2, "feat-b"), (3, "feat-c")):
        sha = git(touching.shop.bare, "rev-parse", branch)
        git(touching.shop.bare, "update-ref", f"refs/pull/{number}/head", sha)
        touching.shop.pulls[number]["head"]["sha"] = sha
    found = await manage(BASE, None, merge=True)
    assert not list_lines(found)


@pytest.mark.parametrize("merged", ["squash", "rebase", "join", "amended"])
async def test_all_ways_of_merging_and_siblings(stack, manage, perform, merged):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"base.txt": "b1\n"}))
    stack.grow(3, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.grow(4, "feat-d", "feat-a", ("d1", {"d.txt": "d1\n"}))
    stack.shop.switch("main")
    stack.shop.commit("Other work", {"other.txt": "other\n"})
    if merged == "amended":
        stack.shop.switch("feat-a")
        stack.shop.git("reset", "-q", "--hard", "feat-a~1")
        stack.shop.commit("a2, better", {"base.txt": "2\n", "more.txt": "more\n"})
        stack.force_push(1, "feat-a")
        base = "feat-a"
    else:
        getattr(stack, merged)(1, "feat-a")
        base = "main"
    perform(await manage(BASE, None, merge=True))
    bare = stack.shop.bare
    assert read_diff(bare, base, "feat-b") == {"base.txt": "b1"}
    assert read_diff(bare, "feat-b", "feat-c") == {"c.txt": "c1"}
    assert read_diff(bare, base, "feat-d") == {"d.txt": "d1"}


async def test_a_real_conflict_is_predicted_and_resolved_once(touching, clone, stack_command, manage):
    shop = touching.shop
    shop.switch("main")
    shop.commit("Another line", {"base.txt": "main\n"})
    shop.push("main:refs/heads/main")
    found = await manage(BASE, None, merge=True)
    assert [row["conflicting_files"] for row in found["merges"]] == [["base.txt"], ["base.txt"]]
    assert [row.get("predicted") for row in found["merges"]] == ["conflict", None]  # the second one is unknown
    place, before = clone(), list_refs(shop.bare)
    shown = await stack_command(place, BASE, "--merge")
    assert "#2 feat-b: 1 own commit, main is merged in; will stop at a conflict in base.txt\n" in shown
    assert f"stithy stack {BASE} --merge --run" in shown
    with pytest.raises(UserError, match=r"smith/anvil#2 has 1 file with conflicts: base\.txt"):
        await stack_command(place, BASE, "--merge", "--run")
    (worktree,) = (place / ".git").glob("stithy-3-*")
    (worktree / "base.txt").write_text("both\n")
    git(worktree, "add", "base.txt")
    with pytest.raises(UserError, match=r"smith/anvil#3 has 1 file with conflicts: base\.txt"):
        await stack_command(place, "--continue")
    (worktree / "base.txt").write_text("all\n")
    git(worktree, "add", "base.txt")
    git(worktree, "commit", "-q", "--no-edit")
    await stack_command(place, "--continue")
    await stack_command(place, "--push")
    assert read_diff(shop.bare, "main", "feat-b") == {"base.txt": "both"}
    assert read_diff(shop.bare, "feat-b", "feat-c") == {"base.txt": "all"}
    await stack_command(place, "--undo")
    assert list_refs(shop.bare) == before


async def test_it_is_pushed_where_the_server_refuses_force(touching, clone, stack_command):
    place, bare = clone(), touching.shop.bare
    git(bare, "config", "receive.denyNonFastForwards", "true")
    await stack_command(place, BASE, "--run")
    with pytest.raises(UserError, match="denying non-fast-forward"):
        await stack_command(place, "--push")
    await stack_command(place, "--undo")
    await stack_command(place, BASE, "--merge", "--run")
    await stack_command(place, "--push")
    assert read_diff(bare, "main", "feat-b") == {"base.txt": "b1"}
    with pytest.raises(UserError, match="denying non-fast-forward"):
        await stack_command(place, "--undo")


async def test_it_is_offered_where_rules_speak_for_it_with_the_costs_of_both(touching, manage, served):
    rules = {"branch_name": "main", "dismiss_stale_approvals": True, "required_approvals": 1}
    found = await manage(BASE, None)
    assert not [text for text in found["rebase_strategy"]["considerations"] if "merge=true" in text]
    for branch in ("main", "feat-b"):
        served.more[f"/branches/{branch}"] = {
            "name": branch,
            "protected": True,
            "effective_branch_protection_name": branch,
        }
    served.more["/branch_protections"] = [rules, rules | {"branch_name": "feat-b"}]
    considerations = (await manage(BASE, None))["rebase_strategy"]["considerations"]
    assert "The branch feat-b of smith/anvil#2 is protected: it may refuse a force push." in considerations
    assert "The rules of main dismiss approvals that a push makes stale." in considerations
    assert any(
        text.startswith("merge=true merges the new base into each branch instead. It costs") for text in considerations
    )
