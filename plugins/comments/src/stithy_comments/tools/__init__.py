"""Specifications of the tools and endpoints: all that the server loads of them at startup."""

from stithy_comments.service import endpoints
from stithy_comments.tools import comment_tools, read_tool, stream_tool, thread_tools, unresolved_tool
from stithy_core.spi import Route, ToolSpec


def tools() -> list[ToolSpec]:
    """Return all tools: of conversations (COM-9), of threads (REPLY-1), of whole pull requests (PULL-20)."""
    modules = comment_tools, thread_tools, read_tool, unresolved_tool, stream_tool
    return [spec for module in modules for spec in module.tools()]


def routes() -> list[Route]:
    """Return the endpoints of the comments service (SERVE-2)."""
    return endpoints.routes()
