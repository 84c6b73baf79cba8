"""Which stacks are open in a repository, and what a merge does to what is stacked on it."""

import pytest
from stack_cases import Stack, Workshop

from stithy_testing import connect

pytestmark = pytest.mark.anyio

SETTINGS = '[serve]\ntoolsets = ["stacks"]\n'


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A stack of three with a branch beside, one with a squashed base, one that only commits show, and one alone."""
    stack = Stack(Workshop(tmp_path_factory.mktemp("several")))
    for number, branch, below in ((1, "a", "main"), (2, "b", "a"), (3, "c", "b"), (4, "d", "a")):
        stack.grow(
            number,
            branch,
            below,
            (branch, {f"{branch}.txt": "1\n"}),
            user={"id": number % 2, "login": f"p{number % 2}"},
        )
    stack.grow(5, "old", "main", ("old", {"old.txt": "1\n"}))
    stack.grow(6, "new", "old", ("new", {"new.txt": "1\n"}))
    stack.grow(7, "low", "main", ("low", {"low.txt": "1\n"}))
    stack.grow(8, "high", "low", ("high", {"high.txt": "1\n"}))
    stack.show(8, "high", "main")
    stack.grow(9, "alone", "main", ("alone", {"alone.txt": "1\n"}))
    stack.squash(5, "old")
    stack.shop.switch("a")
    stack.shop.commit("a, continued", {"a.txt": "2\n"})
    stack.show(1, "a")
    stack.shop.pulls[1]["user"] = {"id": 1, "login": "p1"}
    return stack.shop


@pytest.fixture
def call(stack, several, app_of, served):
    """Return a function that calls a tool on that repository."""
    stack.shop.load(several)

    async def call_tool(name, settings=SETTINGS, **arguments):
        async with connect(app_of(served, settings)) as client:
            result = await client.call_tool(name, arguments)
        assert not result.is_error, result.content[0].text
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


async def test_each_stack_is_listed_with_what_stands_on_what(call):
    found = await call("list_stacks", repository="smith/anvil")
    assert found["total"] == 3
    assert {stack["base_pr"][-1]: stack["depth"] for stack in found["stacks"]} == {"7": 2, "5": 2, "1": 3}
    (tree,) = [stack for stack in found["stacks"] if stack["base_pr"].endswith("#1")]
    stands = {row["pr"][-1]: (row.get("stands_on", "")[-1:], row.get("in_place")) for row in tree["pull_requests"]}
    assert stands == {"1": ("", None), "2": ("1", False), "3": ("2", True), "4": ("1", False)}
    assert (tree["authors"], tree["state"], tree["base"]) == (["p1", "p0"], "rebase needed", "main")
    assert "#3 c (open)" in tree["visualization"]


async def test_what_stands_on_a_merged_one_must_be_rebased(call):
    found = await call("list_stacks", repository="smith/anvil")
    (merged,) = [stack for stack in found["stacks"] if stack["base_pr"].endswith("#5")]
    assert [(row["state"], row.get("in_place")) for row in merged["pull_requests"]] == [
        ("merged", None),
        ("open", False),
    ]


async def test_commits_show_a_stack_that_no_branch_name_shows(call):
    """Pull requests from forks cannot target each other's branches."""
    found = await call("list_stacks", repository="smith/anvil")
    (hidden,) = [stack for stack in found["stacks"] if stack["base_pr"].endswith("#7")]
    assert [row.get("stands_by") for row in hidden["pull_requests"]] == [None, "history"]
    assert hidden["state"] == "in place"


async def test_without_git_the_names_are_left_and_the_state_is_unknown(call):
    found = await call("list_stacks", f'{SETTINGS}[pulls]\ngit = ""\n', repository="smith/anvil")
    assert [stack["base_pr"] for stack in found["stacks"]] == ["smith/anvil#1"]
    assert ("stacks[0].state", True) in [(row["field"], "git is disabled" in row["reason"]) for row in found["unknown"]]


async def test_the_tool_is_off_by_default(app_of, served):
    """The list of tools goes to the model with each request."""
    async with connect(app_of(served)) as client:
        assert "list_stacks" not in {tool.name for tool in (await client.list_tools()).tools}


async def test_a_merge_says_what_it_does_to_pull_requests_above(call):
    found = await call("check_merge_readiness", "", pr="smith/anvil#1")
    assert found["stacked_on_it"] == ["smith/anvil#2", "smith/anvil#4"]
    closing, moving = [note for note in found["notes"] if "#2, #4" in note]
    assert "deleting it closes them" in closing
    assert "Change their base to main" in closing
    assert "manage_stacked_prs with base_pr=smith/anvil#1" in moving


async def test_nothing_is_said_where_nothing_stands_on_it(call):
    found = await call("check_merge_readiness", "", pr="smith/anvil#3")
    assert "stacked_on_it" not in found
    assert "deleting it closes" not in found["text"]
