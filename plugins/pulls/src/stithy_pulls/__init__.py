"""Conflicts, stacks, readiness, impact and review of pull requests."""

from stithy_core.spi import Settings, ToolSpec, hookimpl
from stithy_pulls import tools
from stithy_pulls.pulls_settings import PullsSettings

STITHY_API = 1


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Return the tools of this plugin."""
    return tools.create_tool_specs()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Declare the settings table `[pulls]`."""
    return [Settings(table="pulls", cls=PullsSettings)]
