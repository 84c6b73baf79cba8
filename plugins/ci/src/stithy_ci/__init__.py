"""What failed in CI: which tests, where, why, and how to run exactly those again."""

from types import ModuleType

from stithy_ci import offers, spi
from stithy_ci.settings import CiSettings
from stithy_core.spi import Command, Settings, ToolSpec, hookimpl

STITHY_API = 0


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Bring the tool."""
    return offers.tools()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Name the table `[ci]`."""
    return [Settings(table="ci", cls=CiSettings)]


@hookimpl
def stithy_hookspecs() -> list[ModuleType]:
    """Open the hook `stithy_log_parsers`."""
    return [spi]


@hookimpl
def stithy_commands() -> list[Command]:
    """Bring `stithy ci`."""
    return [Command(name="ci", help="Tell what failed, from logs and result files at hand.", run="stithy_ci.parse:run")]
