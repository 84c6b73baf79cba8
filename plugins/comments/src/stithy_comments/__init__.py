"""Conversations on issues and pull requests, on every forge whose plugin is installed."""

from stithy_comments import tools
from stithy_comments.settings import CommentsSettings
from stithy_core.spi import Route, Settings, ToolSpec, hookimpl

STITHY_API = 1


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Register the tools."""
    return tools.tools()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Register the settings table `[comments]`."""
    return [Settings(table="comments", cls=CommentsSettings)]


@hookimpl
def stithy_routes() -> list[Route]:
    """Register the endpoints of the comments service."""
    return tools.routes()
