"""Report what failed in CI: which tests, where, why, and how to run exactly those again."""

from stithy_ci import tools
from stithy_ci.ci_settings import CiSettings
from stithy_core.spi import Command, Settings, ToolSpec, hookimpl

STITHY_API = 1


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Return the tool."""
    return tools.tools()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Return the settings table `[ci]`."""
    return [Settings(table="ci", cls=CiSettings)]


@hookimpl
def stithy_commands() -> list[Command]:
    """Return the commands `stithy ci` and `stithy wait`."""
    return [
        Command(name="ci", help="Tell what failed, from logs and result files.", run="stithy_ci.ci_command:run"),
        Command(name="wait", help="Wait until CI ends or something fails.", run="stithy_ci.wait_command:run"),
    ]
