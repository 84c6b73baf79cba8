"""Conversations on issues and pull requests, on every forge whose plugin is installed."""

from stithy_comments import offers
from stithy_core.spi import ToolSpec, hookimpl

STITHY_API = 0


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Bring the tools."""
    return offers.tools()
