"""To be written."""

from stithy_core.spi import ToolSpec


def tools() -> list[ToolSpec]:
    """Give the tools."""
    return []
