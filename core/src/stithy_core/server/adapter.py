"""The SDK's low-level server, filled with what the plugins give."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler

from stithy_core import __version__
from stithy_core.server.calls import Calls, RequestContext
from stithy_core.server.changes import Clients, clients, remember, subscribe, unsubscribe
from stithy_core.server.contents import Contents
from stithy_core.server.documents import Documents
from stithy_core.server.prompts import PromptTexts


class StithyServer(Server[Clients]):
    """A server whose lists may change while it runs.

    Attributes:
        listening: The streams of those who listen for that, in the protocol of 2026-07-28.
    """

    listening: ListenHandler

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Announce that lists change; the SDK's transports ask for nothing by themselves."""
        changing = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(
            notification_options or changing, experimental_capabilities, extensions
        )


def build(contents: Contents, *, remote: bool = False) -> StithyServer:
    """Make the server that serves `contents` over whatever transport it is run on.

    Args:
        contents: What is served.
        remote: Whether its callers may be on other machines, over HTTP.
    """
    calls, documents, prompts = Calls(contents, remote=remote), Documents(contents), PromptTexts(contents)
    bus = InMemorySubscriptionBus()
    listening = ListenHandler(bus)

    async def complete(ctx: RequestContext, params: types.CompleteRequestParams) -> types.CompleteResult:  # noqa: ARG001 -- the SDK's signature
        name, typed = params.argument.name, params.argument.value
        if isinstance(params.ref, types.PromptReference):
            return await prompts.complete(params.ref.name, name, typed)
        return await documents.complete(params.ref.uri, name, typed)

    server = StithyServer(
        "stithy",
        version=__version__,
        title="stithy",
        instructions=contents.instructions,
        lifespan=lambda _: _lifespan(contents, bus),
        get_tool_input_schema=calls.input_schema,
        on_list_tools=calls.list,
        on_call_tool=calls.call,
        on_list_resources=documents.list,
        on_list_resource_templates=documents.templates,
        on_read_resource=documents.read,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=listening,
        on_list_prompts=prompts.list if contents.prompts else None,
        on_get_prompt=prompts.get if contents.prompts else None,
        on_completion=complete if contents.prompts or contents.library.offers else None,
    )
    server.listening = listening
    server.add_notification_handler("notifications/initialized", types.NotificationParams, remember)
    return server


@asynccontextmanager
async def _lifespan(contents: Contents, bus: InMemorySubscriptionBus) -> AsyncIterator[Clients]:
    """Run what runs beside the server, and tell its clients what changes."""
    async with clients(bus) as known:
        stop = contents.announcements.listen(known.tell)
        try:
            async with contents.running():
                yield known
        finally:
            stop()
