"""Several clients of one server: each hears what it asked for, and nobody waits for one that does not read."""

import math
from contextlib import asynccontextmanager, nullcontext
from functools import partial

import anyio
import anyio.lowlevel
import pytest
from mcp import Client, MCPError
from mcp.server.runner import serve_loop
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest

from stithy_core.server import build_server
from stithy_core.server.mcp_server import MOST_SUBSCRIPTIONS
from stithy_core.spi import Changed

pytestmark = [pytest.mark.anyio, pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")]

URI = "motto://today"
UPDATED, TOOLS = "notifications/resources/updated", "notifications/tools/list_changed"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


@asynccontextmanager
async def serve_clients(app):
    """Serve an app to any number of clients, as the HTTP server does; yield it with the connected clients."""
    server = build_server(app.contents())
    async with server.lifespan(server) as clients, anyio.create_task_group() as group:

        @asynccontextmanager
        async def wire():
            async with create_client_server_memory_streams() as (ours, theirs):
                group.start_soon(partial(serve_loop, server, *theirs, lifespan_state=clients))
                yield ours
                await ours[1].aclose()

        yield wire, clients


@asynccontextmanager
async def join_client(wire):
    """Connect one more client; yield it with a function that waits for its next notification."""
    send, receive = anyio.create_memory_object_stream(math.inf)

    async def hear(message):
        await send.send(message.method)

    async def following():
        with anyio.fail_after(60):
            return await receive.receive()

    async with wire() as ours, send, receive, Client(nullcontext(ours), mode="legacy", message_handler=hear) as client:
        await client.list_tools()  # it is known by then
        yield client, following


async def test_a_subscription_is_its_clients_own(make):
    app = make()
    async with serve_clients(app) as (wire, _), join_client(wire) as (one, ones), join_client(wire) as (_, twos):
        await one.subscribe_resource(URI)
        await app.announcements.publish([Changed("resource", URI), Changed("tools")])
        assert [await ones(), await ones()] == [UPDATED, TOOLS]
        assert await twos() == TOOLS


async def test_a_client_that_left_is_forgotten_and_the_others_go_on(make):
    app = make()
    async with serve_clients(app) as (wire, clients), join_client(wire) as (_, heard):
        async with join_client(wire):
            assert len(clients.connections) == 2
        with anyio.fail_after(60):
            while len(clients.connections) > 1:
                await anyio.lowlevel.checkpoint()
        await app.announcements.publish([Changed("tools")])
        assert await heard() == TOOLS


async def test_a_client_that_does_not_read_delays_no_other(make):
    app = make()
    async with serve_clients(app) as (wire, clients), wire() as (_, deaf), join_client(wire) as (_, heard):
        await deaf.send(SessionMessage(JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=HELLO)))
        await deaf.send(SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")))
        with anyio.fail_after(600):
            while len(clients.connections) < 2:
                await anyio.lowlevel.checkpoint()
            for _ in range(1_000):
                await app.announcements.publish([Changed("tools"), Changed("resources")])
        assert await heard() == TOOLS
        assert max(len(client._waiting) for client in clients.connections.values()) <= 2


async def test_a_client_subscribes_to_so_many_and_no_more(make):
    async with serve_clients(make()) as (wire, _), join_client(wire) as (client, _):
        for number in range(MOST_SUBSCRIPTIONS):
            await client.subscribe_resource(f"motto://{number}")
        await client.subscribe_resource("motto://0")
        with pytest.raises(MCPError, match="1000"):
            await client.subscribe_resource("motto://more")
        await client.unsubscribe_resource("motto://0")
        await client.subscribe_resource("motto://more")
