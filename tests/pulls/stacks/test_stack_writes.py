"""The tools that write: a base is changed, a branch is updated, and the picture of the stack is commented once."""

from contextlib import asynccontextmanager

import pytest

from stithy_core.spi import RepositoryRef
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

ANVIL = RepositoryRef("smith", "anvil")
SETTINGS = '[forges.play]\nkind = "sandbox"\n[serve]\ntoolsets = ["stacks"]\n'


@pytest.fixture
def smithy(tmp_path):
    """Return a sandbox with a stack of three and a branch beside, and a function that calls a tool."""

    @asynccontextmanager
    async def enter(settings=""):
        app = make_app(tmp_path, SETTINGS + settings)
        async with connect(app) as client:
            world, pulls = app.forges.forge("play").world, []
            for name, into in (("one", "main"), ("two", "one"), ("three", "two"), ("beside", "one")):
                world.add_branch(ANVIL, name, at=into)
                world.add_commit(ANVIL, name, f"Add {name}", {f"{name}.txt": f"{name}\n"})
                pulls.append(world.add_pull_request(ANVIL, name, branch=name, into=into))

            async def call(name, *, fails=False, **arguments):
                result = await client.call_tool(
                    name, {key: str(value) if key == "pr" else value for key, value in arguments.items()}
                )
                assert result.is_error is fails, result.content[0].text
                return result.content[0].text if fails else result.structured_content

            yield world, pulls, call

    return enter


def comments(world, pull):
    return [comment.body for comment in world.conversation(pull).comments]


async def test_a_base_is_changed_once(smithy):
    async with smithy() as (world, pulls, call):
        changed = await call("retarget_pull_request", pr=pulls[1], branch="main")
        again = await call("retarget_pull_request", pr=pulls[1], branch="main")
        assert (changed["former_base"], changed["base"], changed.get("unchanged")) == ("one", "main", None)
        assert again["unchanged"] is True
        assert world.pull(pulls[1]).subject.base.branch == "main"


async def test_a_missing_branch_and_a_merged_pull_request_are_refused(smithy):
    async with smithy() as (world, pulls, call):
        assert "has no branch 'nowhere'" in await call(
            "retarget_pull_request", fails=True, pr=pulls[1], branch="nowhere"
        )
        world.merge(pulls[0])
        assert "is merged; nothing was written" in await call(
            "retarget_pull_request", fails=True, pr=pulls[0], branch="two"
        )


async def test_the_base_is_merged_into_the_branch_if_there_is_something_to_merge(smithy):
    async with smithy() as (world, pulls, call):
        before = await call("update_pull_request_branch", pr=pulls[1])
        world.add_commit(ANVIL, "one", "Go on", {"one.txt": "more\n"})
        after = await call("update_pull_request_branch", pr=pulls[1])
        assert (before["state"], after["state"]) == ("unchanged", "updated")
        assert world.commit(ANVIL, "two").parents == (after["former_head"], world.commit(ANVIL, "one").sha)


async def test_a_conflict_is_reported(smithy):
    async with smithy() as (world, pulls, call):
        world.add_commit(ANVIL, "one", "Go on", {"two.txt": "other\n"})
        assert "conflicts in two.txt" in await call("update_pull_request_branch", fails=True, pr=pulls[1])


@pytest.mark.parametrize("name", ["retarget_pull_request", "update_pull_request_branch"])
async def test_a_dry_run_writes_nothing(smithy, name):
    async with smithy() as (world, pulls, call):
        world.add_commit(ANVIL, "one", "Go on", {"one.txt": "more\n"})
        before = world.commit(ANVIL, "two").sha
        more = {"branch": "main"} if name == "retarget_pull_request" else {}
        assert (await call(name, pr=pulls[1], dry_run=True, **more))["dry_run"] is True
        assert (world.pull(pulls[1]).subject.base.branch, world.commit(ANVIL, "two").sha) == ("one", before)


async def test_a_server_that_only_reads_has_none_of_them(tmp_path):
    settings = SETTINGS.replace("[serve]\n", "[serve]\nread_only = true\n")
    async with connect(make_app(tmp_path, settings)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert "list_stacks" in names
    assert not names & {"retarget_pull_request", "update_pull_request_branch", "comment_stack"}


async def test_each_pull_request_gets_one_comment_that_is_updated_in_place(smithy):
    """It is kept as it is where nothing changed, and a merged one stays in the picture."""
    async with smithy() as (world, pulls, call):
        first = await call("comment_stack", pr=pulls[2])
        assert {row["action"] for row in first["comments"]} == {"create"}
        assert [row["action"] for row in (await call("comment_stack", pr=pulls[0]))["comments"]] == ["keep"] * 4
        world.merge(pulls[0])
        for pull in (pulls[1], pulls[3]):
            world.retarget(pull, "main")
        await call("comment_stack", pr=pulls[1])
        (text,) = comments(world, pulls[1])
        numbers = [pull.number for pull in pulls]
        assert f"- #{numbers[0]} (merged)" in text
        assert f"**#{numbers[1]}** (this pull request)" in text
        assert f"  - #{numbers[2]}" in text
        assert len(comments(world, pulls[2])) == len(comments(world, pulls[0])) == 1


async def test_a_dry_run_says_what_would_be_written(smithy):
    async with smithy() as (world, pulls, call):
        found = await call("comment_stack", pr=pulls[0], dry_run=True)
        assert found["dry_run"] is True
        assert [row["action"] for row in found["comments"]] == ["create"] * 4
        assert not any(comments(world, pull) for pull in pulls)


async def test_a_comment_of_somebody_else_is_not_taken_over(smithy):
    async with smithy() as (world, pulls, call):
        text = (await call("comment_stack", pr=pulls[0], dry_run=True))["text"]
        world.add_comment(pulls[0], text, author=world.add_user("other"))
        await call("comment_stack", pr=pulls[0])
        assert len(comments(world, pulls[0])) == 2


async def test_what_is_in_no_stack_gets_no_comment(smithy):
    async with smithy() as (world, _, call):
        alone = world.add_pull_request(ANVIL, "alone", branch="alone")
        assert "is not part of a stack" in await call("comment_stack", fails=True, pr=alone)
