"""Notifications of changed lists and resources, in the way of each client's protocol version.

Clients of the handshake get a notification each over their connection; later ones listen to the SDK's bus.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from attrs import define, field, frozen
from mcp.server.connection import Connection
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from stithy_core.server.tool_requests import RequestContext
from stithy_core.spi import Changed

MOST_SUBSCRIPTIONS = 1_000
EVENTS: dict[str, Callable[[], ServerEvent]] = {
    "tools": ToolsListChanged,
    "prompts": PromptsListChanged,
    "resources": ResourcesListChanged,
}

log = logging.getLogger("stithy.server")


@define(eq=False)
class ClientConnection:
    """A connection of the handshake. A change waits once, so a client that stops reading costs no further memory.

    Args:
        connection: The SDK's connection.
    """

    connection: Connection
    _subscribed: set[str] = field(factory=set, init=False)
    _waiting: dict[Changed, None] = field(factory=dict, init=False)
    _woken: anyio.Event = field(factory=anyio.Event, init=False)
    _scope: anyio.CancelScope = field(factory=anyio.CancelScope, init=False)

    def subscribe(self, uri: str) -> None:
        """Notify of changes of this resource from now on.

        Raises:
            MCPError: The client has too many subscriptions.
        """
        if len(self._subscribed) >= MOST_SUBSCRIPTIONS and uri not in self._subscribed:
            text = f"the client has {MOST_SUBSCRIPTIONS} subscriptions, the maximum; unsubscribe from a resource first"
            raise MCPError(types.INVALID_PARAMS, text)
        self._subscribed.add(uri)

    def unsubscribe(self, uri: str) -> None:
        """Stop notifying of this resource."""
        self._subscribed.discard(uri)

    def enqueue(self, change: Changed) -> None:
        """Queue a change; the plugin that published it does not wait for the client."""
        if change.what != "resource" or change.uri in self._subscribed:
            self._waiting[change] = None
            self._woken.set()

    def close(self) -> None:
        """End `run`: the connection has closed."""
        self._scope.cancel()

    async def run(self) -> None:
        """Send queued changes in their order, as long as the connection lasts."""
        with self._scope:
            while True:
                await self._woken.wait()
                self._woken = anyio.Event()
                while self._waiting:
                    change = next(iter(self._waiting))
                    del self._waiting[change]
                    try:
                        await self._send(change)
                    except Exception:
                        log.exception("cannot notify a client that %s changed", change.uri or change.what)

    async def _send(self, change: Changed) -> None:
        """Send one notification; the SDK drops it if the client has disconnected."""
        if change.what == "resource":
            await self.connection.send_resource_updated(change.uri)
        elif change.what == "tools":
            await self.connection.send_tool_list_changed()
        elif change.what == "prompts":
            await self.connection.send_prompt_list_changed()
        else:
            await self.connection.send_resource_list_changed()


@frozen(eq=False)
class ConnectedClients:
    """The clients that are connected while the server runs; it lives in the SDK's lifespan.

    Args:
        bus: Notifies clients that listen by a request.
        group: Runs the notifications of all others.
        connections: Those of the handshake, by the SDK's connection.
    """

    bus: InMemorySubscriptionBus
    group: TaskGroup
    connections: dict[Connection, ClientConnection] = field(factory=dict)

    async def notify(self, changes: Sequence[Changed]) -> None:
        """Notify all clients; one that has disconnected or does not read is no error."""
        for change in changes:
            for connection in self.connections.values():
                connection.enqueue(change)
            await self.bus.publish(ResourceUpdated(change.uri) if change.what == "resource" else EVENTS[change.what]())

    def register(self, connection: Connection) -> ClientConnection:
        """Return the entry of a connection; it is created by the first call and removed when the connection closes."""
        if connection not in self.connections:
            client = self.connections[connection] = ClientConnection(connection)
            self.group.start_soon(client.run, name="client")
            connection.exit_stack.callback(self._remove, connection)
        return self.connections[connection]

    def _remove(self, connection: Connection) -> None:
        self.connections.pop(connection).close()


@asynccontextmanager
async def track_clients(bus: InMemorySubscriptionBus) -> AsyncIterator[ConnectedClients]:
    """Keep the clients of one server, with the task group that notifies them."""
    async with anyio.create_task_group() as group:
        yield ConnectedClients(bus, group)
        group.cancel_scope.cancel()


async def register_client(ctx: RequestContext, params: types.NotificationParams | None) -> None:  # noqa: ARG001 -- the SDK's signature
    """Register a client of the handshake once it is initialized: from then on it may be notified."""
    if _sdk_connection(ctx).has_standalone_channel:
        _client_connection(ctx)


async def subscribe(ctx: RequestContext, params: types.SubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/subscribe`."""
    _client_connection(ctx).subscribe(str(params.uri))
    return types.EmptyResult()


async def unsubscribe(ctx: RequestContext, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    """Answer `resources/unsubscribe`."""
    _client_connection(ctx).unsubscribe(str(params.uri))
    return types.EmptyResult()


def _client_connection(ctx: RequestContext) -> ClientConnection:
    clients: Any = ctx.lifespan_context
    assert isinstance(clients, ConnectedClients)
    return clients.register(_sdk_connection(ctx))


def _sdk_connection(ctx: RequestContext) -> Connection:
    """Return the object that stays the same from request to request; the SDK's context has no public way to it."""
    return ctx.session._connection  # noqa: SLF001
