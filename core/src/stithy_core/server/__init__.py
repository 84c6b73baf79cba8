"""The MCP server and its transport over standard input and output; only this package of the core imports `mcp`."""

from stithy_core.server.contents import ServerContents, UpstreamStatistics
from stithy_core.server.mcp_server import StithyServer, build_server, serve_stdio
from stithy_core.server.tool_requests import CALLER_KEY

__all__ = ["CALLER_KEY", "ServerContents", "StithyServer", "UpstreamStatistics", "build_server", "serve_stdio"]
