"""The whole stack in one call: everything that stands on a pull request, also beside each other."""

from pathlib import Path

import pytest
from git_forge import git
from stack_cases import Stack, Workshop

from stithy_testing import connect

pytestmark = pytest.mark.anyio

BASE = "smith/anvil#1"


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """A squashed base; 2 and 4 stand on it, 3 and 5 on 2, and 6 beside all of them."""
    stack = Stack(Workshop(tmp_path_factory.mktemp("forked")))
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    for number, branch, below in ((2, "feat-b", "feat-a"), (3, "feat-c", "feat-b"), (4, "feat-d", "feat-a")):
        stack.grow(number, branch, below, (branch[-1], {f"{branch}.txt": "1\n"}))
    stack.grow(5, "feat-e", "feat-b", ("e", {"a.txt": "another text\n"}))
    stack.grow(6, "beside", "main", ("f", {"f.txt": "1\n"}))
    stack.squash(1, "feat-a", files={"a.txt": "changed at the merge\n"})
    return stack.shop


@pytest.fixture
def whole(stack, forked):
    stack.shop.load(forked)
    return stack


@pytest.fixture
def manage_all(manage):
    """Return a function that asks for everything above a pull request."""

    async def call(base=BASE, **arguments):
        return await manage(base, None, **arguments)

    return call


def heads(shop):
    return {
        row.split()[0]: row.split()[1]
        for row in git(shop.bare, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads").splitlines()
    }


def resolve(folder):
    Path(folder, "a.txt").write_text("both\n")


async def test_one_list_of_commands_rebases_every_branch(whole, manage_all, perform, subjects):
    """Siblings, and a fork of the stack, each with its own commit on the new head below; nothing else moves."""
    found, before = await manage_all(), heads(whole.shop)
    perform(found, resolve)
    for branch, base, own in (
        ("feat-b", "main", "b"),
        ("feat-c", "feat-b", "c"),
        ("feat-e", "feat-b", "e"),
        ("feat-d", "main", "d"),
    ):
        assert subjects(branch, base) == [own]
    after = heads(whole.shop)
    assert {name for name in after if after[name] != before[name]} == {"feat-b", "feat-c", "feat-d", "feat-e"}


async def test_there_is_one_plan(whole, manage_all):
    """One push of four branches with leases, the stops of each commit, and what stands on what."""
    found = await manage_all()
    pushes = [row["command"] for row in found["commands"] if row["command"].startswith("git push")]
    assert len(pushes) == 1
    assert "--atomic" in pushes[0]
    assert pushes[0].count("--force-with-lease=refs/heads/feat-") == 4
    assert {row["message"]: row["predicted"] for row in found["own_commits"]} == {
        "b": "clean",
        "c": "clean",
        "d": "clean",
        "e": "conflict",
    }
    stands = {row["pr"][-1]: row.get("stands_on", "")[-1:] for row in found["stack_info"]["levels"]}
    assert stands == {"1": "", "2": "1", "3": "2", "5": "2", "4": "1"}
    assert (found["base_pr"], found["dependent_pr"]) == (BASE, "smith/anvil#3")
    retargets = [row["command"] for row in found["commands"] if "Change the base of" in row["command"]]
    assert [text.split("#")[1][0] for text in retargets] == ["2", "4"]


async def test_upstack_adds_what_is_beside_the_upper_one(whole, manage):
    alone, all_of_it = await manage(BASE, "smith/anvil#4"), await manage(BASE, "smith/anvil#4", upstack=True)
    assert {row["pr"][-1] for row in alone["own_commits"]} == {"4"}
    assert {row["pr"][-1] for row in all_of_it["own_commits"]} == {"2", "3", "4", "5"}
    assert alone["dependent_pr"] == all_of_it["dependent_pr"] == "smith/anvil#4"


async def test_what_the_forge_retargeted_is_found_by_its_commits(whole, manage_all):
    """After a merge that deletes the branch, a forge changes the base of what stood on it."""
    for number in (2, 4):
        whole.shop.pulls[number]["base"]["ref"] = "main"
    whole.drop("feat-a")
    found = await manage_all()
    assert {row["pr"][-1] for row in found["own_commits"]} == {"2", "3", "4", "5"}
    ways = {row["pr"][-1]: row.get("stands_by") for row in found["stack_info"]["levels"]}
    assert (ways["2"], ways["4"], ways["3"]) == ("history", "history", "name")


async def test_after_a_merge_commit_new_branches_do_not_stand_on_it(stack, manage_all):
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "1\n"}))
    stack.join(1, "feat-a")
    stack.grow(3, "later", "main", ("l1", {"l.txt": "1\n"}))
    found = await manage_all()
    assert {row["pr"][-1] for row in found["own_commits"]} == {"2"}


async def test_where_nothing_stands_on_it(whole, manage_all):
    found = await manage_all("smith/anvil#6")
    assert found["is_stacked"] is False
    assert found.get("dependent_pr") is None
    assert found["summary"]["reason"] == "no open pull request is stacked on smith/anvil#6: nothing to rebase"


async def test_a_branch_that_is_in_place_stays(whole, manage_all, perform, subjects):
    """Pull request 4 was rebased by hand; the others follow."""
    whole.shop.switch("feat-d")
    whole.shop.git("rebase", "-q", "--onto", "main", "feat-a")
    whole.show(4, "feat-d", "feat-a")
    found, before = await manage_all(), heads(whole.shop)
    perform(found, resolve)
    assert heads(whole.shop)["feat-d"] == before["feat-d"]
    assert subjects("feat-e", "feat-b") == ["e"]


async def test_without_git_the_names_show_the_stack(whole, manage_all):
    found = await manage_all(settings='[pulls]\ngit = ""\n')
    assert found["found_by"] == "forge"
    assert found["is_stacked"] is True
    assert [row["pr"][-1] for row in found["stack_info"]["levels"]] == ["1", "2", "3", "5", "4"]


async def test_conflicts_are_found_after_a_stack_was_read_without_files(whole, manage_all, app_of, served):
    """The stack's call has fetched the heads without their files, so the merge needs files that are not there yet."""
    stack = whole
    stack.grow(7, "clash", "beside", ("clash", {"a.txt": "a clash\n"}), mergeable=False)
    stack.show(7, "clash", "main")
    await manage_all()
    async with connect(app_of(served)) as client:
        result = await client.call_tool("detect_merge_conflicts", {"pr": "smith/anvil#7"})
    assert result.structured_content["has_conflicts"] is True


async def test_two_pull_requests_of_one_branch_are_moved_once(stack, manage_all, perform, subjects):
    """The second targets a release; a third stands on both. A push can move their branch only once."""
    stack.grow(1, "feat-a", "main", ("a1", {"base.txt": "1\n"}))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}))
    stack.shop.branch("release", "main")
    stack.shop.push("release:refs/heads/release")
    stack.shop.pull(3, "feat-b", "release")
    stack.grow(4, "feat-c", "feat-b", ("c1", {"c.txt": "c1\n"}))
    stack.shop.pull(5, "feat-b", "release", state="closed")
    stack.squash(1, "feat-a")
    found = await manage_all("smith/anvil#1")
    considered = found["rebase_strategy"]["considerations"]
    assert [text for text in considered if "has the branch of" in text] == [
        "smith/anvil#3 into release has the branch of smith/anvil#2: the push changes both."
    ]
    perform(found)
    assert (subjects("feat-b"), subjects("feat-c", "feat-b")) == (["b1"], ["c1"])
