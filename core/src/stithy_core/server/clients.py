"""The clients of the handshake era: who they are, what they subscribed to, and what they have not been told yet."""

from __future__ import annotations

import logging

import anyio
import mcp_types as types
from attrs import define, field
from mcp.server.connection import Connection
from mcp.shared.exceptions import MCPError

from stithy_core.spi import Changed

log = logging.getLogger("stithy.server")

MOST_SUBSCRIPTIONS = 1_000


@define(eq=False)
class Client:
    """One connection. What waits to be told is kept once, so that a client that stops reading costs nothing more.

    Args:
        connection: The SDK's.
    """

    connection: Connection
    _subscribed: set[str] = field(factory=set, init=False)
    _waiting: dict[Changed, None] = field(factory=dict, init=False)
    _woken: anyio.Event = field(factory=anyio.Event, init=False)
    _scope: anyio.CancelScope = field(factory=anyio.CancelScope, init=False)

    def subscribe(self, uri: str) -> None:
        """Tell of this resource from now on.

        Raises:
            MCPError: It has subscribed to too many.
        """
        if len(self._subscribed) >= MOST_SUBSCRIPTIONS and uri not in self._subscribed:
            raise MCPError(types.INVALID_PARAMS, f"{MOST_SUBSCRIPTIONS} resources are subscribed to: unsubscribe one")
        self._subscribed.add(uri)

    def unsubscribe(self, uri: str) -> None:
        """Tell of it no more."""
        self._subscribed.discard(uri)

    def note(self, change: Changed) -> None:
        """Keep what is to be told; whoever changed something does not wait for a client."""
        if change.what != "resource" or change.uri in self._subscribed:
            self._waiting[change] = None
            self._woken.set()

    def leave(self) -> None:
        """End `run`: the connection has closed."""
        self._scope.cancel()

    async def run(self) -> None:
        """Tell what waits, in its order, for as long as the connection lasts."""
        with self._scope:
            while True:
                await self._woken.wait()
                self._woken = anyio.Event()
                while self._waiting:
                    change = next(iter(self._waiting))
                    del self._waiting[change]
                    try:
                        await self._tell(change)
                    except Exception:
                        log.exception("a client cannot be told that %s changed", change.uri or change.what)

    async def _tell(self, change: Changed) -> None:
        """Send one change; the SDK drops it when the client has gone."""
        if change.what == "resource":
            await self.connection.send_resource_updated(change.uri)
        elif change.what == "tools":
            await self.connection.send_tool_list_changed()
        elif change.what == "prompts":
            await self.connection.send_prompt_list_changed()
        else:
            await self.connection.send_resource_list_changed()
