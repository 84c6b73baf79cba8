"""Running the application: a socket, a server, and an end that cuts nobody off."""

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import anyio
import uvicorn
from attrs import frozen

from stithy_core.errors import ConfigError
from stithy_core.event_loop import loop_options
from stithy_core.server.allocating import give_back_memory
from stithy_http.application import Application
from stithy_http.connection_limit import LimitedSocket, fit_connections, raise_file_limit
from stithy_http.http_connection import HttpConnection

BACKLOG = 2_048
TICKS_PER_SECOND = 10
"""How often uvicorn calls `on_tick`."""


@frozen
class Ending:
    """How the server ends.

    Args:
        drain: Seconds that it still takes requests after SIGTERM, for balancers to hear of it.
        grace: Seconds that it then waits for those under way.
    """

    drain: float = 0.0
    grace: float = 30.0


@frozen
class ConnectionLimits:
    """How many connections clients may hold, and for how long.

    Args:
        most: How many may be open; fewer where the limit of open files leaves no room for them.
        header_seconds: How long a request's headers may take, counted from the connection or from their first byte.
        idle_seconds: How long a connection is kept for the next request; longer than balancers keep theirs.
    """

    most: int = 1_000
    header_seconds: float = 10.0
    idle_seconds: int = 75


class WebServer(uvicorn.Server):
    """uvicorn's server, which ends as something that was asked to end (with code 0) and limits connections.

    Args:
        app: What answers.
        ending: How it ends.
        limits: What clients may hold.
    """

    def __init__(self, app: Application, ending: Ending, limits: ConnectionLimits = ConnectionLimits()) -> None:
        super().__init__(_config(app, ending, limits))
        self._app = app
        self._ending = ending
        self._limits = limits

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `stop`, or until a signal comes.

        Args:
            sockets: Where to listen; the server takes them over.
        """
        self._loop = asyncio.get_running_loop()
        most = fit_connections(self._limits.most, raise_file_limit())
        connections = self.server_state.connections
        await super().serve([LimitedSocket(listening, most, connections) for listening in sockets or []])

    async def on_tick(self, counter: int) -> bool:
        """Check once a second which clients keep their connection waiting."""
        if counter % TICKS_PER_SECOND == 0:
            for connection in list(self.server_state.connections):
                if isinstance(connection, HttpConnection):
                    connection.check(self._loop.time(), self._limits.header_seconds)
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 -- the signature of a handler
        """Hear a signal. Who presses Ctrl+C does not wait for balancers; a second signal waits for nobody."""
        seconds = 0.0 if sig == signal.SIGINT or self._app.drain.begun else self._ending.drain
        self._loop.call_soon_threadsafe(self.stop, seconds)

    def stop(self, seconds: float = 0.0) -> None:
        """Begin the end.

        Args:
            seconds: How long requests are still taken.
        """
        self.force_exit = self.should_exit
        self._app.drain.begin()
        self._loop.call_later(seconds, self._end)

    def _end(self) -> None:
        self._app.drain.begin()
        self.should_exit = True


def _config(app: Application, ending: Ending, limits: ConnectionLimits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=HttpConnection,
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        server_header=False,
        # An address that a proxy claims would let everybody choose whose limits it counts against.
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=round(ending.grace),
    )


def listen(host: str, port: int) -> socket.socket:
    """Take an address; port 0 takes one that is free.

    Raises:
        ConfigError: It cannot be had.
    """
    host = host.strip("[]")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        text = f"{host}:{port} cannot be listened at: {error.strerror or error}"
        raise ConfigError(text, suggestion="Choose another address; port 0 takes a free one.") from error
    # It says of itself that it has no protocol; asyncio lets answers wait 40 ms for more where it does not know TCP.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, made.detach())


def address_of(listening: socket.socket) -> str:
    """Give the URL of what is listened at."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(server: WebServer, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal comes.

    Args:
        server: What serves.
        listening: Where.
        ready: Called once requests are answered.
    """
    anyio.run(_run, server, listening, ready, backend_options=loop_options())


async def _run(server: WebServer, listening: socket.socket, ready: Callable[[], None]) -> None:
    async with anyio.create_task_group() as beside:
        beside.start_soon(give_back_memory)
        beside.start_soon(_tell, server, ready)
        await server.serve([listening])
        beside.cancel_scope.cancel()


async def _tell(server: WebServer, ready: Callable[[], None]) -> None:
    while not server.started:  # noqa: ASYNC110 -- uvicorn has no event for it
        await anyio.sleep(0.01)
    with suppress(OSError):  # nobody reads standard error any more; clients are served all the same
        ready()
