"""Conflicts, stacks, readiness, impact and review of pull requests."""

from stithy_core.spi import Command, Settings, ToolSpec, hookimpl
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


@hookimpl
def stithy_commands() -> list[Command]:
    """Provide `stithy stack`."""
    text = "Rebase stacked pull requests in a clone, with a journal."
    return [Command(name="stack", help=text, run="stithy_pulls.stack_runs.stack_command:run")]
