"""One ASGI application: MCP, what operators ask, and the routes of plugins. A server on standard output loads none."""

from stithy_core.server.web.application import application

__all__ = ["application"]
