"""The MCP server: the SDK's low-level `Server` with a handler for each method."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

from stithy_core import __version__
from stithy_core.server.change_notifications import (
    ConnectedClients,
    register_client,
    subscribe,
    track_clients,
    unsubscribe,
)
from stithy_core.server.contents import ServerContents
from stithy_core.server.prompt_requests import PromptRequests
from stithy_core.server.resource_requests import ResourceRequests
from stithy_core.server.tool_requests import RequestContext, ToolRequests


class StithyServer(Server[ConnectedClients]):
    """A server whose lists may change while it runs.

    Attributes:
        listening: The streams of clients that listen for changes, in the protocol of 2026-07-28.
    """

    listening: ListenHandler

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Declare that lists may change; the SDK's transports do not declare it by default."""
        changing = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(
            notification_options or changing, experimental_capabilities, extensions
        )


def build_server(contents: ServerContents, *, remote: bool = False) -> StithyServer:
    """Return an MCP server, for any transport.

    Args:
        contents: What it serves.
        remote: Whether callers may be on other machines: then no tool has arguments that name local files.
    """
    tools, resources, prompts = (
        ToolRequests(contents, remote=remote),
        ResourceRequests(contents),
        PromptRequests(contents),
    )
    bus = InMemorySubscriptionBus()
    listening = ListenHandler(bus)

    async def complete(ctx: RequestContext, params: types.CompleteRequestParams) -> types.CompleteResult:  # noqa: ARG001 -- the SDK's signature
        name, typed = params.argument.name, params.argument.value
        if isinstance(params.ref, types.PromptReference):
            return await prompts.complete(params.ref.name, name, typed)
        return await resources.complete(params.ref.uri, name, typed)

    server = StithyServer(
        "stithy",
        version=__version__,
        title="stithy",
        instructions=contents.instructions,
        lifespan=lambda _: _lifespan(contents, bus),
        get_tool_input_schema=tools.input_schema,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=listening,
        on_list_prompts=prompts.list if contents.prompts else None,
        on_get_prompt=prompts.get if contents.prompts else None,
        on_completion=complete if contents.prompts or contents.library.offers else None,
    )
    server.listening = listening
    server.add_notification_handler("notifications/initialized", types.NotificationParams, register_client)
    return server


@asynccontextmanager
async def _lifespan(contents: ServerContents, bus: InMemorySubscriptionBus) -> AsyncIterator[ConnectedClients]:
    """Run the services and jobs, and notify clients of changes."""
    async with track_clients(bus) as connected:
        stop = contents.announcements.listen(connected.notify)
        try:
            async with contents.running():
                yield connected
        finally:
            stop()
