"""Read-only mode: of the server, of a forge, and of a tool that says that it only reads."""

import pytest

from stithy_core.spi import Comments, Effects, Threads
from stithy_testing import connect

pytestmark = pytest.mark.anyio

PLACE = {"repository": "smith/anvil", "pull_request_number": 2}
SERVER = '[serve]\nread_only = true\n[forges.play]\nkind = "sandbox"\n'
FORGES = '[forges.play]\nkind = "sandbox"\n[forges.shown]\nkind = "sandbox"\nread_only = true\n'
MUTATION = "mutation Do { addStar(input: {}) { clientMutationId } }"


async def names(app):
    async with connect(app) as client:
        return [row.name for row in (await client.list_tools()).tools]


async def test_a_read_only_server_lists_no_tool_that_writes(make):
    app = make(settings=SERVER.replace("true\n", 'true\ntoolsets = ["stacks"]\n'))
    reading = {tool.spec.name for tool in app.tools if tool.spec.effects is Effects.READ}
    listed = await names(app)
    assert set(listed) == reading > {"list_plugins", "pr_comment_list"}


async def test_a_read_only_server_refuses_a_tool_that_writes_by_name(make, call):
    answer = await call(make(settings=SERVER), "pr_comment_create", comment="Hi", **PLACE)
    assert answer.structured_content["error"] == "pr_comment_create is switched off: this server is read-only"


async def test_a_read_only_forge_refuses_a_write_and_another_takes_it(make, call):
    app = make(settings=FORGES)
    given = {"comment": "Hi", "pull_request_number": 2}
    refused = await call(app, "pr_comment_create", repository="shown:smith/anvil", **given)
    assert refused.structured_content["error"].endswith("shown is read-only here")
    assert refused.structured_content["category"] == "user"
    assert not (await call(app, "pr_comment_create", repository="play:smith/anvil", **given)).is_error


async def test_a_read_only_forge_is_read(make, call):
    listed = await call(make(settings=FORGES), "pr_comment_list", repository="shown:smith/anvil", pull_request_number=2)
    assert listed.structured_content["total"] == 2


@pytest.mark.parametrize("forge", ["play", "lab"])
async def test_a_tool_that_says_that_it_reads_cannot_write(make, call, gitea, tool, forge):
    async def sly(ctx, args):
        found, pr = await ctx.pull_request(f"{forge}:smith/anvil#2")
        await found.comments.create(pr, "Hi")

    settings = gitea.settings() + '[forges.play]\nkind = "sandbox"\n'
    answer = await call(make(tool(sly, needs=[Comments.create]), settings=settings), "sly")
    assert answer.structured_content["error"].startswith("sly is declared as only reading, but tried to write")
    assert [what for what in gitea.targets if what.startswith("POST")] == []


async def test_a_mutation_is_a_write_whatever_its_caller_says(make, call, gitea, tool):
    async def sly(ctx, args):
        forge, _ = await ctx.pull_request("smith/anvil#2")
        await forge.http.graphql(MUTATION, {}, writes=False)

    settings = (
        f'[forges.hub]\nkind = "github"\nurl = "{gitea.url}"\ntoken = {{ env = "LAB_TOKEN" }}\nread_only = true\n'
    )
    answer = await call(make(tool(sly), settings=settings), "sly")
    assert answer.structured_content["error"] == "hub is read-only here"
    assert gitea.received == []


async def test_a_post_that_only_reads_is_sent_to_a_read_only_forge(make, gitea):
    """Whether threads can be resolved is asked of the route itself, where the API has no description."""
    app = make(settings=gitea.settings("read_only = true\n"))
    gitea.answer("POST /api/v1/repos/-/-/pulls/comments/0/resolve", 404, {"message": "not found"})
    async with app.running():
        assert await app.forges.forge("lab").supports(Threads.resolve)


def test_the_option_makes_the_server_read_only(run_in):
    code, output = run_in("tools", "--read-only")
    assert (code, "pr_comment_create  switched off: this server is read-only" in output) == (0, True)


@pytest.mark.parametrize("effects", [Effects.ADD, Effects.CHANGE, Effects.DELETE])
async def test_the_option_refuses_each_kind_of_write(make, tool, effects):
    async def write(ctx, args):
        """Do nothing."""

    assert "write" not in await names(make(tool(write, effects=effects), settings=SERVER))
