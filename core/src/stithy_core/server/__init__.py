"""MCP on the wire: the only room that imports `mcp`."""

from stithy_core.server.adapter import StithyServer, build
from stithy_core.server.contents import Contents
from stithy_core.server.sessions import CALLER_KEY
from stithy_core.server.stdio import serve

__all__ = ["CALLER_KEY", "Contents", "StithyServer", "build", "serve"]
