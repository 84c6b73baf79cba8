"""The floor: the minimal MCP server of the same SDK with the same tools. The benchmarks start it."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

LISTED = types.ListToolsResult(
    tools=[types.Tool.model_validate(row) for row in json.loads(Path(sys.argv[1]).read_text())]
)


async def list_tools(ctx: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:  # noqa: ARG001 -- the SDK's signature
    """Answer `tools/list`."""
    return LISTED


async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:  # noqa: ARG001 -- the SDK's signature
    """Answer `tools/call` of any tool, without checks, with the result of the created plugin's handler."""
    arguments = params.arguments or {}
    url = f"https://forge.example/{arguments['repository']}/issues/{arguments['number']}"
    issue = {"id": str(arguments["number"]), "title": "The anvil is cold", "url": url}
    text = f"#{issue['id']} {issue['title']}\n{url}"
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=issue)


async def serve() -> None:
    """Serve one client until it closes the connection."""
    server = Server[Any]("floor", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve)
