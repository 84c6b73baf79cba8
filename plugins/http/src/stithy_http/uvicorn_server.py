"""The server: listening, serving, and a shutdown that lets requests in progress end."""

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
from stithy_core.server.memory_trim import trim_memory
from stithy_http.application import Application
from stithy_http.connection_limit import LimitedSocket, fit_connections, raise_file_limit
from stithy_http.http_connection import HttpConnection

BACKLOG = 2_048
TICKS_PER_SECOND = 10
"""How often uvicorn calls `on_tick`."""


@frozen
class ShutdownTimes:
    """How the server shuts down, in seconds.

    Args:
        drain: How long it accepts requests after SIGTERM, until load balancers have noticed.
        grace: How long it then waits for requests in progress.
    """

    drain: float = 0.0
    grace: float = 30.0


@frozen
class ConnectionLimits:
    """How many connections clients may hold, and for how long.

    Args:
        most: How many may be open; fewer if the limit of open files is too low.
        header_seconds: How long a request's headers may take, counted from the connection or from their first byte.
        idle_seconds: How long a connection is kept for the next request; longer than load balancers keep theirs.
    """

    most: int = 1_000
    header_seconds: float = 10.0
    idle_seconds: int = 75


class WebServer(uvicorn.Server):
    """uvicorn's server with connection limits and a shutdown of its own: after a signal the exit code is 0.

    Args:
        app: The application.
        shutdown_times: How it shuts down.
        limits: The limits of connections.
    """

    def __init__(
        self, app: Application, shutdown_times: ShutdownTimes, limits: ConnectionLimits = ConnectionLimits()
    ) -> None:
        super().__init__(_create_config(app, shutdown_times, limits))
        self._app = app
        self._shutdown_times = shutdown_times
        self._limits = limits

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until `stop`, or until a signal comes.

        Args:
            sockets: The listening sockets; the server owns them from now on.
        """
        self._loop = asyncio.get_running_loop()
        most = fit_connections(self._limits.most, raise_file_limit())
        connections = self.server_state.connections
        await super().serve([LimitedSocket(listening, most, connections) for listening in sockets or []])

    async def on_tick(self, counter: int) -> bool:
        """Close, once a second, connections whose client is too slow."""
        if counter % TICKS_PER_SECOND == 0:
            for connection in list(self.server_state.connections):
                if isinstance(connection, HttpConnection):
                    connection.check(self._loop.time(), self._limits.header_seconds)
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 -- the signature of a handler
        """Shut down at a signal. Ctrl+C skips the drain time, and so does a second signal."""
        seconds = 0.0 if sig == signal.SIGINT or self._app.drain.begun else self._shutdown_times.drain
        self._loop.call_soon_threadsafe(self.stop, seconds)

    def stop(self, seconds: float = 0.0) -> None:
        """Begin to shut down; a second call aborts requests in progress.

        Args:
            seconds: How long requests are still accepted.
        """
        self.force_exit = self.should_exit
        self._app.drain.begin()
        self._loop.call_later(seconds, self._stop_accepting)

    def _stop_accepting(self) -> None:
        self._app.drain.begin()
        self.should_exit = True


def _create_config(app: Application, shutdown_times: ShutdownTimes, limits: ConnectionLimits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=HttpConnection,
        backlog=BACKLOG,
        log_config=None,
        access_log=False,
        server_header=False,
        # With addresses that a proxy claims, every client could choose whose limits it counts against.
        proxy_headers=False,
        ws="none",
        lifespan="on",
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=round(shutdown_times.grace),
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free port.

    Raises:
        ConfigError: The address cannot be used.
    """
    host = host.strip("[]")
    try:
        family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
        listening = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        text = f"cannot listen at {host}:{port}: {error.strerror or error}"
        raise ConfigError(text, suggestion="Choose another address; port 0 takes a free one.") from error
    # create_server leaves the protocol 0; asyncio sets TCP_NODELAY only for IPPROTO_TCP, else answers wait 40 ms.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, listening.detach())


def format_address(listening: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run_server(server: WebServer, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal comes.

    Args:
        server: The server.
        listening: The listening socket.
        ready: Called once requests are answered.
    """
    anyio.run(_run, server, listening, ready, backend_options=loop_options())


async def _run(server: WebServer, listening: socket.socket, ready: Callable[[], None]) -> None:
    async with anyio.create_task_group() as background:
        background.start_soon(trim_memory)
        background.start_soon(_announce, server, ready)
        await server.serve([listening])
        background.cancel_scope.cancel()


async def _announce(server: WebServer, ready: Callable[[], None]) -> None:
    while not server.started:  # noqa: ASYNC110 -- uvicorn has no event for it
        await anyio.sleep(0.01)
    with suppress(OSError):  # standard error is closed; the server works without it
        ready()
