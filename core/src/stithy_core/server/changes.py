"""Telling clients what changed, in the way their protocol version has."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from attrs import field, frozen
from mcp.server.connection import Connection
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from stithy_core.server.calls import RequestContext
from stithy_core.server.clients import Client
from stithy_core.spi import Changed

EVENTS: dict[str, Callable[[], ServerEvent]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}


@frozen(eq=False)
class Clients:
    """Who is connected while the server runs. It lives as long as the SDK's lifespan, and ends with it.

    Clients of the handshake era are told one by one; later ones listen to the bus.
    """

    bus: InMemorySubscriptionBus
    group: TaskGroup
    connected: dict[Connection, Client] = field(factory=dict)

    async def tell(self, changes: Sequence[Changed]) -> None:
        """Tell everyone what changed; a client that has gone, or does not read, is no error."""
        for change in changes:
            for client in self.connected.values():
                client.note(change)
            await self.bus.publish(ResourceUpdated(change.uri) if change.what == "resource" else EVENTS[change.what]())

    def of(self, connection: Connection) -> Client:
        """Give the client of a connection; it is forgotten when the connection closes."""
        if connection not in self.connected:
            client = self.connected[connection] = Client(connection)
            self.group.start_soon(client.run, name="client")
            connection.exit_stack.callback(self._forget, connection)
        return self.connected[connection]

    def _forget(self, connection: Connection) -> None:
        self.connected.pop(connection).leave()


@asynccontextmanager
async def clients(bus: InMemorySubscriptionBus) -> AsyncIterator[Clients]:
    """Keep the clients of one server, and what tells each of them."""
    async with anyio.create_task_group() as group:
        yield Clients(bus, group)
        group.cancel_scope.cancel()


async def remember(ctx: RequestContext, params: types.NotificationParams | None) -> None:  # noqa: ARG001 -- the SDK's signature
    """Remember a client of the handshake era once it is ready to be told."""
    if _connection(ctx).has_standalone_channel:
        _client(ctx)


async def subscribe(ctx: RequestContext, params: types.SubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/subscribe`."""
    _client(ctx).subscribe(str(params.uri))
    return types.EmptyResult()


async def unsubscribe(ctx: RequestContext, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/unsubscribe`."""
    _client(ctx).unsubscribe(str(params.uri))
    return types.EmptyResult()


def _client(ctx: RequestContext) -> Client:
    known: Any = ctx.lifespan_context
    assert isinstance(known, Clients)
    return known.of(_connection(ctx))


def _connection(ctx: RequestContext) -> Connection:
    """Give what stays from request to request; the SDK's context has no public way to it."""
    return ctx.session._connection  # noqa: SLF001
