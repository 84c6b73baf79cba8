"""The allow-list: what the settings do not name is not touched, whatever a tool does."""

import pytest

from stithy_core.spi import Changes, InvalidArguments, RepositoryRef

pytestmark = pytest.mark.anyio

FENCED = '[forges.play]\nkind = "sandbox"\nrepositories = ["smith/*"]\n'
OTHER = RepositoryRef("striker", "tongs")


async def test_an_allowed_repository_is_read(make, call):
    listed = await call(make(settings=FENCED), "pr_comment_list", repository="SMITH/anvil", pull_request_number=2)
    assert listed.structured_content["total"] == 2


@pytest.mark.parametrize(
    "written", ["striker/tongs", "play:striker/tongs", "http://sandbox.invalid/striker/tongs", "smith/../striker/tongs"]
)
@pytest.mark.parametrize("name", ["pr_comment_list", "pr_comment_create"])
async def test_another_repository_is_refused_however_it_is_written(make, call, written, name):
    more = {"comment": "Hi"} if name == "pr_comment_create" else {}
    answer = await call(make(settings=FENCED), name, repository=written, pull_request_number=1, **more)
    assert answer.is_error
    assert answer.structured_content["category"] == "user"


async def test_a_tool_that_is_led_elsewhere_is_refused(make, call, tool):
    """A pull request names the repository of its fork, and a tool may go there."""

    async def wander(ctx, args):
        forge, _ = await ctx.repository("smith/anvil")
        found = await forge.changes.repository(OTHER)
        return [found.url]

    app = make(tool(wander, needs=[Changes.repository]), settings=FENCED)
    app.forges.forge("play").world.add_repository(str(OTHER))
    answer = await call(app, "wander")
    assert answer.structured_content["error"].startswith("striker/tongs is not among the repositories that play may")
    assert answer.structured_content["suggestion"] == "They are: smith/*."


async def test_a_stream_is_refused_before_it_begins(make, call, tool):
    async def wander(ctx, args):
        forge, _ = await ctx.repository("smith/anvil")
        return [piece.decode() async for piece in forge.checks.log(OTHER, "1")]

    answer = await call(make(tool(wander), settings=FENCED), "wander")
    assert answer.structured_content["error"].startswith("striker/tongs is not among the repositories")


async def test_there_is_no_way_past_the_operations(make, call, gitea, tool):
    async def raw(ctx, args):
        forge, _ = await ctx.repository("smith/anvil")
        return [await forge.http.get("/api/v1/repos/striker/tongs")]

    app = make(tool(raw), settings=gitea.settings('repositories = ["smith/*"]\n'))
    answer = await call(app, "raw")
    assert "tools cannot use its http" in answer.structured_content["error"]
    assert gitea.received == []


async def test_the_plugins_own_requests_are_allowed(make, call, gitea, tool):
    async def version(ctx, args):
        forge, _ = await ctx.repository("smith/anvil")
        return [str(await forge.version()), str(bool(await forge.supports(Changes.compare)))]

    app = make(tool(version), settings=gitea.settings('repositories = ["smith/*"]\n'))
    assert (await call(app, "version")).structured_content == {"texts": ["gitea 1.27.0", "True"]}


async def test_a_host_that_a_plugin_knows_needs_no_settings(make):
    forge, repository = await make().forges.repository("https://github.com/striker/tongs")
    assert (forge.config.alias, str(repository)) == ("github.com", "striker/tongs")


async def test_an_allow_list_closes_the_hosts_that_the_settings_do_not_name(make):
    with pytest.raises(InvalidArguments, match=r"no forge is configured for github\.com"):
        await make(settings=FENCED).forges.repository("https://github.com/striker/tongs")
