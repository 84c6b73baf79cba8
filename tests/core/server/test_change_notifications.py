"""What a plugin says has changed reaches clients of both eras, each in its own way."""

import math
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp.client.subscriptions import ListenNotSupportedError
from mcp.shared.exceptions import MCPDeprecationWarning

from stithy_core.spi import Changed, ResourceProvider, Resources
from stithy_testing import connect

pytestmark = pytest.mark.anyio

URI = "motto://today"
NAMES = {
    "tools": ("notifications/tools/list_changed", "ToolsListChanged"),
    "prompts": ("notifications/prompts/list_changed", "PromptsListChanged"),
    "resources": ("notifications/resources/list_changed", "ResourcesListChanged"),
    "resource": ("notifications/resources/updated", "ResourceUpdated"),
}


@pytest.fixture
def app(make, plugin, tool, said):
    """A server whose tool `change` says that everything changed, one after the other, and `touch` one document."""

    async def change(ctx, args) -> said:
        await ctx.changed(Changed("tools"), Changed("prompts"), Changed("resources"))
        return said()

    async def touch(ctx, args) -> said:
        await ctx.changed(Changed("resource", "motto://other"), Changed("resource", URI))
        return said()

    offers = [Resources(prefix="motto://", provider=ResourceProvider)]
    return make(
        plugin("stithy-a", stithy_tools=[tool("change", change), tool("touch", touch)], stithy_resources=offers)
    )


@asynccontextmanager
async def hearing(app, mode, *uris):
    """Connect a client that hears what changed; gives it with what waits for the next change."""
    send, receive = anyio.create_memory_object_stream(math.inf)

    async def handle(message):
        await send.send((getattr(message, "method", ""), getattr(getattr(message, "params", None), "uri", None)))

    with send, receive:
        async with connect(app, mode=mode, message_handler=handle) as client:
            if mode == "legacy":
                for uri in uris:
                    with pytest.warns(MCPDeprecationWarning):
                        await client.subscribe_resource(uri)
                yield client, receive.receive
                return
            everything = dict.fromkeys(("tools_list_changed", "prompts_list_changed", "resources_list_changed"), True)
            async with client.listen(**everything, resource_subscriptions=uris) as heard:

                async def following():
                    event = await anext(heard)
                    return type(event).__name__, getattr(event, "uri", None)

                yield client, following


async def test_changed_lists_are_heard_in_both_eras(app, mode):
    async with hearing(app, mode) as (client, following):
        await client.call_tool("change")
        with anyio.fail_after(60):
            heard = [(await following())[0] for _ in range(3)]
    assert heard == [NAMES[what][mode != "legacy"] for what in ("tools", "prompts", "resources")]


async def test_a_changed_document_is_heard_by_who_asked_for_it(app, mode):
    async with hearing(app, mode, URI) as (client, following):
        await client.call_tool("touch")
        with anyio.fail_after(60):
            assert await following() == (NAMES["resource"][mode != "legacy"], URI)


async def test_a_document_that_nobody_asked_for_is_not_heard(app):
    async with hearing(app, "legacy") as (client, following):
        await client.call_tool("touch")
        await client.call_tool("change")
        with anyio.fail_after(60):
            assert (await following())[0] == NAMES["tools"][0]


async def test_an_unsubscribed_client_gets_no_notification(app):
    async with hearing(app, "legacy", URI) as (client, following):
        with pytest.warns(MCPDeprecationWarning):
            await client.unsubscribe_resource(URI)
        await client.call_tool("touch")
        await client.call_tool("change")
        with anyio.fail_after(60):
            assert (await following())[0] == NAMES["tools"][0]


async def test_that_lists_may_change_is_announced(app, mode):
    async with connect(app, mode=mode) as client:
        capabilities = client.server_capabilities
    assert capabilities.tools.list_changed
    assert capabilities.resources.list_changed
    assert capabilities.resources.subscribe


async def test_each_era_has_its_own_way(app):
    async with connect(app, mode="legacy") as client:
        with pytest.raises(ListenNotSupportedError):
            async with client.listen(tools_list_changed=True):
                pass


async def test_after_a_client_left_nobody_listens(app, mode):
    async with connect(app, mode=mode):
        assert app.announcements._listeners
    assert not app.announcements._listeners


async def test_a_change_without_a_client_is_not_an_error(app):
    await app.announcements.publish([Changed("tools")])
