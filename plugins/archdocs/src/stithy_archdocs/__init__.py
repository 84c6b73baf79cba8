"""Guidelines, patterns and architecture decision records."""

from typing import Any

from stithy_archdocs import offers
from stithy_archdocs.settings import ArchdocsSettings
from stithy_core.spi import Check, Command, Prompts, Resources, Service, Settings, ToolSpec, hookimpl

STITHY_API = 0


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    """Bring the tools."""
    return offers.tools()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Name the table `[archdocs]`."""
    return [Settings(table="archdocs", cls=ArchdocsSettings)]


@hookimpl
def stithy_resources() -> list[Resources]:
    """Bring the documents."""
    return [Resources(prefix="architecture://", provider="stithy_archdocs.resources:Architecture")]


@hookimpl
def stithy_prompts() -> list[Prompts]:
    """Bring the prompts."""
    return [Prompts(provider="stithy_archdocs.prompts.provider:ArchitecturePrompts")]


@hookimpl
def stithy_services() -> list[Service]:
    """Watch the documents."""
    return [Service(name="archdocs", run="stithy_archdocs.watching:watch")]


@hookimpl
def stithy_commands() -> list[Command]:
    """Bring `stithy archdocs`."""
    text = "Tell what is wrong with the documents, and draw the decisions."
    return [Command(name="archdocs", help=text, run="stithy_archdocs.checking.commands:run")]


@hookimpl
def stithy_checks() -> list[Check]:
    """Bring the question of `stithy doctor`."""
    return [Check(name="archdocs", run="stithy_archdocs.checking.doctor:examine")]
