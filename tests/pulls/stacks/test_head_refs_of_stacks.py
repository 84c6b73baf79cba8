"""Stacks on forges that keep heads in other places: the steps run in a clone, whichever repository they fetch from."""

import anyio
import pytest
from forge_shapes import delete_branch, find_fork, list_entries, move_heads
from git_forge import git
from stack_cases import run

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SHAPES = ["merge-requests", "changes", "branches", "forks"]


@pytest.fixture
def manage_shape(tmp_path, served):
    """Call manage_stacked_prs for pull requests 1 and 2 on a forge of a shape, and return its object."""

    async def call_tool(shape):
        app = make_app(tmp_path, f'[forges.work]\nkind = "{shape}"\nurl = "{served.url}"\n', entries=list_entries())
        with anyio.fail_after(120):
            async with connect(app) as client:
                pulls = {"base_pr": "smith/anvil#1", "dependent_pr": "smith/anvil#2"}
                result = await client.call_tool("manage_stacked_prs", pulls)
        assert not result.is_error, result.content[0].text
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


def grow_pair(stack):
    """Open a pull request of two commits, and one of one commit on it."""
    stack.grow(1, "feat-a", "main", *((f"a{at}", {"base.txt": f"{at}\n"}) for at in (1, 2)))
    stack.grow(2, "feat-b", "feat-a", ("b1", {"b.txt": "b1\n"}))


def list_steps(found):
    """Return the lines that a person runs in a shell."""
    return [row["command"] for row in found["commands"] if row["type"] == "git"]


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_stack_is_moved_to_where_its_base_was_squashed(stack, manage_shape, perform, shape):
    grow_pair(stack)
    stack.squash(1, "feat-a")
    move_heads(stack.shop, shape)
    found = await manage_shape(shape)
    assert (found["found_by"], found["is_stacked"]) == ("git", True), found["text"]
    clone = perform(found)
    assert git(clone, "for-each-ref", "refs/stithy") == ""
    bare = find_fork(stack.shop) if shape == "forks" else stack.shop.bare
    main, ref = git(stack.shop.bare, "rev-parse", "main"), "refs/for/main" if shape == "changes" else "feat-b"
    assert git(bare, "log", "--format=%s", f"{main}..{ref}") == "b1"


@pytest.mark.parametrize("shape", ["merge-requests", "branches"])
async def test_a_level_is_moved_onto_the_open_pull_request_below(stack, manage_shape, perform, shape):
    """The target of the rebase is fetched from where the forge keeps the head of that pull request."""
    grow_pair(stack)
    stack.shop.switch("feat-a")
    stack.shop.commit("a3", {"base.txt": "3\n"})
    stack.show(1, "feat-a")
    move_heads(stack.shop, shape)
    found = await manage_shape(shape)
    assert (found["found_by"], found["is_stacked"]) == ("git", True), found["text"]
    fetched = next(line for line in list_steps(found) if line.startswith("git fetch"))
    refs = {
        "merge-requests": "refs/merge-requests/1/head refs/merge-requests/2/head",
        "branches": "refs/heads/feat-a refs/heads/feat-b",
    }
    assert f" {refs[shape]} && " in fetched
    clone = perform(found, last="git fetch")
    assert git(clone, "cat-file", "-t", stack.shop.pulls[1]["head"]["sha"]) == "commit"


async def test_the_steps_fetch_from_the_fork(stack, manage_shape, served, tmp_path):
    grow_pair(stack)
    stack.squash(1, "feat-a")
    move_heads(stack.shop, "forks")
    found = await manage_shape("forks")
    line = next(line for line in list_steps(found) if line.startswith("git fetch"))
    home, fork, *_ = line.split(" && ")
    assert f"{served.url}/smith/anvil.git" in home
    assert home.endswith(" refs/heads/main")
    assert f"{served.url}/guest/anvil.git" in fork
    assert fork.endswith(" refs/heads/feat-b")
    git(tmp_path, "clone", "-q", str(stack.shop.bare), "clone")
    git(find_fork(stack.shop), "branch", "-f", "feat-b", "feat-a")
    with pytest.raises(AssertionError, match="does not serve a commit that its API names"):
        run(tmp_path / "clone", line)


async def test_a_deleted_branch_leaves_the_stack_to_the_api(stack, manage_shape):
    grow_pair(stack)
    move_heads(stack.shop, "branches")
    delete_branch(stack.shop, "feat-b")
    found = await manage_shape("branches")
    assert found["found_by"] == "forge"
    cause = "git cannot fetch the head of smith/anvil#2: the source branch 'feat-b' of smith/anvil was deleted"
    assert f"{cause}; this forge keeps no ref of the pull request" in found["notes"][-1]
    assert not list_steps(found)
