"""The MCP server and its transport over standard input and output; only this package of the core imports `mcp`."""

from stithy_core.server.contents import ServerContents, UpstreamStatistics
from stithy_core.server.mcp_server import StithyServer, build_server
from stithy_core.server.sessions import CALLER_KEY
from stithy_core.server.stdio import serve_stdio

__all__ = ["CALLER_KEY", "ServerContents", "StithyServer", "UpstreamStatistics", "build_server", "serve_stdio"]
