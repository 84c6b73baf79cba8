"""The MCP server: the SDK's low-level `Server`, notifications of changes, and the transport over standard input.

Clients of the handshake get a notification each over their connection; later ones listen to the SDK's bus.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from io import TextIOWrapper
from typing import Any, cast

import anyio
import mcp_types as types
from anyio import AsyncFile
from anyio.abc import TaskGroup
from attrs import define, field, frozen
from mcp.server.connection import Connection
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError

from stithy_core.event_loop import loop_options
from stithy_core.server.contents import ServerContents
from stithy_core.server.invalid_messages import RecordedLines, RefusingStream
from stithy_core.server.memory_trim import trim_memory
from stithy_core.server.provider_requests import PromptRequests, ResourceRequests
from stithy_core.server.tool_requests import IdlePreparation, RequestContext, ToolRequests
from stithy_core.spi import Changed
from stithy_core.version import __version__

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
        """Notify all clients; a client that has disconnected or does not read does not raise."""
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


class StithyServer(Server[ConnectedClients]):
    """A server whose lists may change while it runs.

    Attributes:
        listening: The streams of clients that listen for changes, in the protocol of 2026-07-28.
        preparation: Prepares first calls while the client is idle.
    """

    listening: ListenHandler
    preparation: IdlePreparation

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
    server.listening, server.preparation = listening, tools.preparation
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


def serve_stdio(server: StithyServer, reading: int, writing: int) -> None:
    """Serve one client until it closes its end.

    Args:
        server: The MCP server.
        reading: The file descriptor that the client writes to.
        writing: The file descriptor that the client reads.
    """
    anyio.run(_serve, server, reading, writing, backend_options=loop_options())


class ClientOutput:
    """The output that the client reads; serving ends once the client has closed it.

    Args:
        descriptor: The file descriptor.
        end: Called once the client has closed it.
    """

    def __init__(self, descriptor: int, end: Callable[[], None]) -> None:
        # Never closed: a thread that still blocks on a descriptor must not find another file under its number.
        outgoing = TextIOWrapper(os.fdopen(descriptor, "wb", closefd=False), encoding="utf-8")
        self._file = anyio.wrap_file(outgoing)
        self._descriptor = descriptor
        self._end = end

    async def write(self, text: str) -> None:
        """Write a text; `flush` sends what is still buffered."""
        await self._write_unless_closed(self._file.write(text))

    async def flush(self) -> None:
        """Send what was written."""
        await self._write_unless_closed(self._file.flush())

    async def _write_unless_closed(self, writing: Awaitable[object]) -> None:
        try:
            await writing
        except BrokenPipeError:
            # What is still buffered must go somewhere when the process ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._descriptor)
            log.warning("the client closed the connection before it had read all answers; the server ends")
            self._end()


async def _serve(server: StithyServer, reading: int, writing: int) -> None:
    # Not closed either, see above.
    incoming = TextIOWrapper(os.fdopen(reading, "rb", closefd=False), encoding="utf-8", errors="replace")
    lines = RecordedLines(anyio.wrap_file(incoming))
    with anyio.CancelScope() as connected:
        outgoing = ClientOutput(writing, connected.cancel)
        async with (
            # The SDK iterates over the input, and calls `write` and `flush` of the output.
            stdio_server(cast("AsyncFile[str]", lines), cast("AsyncFile[str]", outgoing)) as (read, write),
            anyio.create_task_group() as background,
        ):
            background.start_soon(trim_memory)
            background.start_soon(server.preparation.run)
            await server.run(
                RefusingStream(read, write, lines.unhandled), write, server.create_initialization_options()
            )
            background.cancel_scope.cancel()
