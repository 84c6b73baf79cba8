"""Guidelines, patterns and architecture decision records."""

from typing import Any

from stithy_archdocs import tools
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_core.spi import Check, Command, Prompts, Resources, Route, Service, Settings, ToolSpec, hookimpl

STITHY_API = 1


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    """Return the tools."""
    return tools.list_tools()


@hookimpl
def stithy_settings() -> list[Settings]:
    """Return the settings table `[archdocs]`."""
    return [Settings(table="archdocs", cls=ArchdocsSettings)]


@hookimpl
def stithy_resources() -> list[Resources]:
    """Return the provider of the documents."""
    return [Resources(prefix="architecture://", provider="stithy_archdocs.resources:ArchitectureResources")]


@hookimpl
def stithy_prompts() -> list[Prompts]:
    """Return the provider of the prompts."""
    return [Prompts(provider="stithy_archdocs.prompts.prompt_provider:ArchitecturePrompts")]


@hookimpl
def stithy_services() -> list[Service]:
    """Return the service that watches the documents."""
    return [Service(name="archdocs", run="stithy_archdocs.watch_service:watch")]


@hookimpl
def stithy_commands() -> list[Command]:
    """Return the commands `stithy archdocs` and `stithy adr`."""
    documents = "Check architecture documents, check code against patterns, and draw the decision records."
    records = "Write decision records in the style of their folder, draw them, and check them."
    return [
        Command(name="archdocs", help=documents, run="stithy_archdocs.checking.archdocs_commands:run"),
        Command(name="adr", help=records, run="stithy_archdocs.authoring.adr_commands:run"),
    ]


@hookimpl
def stithy_checks() -> list[Check]:
    """Return the check of `stithy doctor`."""
    return [Check(name="archdocs", run="stithy_archdocs.checking.doctor_check:check_documents")]


@hookimpl
def stithy_routes() -> list[Route]:
    """Return the page of the decision records."""
    return [Route(method="GET", path="/ui/decisions", handler="stithy_archdocs.checking.decision_page:show_decisions")]
