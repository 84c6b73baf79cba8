"""The limit of open connections, counted where they are accepted (docs/adr/0027-connections-are-limited-at-accept.md).

A connection costs a file descriptor before anything is known of its client. A server without free descriptors accepts
no connection, not even of probes, and cannot open a file or reach a forge either.
"""

import errno
import logging
import socket
import time
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from stithy_http.http_connection import HttpConnection

RESERVE = 256
"""File descriptors kept free for the rest of the process: logs, forges, git and its pipes, documents."""
LARGEST_FILE_LIMIT = 65_536
"""More descriptors are never needed; some systems have no limit at all."""
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})

log = logging.getLogger("stithy.web")


def raise_file_limit() -> int:
    """Raise the soft limit of open files to the hard limit, and return it; 0 if the system has none."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = LARGEST_FILE_LIMIT if hard == resource.RLIM_INFINITY else min(hard, LARGEST_FILE_LIMIT)
    if soft == resource.RLIM_INFINITY or soft >= highest:
        return 0 if soft == resource.RLIM_INFINITY else soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
    except (OSError, ValueError) as error:  # a sandbox may forbid it
        log.warning("cannot raise the limit of %s open files: %s", soft, error)
        return soft
    return highest


def fit_connections(wanted: int, file_limit: int) -> int:
    """Return how many connections may be open while the reserve of descriptors stays free.

    Args:
        wanted: The number in the settings.
        file_limit: The soft limit of open files; 0 for none.
    """
    if not file_limit:
        return wanted
    return min(wanted, max(1, file_limit - min(RESERVE, file_limit // 2)))


class LimitedSocket(socket.socket):
    """A listening socket that limits the connections it accepted.

    The event loop accepts the whole backlog before it runs anything else, so a limit that is checked later comes too
    late: a client that opens a thousand connections at once takes all descriptors in one step.

    Args:
        listening: The socket, which is detached and must not be used afterwards.
        most: How many connections may be open.
        connections: The open ones, kept up to date by the server; idle ones are closed for new ones.
    """

    def __init__(self, listening: socket.socket, most: int, connections: Collection[object]) -> None:
        super().__init__(listening.family, listening.type, listening.proto, listening.detach())
        self._most = most
        self._connections = connections
        self._accepted: set[socket.socket] = set()
        self._exhausted = False
        self._warned = float("-inf")

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection.

        Raises:
            BlockingIOError: None is waiting, or all slots are in use until the next turn of the event loop.
            OSError: The system has no descriptors or memory left; asyncio logs it and retries after a second.
        """
        if self._exhausted:
            # asyncio would go on after that error, and log it for each connection of the backlog.
            self._exhausted = False
            raise BlockingIOError
        if self._is_full():
            self._free_slots()
        try:
            connection, address = super().accept()
        except OSError as error:
            if error.errno in EXHAUSTED:
                self._exhausted = True
                self._evict()
            raise
        self._accepted.add(connection)
        return connection, address

    def _is_full(self) -> bool:
        if len(self._accepted) >= self._most:
            self._accepted = {connection for connection in self._accepted if connection.fileno() >= 0}
        return len(self._accepted) >= self._most

    def _free_slots(self) -> None:
        """Close connections that wait for their client; if all are in use, the new one.

        Raises:
            BlockingIOError: Always: descriptors are free in the next turn of the event loop.
        """
        if evicted := self._evict():
            self._warn(f"{evicted} idle ones are closed")
        elif len(self._connections) >= self._most:  # fewer: the rest were accepted in this turn and are not listed yet
            super().accept()[0].close()
            self._warn("all are in use, and a new one is closed")
        raise BlockingIOError

    def _evict(self) -> int:
        # Several at once, since choosing them iterates over all.
        return evict_idle(self._connections, max(1, self._most // 16))

    def _warn(self, done: str) -> None:
        now = time.monotonic()
        if now - self._warned >= 1:
            self._warned = now
            text = "%s connections are open, the most that max_connections and the limit of open files allow: %s"
            log.warning(text, self._most, done)


def evict_idle(connections: Iterable[object], count: int) -> int:
    """Close connections that wait for their client: of the addresses that have most of them, the longest idle first.

    Args:
        connections: All that are open.
        count: How many to close at most.

    Returns:
        How many were closed.
    """
    idle = [
        connection
        for connection in connections
        if isinstance(connection, HttpConnection)
        and connection.waits_for_client
        and not connection.transport.is_closing()
    ]
    of_address = Counter(connection.address for connection in idle)
    idle.sort(key=lambda connection: (-of_address[connection.address], connection.idle_since))
    for connection in idle[:count]:
        connection.transport.abort()
    return min(count, len(idle))
