"""Telling clients what changed, in the way their protocol version has."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

import mcp_types as types
from attrs import field, frozen
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from stithy_core.server.calls import RequestContext
from stithy_core.spi import Changed

log = logging.getLogger("stithy.server")

EVENTS: dict[str, Callable[[], ServerEvent]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}


@frozen(eq=False)
class Clients:
    """Who is connected while the server runs. It lives as long as the SDK's lifespan, and ends with it.

    Clients of the handshake era are told through their session; later ones listen to the bus.
    """

    bus: InMemorySubscriptionBus
    sessions: list[ServerSession] = field(factory=list)
    subscribed: set[str] = field(factory=set)

    async def tell(self, changes: Sequence[Changed]) -> None:
        """Tell everyone what changed; a client that has gone is no error."""
        for change in changes:
            event = ResourceUpdated(change.uri) if change.what == "resource" else EVENTS[change.what]()
            await self.bus.publish(event)
            for session in self.sessions:
                await self._tell(session, change)

    async def _tell(self, session: ServerSession, change: Changed) -> None:
        if change.what == "resource":
            if change.uri in self.subscribed:
                await session.send_resource_updated(change.uri)
        elif change.what == "tools":
            await session.send_tool_list_changed()
        elif change.what == "prompts":
            await session.send_prompt_list_changed()
        else:
            await session.send_resource_list_changed()


async def remember(ctx: RequestContext, params: types.NotificationParams | None) -> None:  # noqa: ARG001 -- the SDK's signature
    """Remember a client of the handshake era once it is ready to be told."""
    _clients(ctx).sessions.append(ctx.session)


async def subscribe(ctx: RequestContext, params: types.SubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/subscribe`."""
    _clients(ctx).subscribed.add(str(params.uri))
    return types.EmptyResult()


async def unsubscribe(ctx: RequestContext, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/unsubscribe`."""
    _clients(ctx).subscribed.discard(str(params.uri))
    return types.EmptyResult()


def _clients(ctx: RequestContext) -> Clients:
    clients: Any = ctx.lifespan_context
    assert isinstance(clients, Clients)
    return clients
