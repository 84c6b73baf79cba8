"""The page as an MCP App: hosts that announce the extension get it, others see and pay nothing."""

import pytest
from mcp import MCPError
from mcp.client.extension import advertise

from stithy_testing import connect, make_app
from stithy_view.report_page import create_app_page

pytestmark = pytest.mark.anyio

SETTINGS = '[forges.play]\nkind = "sandbox"\n'
URI = "ui://stithy/pull-request"
APPS = "io.modelcontextprotocol/ui"
TYPE = "text/html;profile=mcp-app"
SHOWN = {
    "check_merge_readiness",
    "detect_merge_conflicts",
    "find_unresolved_comments",
    "get_failing_tests",
    "get_review_suggestions",
}


def open_client(tmp_path, settings=SETTINGS, **options):
    return connect(make_app(tmp_path, settings), **options)


def announce(types=(TYPE,)):
    return [advertise(APPS, {"mimeTypes": list(types)})]


async def list_tools(client):
    return {tool.name: tool.model_dump(by_alias=True) for tool in (await client.list_tools()).tools}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_host_that_announces_apps_gets_the_page_of_each_tool_that_it_shows(tmp_path, mode):
    async with open_client(tmp_path, mode=mode, extensions=announce()) as client:
        tools = await list_tools(client)
        shown = {name for name, tool in tools.items() if "ui" in (tool["_meta"] or {})}
        (content,) = (await client.read_resource(URI)).contents
    assert shown == SHOWN
    assert tools["get_failing_tests"]["_meta"]["ui"] == {"resourceUri": URI}
    assert (content.mime_type, content.text) == (TYPE, create_app_page())


@pytest.mark.parametrize("extensions", [None, announce(["text/html"])])
async def test_other_hosts_see_the_same_bytes_as_without_the_plugin(tmp_path, extensions):
    """The lists of tools and of resources; the page is not listed, since hosts find it by the tools."""
    lists = []
    for settings in (SETTINGS, f'{SETTINGS}[plugins]\ndisabled = ["view"]\n'):
        async with open_client(tmp_path, settings, extensions=extensions) as client:
            resources = (await client.list_resources()).model_dump_json()
            lists.append(((await client.list_tools()).model_dump_json(), resources))
    assert lists[0] == lists[1]
    assert "ui://" not in "".join(lists[0])


async def test_a_known_host_gets_the_object_too_if_it_announces_apps(tmp_path):
    """Known hosts get the text alone; a page shows the object."""
    import mcp_types as types

    gemini = types.Implementation(name="gemini-cli-mcp-client", version="1")
    objects = []
    for extensions in (None, announce()):
        async with open_client(tmp_path, client_info=gemini, extensions=extensions) as client:
            answer = await client.call_tool("check_merge_readiness", {"pr": "smith/anvil#2"})
            objects.append(answer.structured_content is not None)
    assert objects == [False, True]


async def test_another_address_of_the_page_is_unknown(tmp_path):
    async with open_client(tmp_path) as client:
        with pytest.raises(MCPError, match="no resource ui://stithy/pull-request/x"):
            await client.read_resource(f"{URI}/x")
