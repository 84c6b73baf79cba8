"""A server of the standard library that answers from a thread, beside the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import TypeVar

S = TypeVar("S", bound=ThreadingHTTPServer)


@contextmanager
def beside(server: S) -> Iterator[S]:
    """Run a server in a thread until the block ends, and wait for its end."""
    server.daemon_threads = True  # a client that keeps its connection must not keep the test
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
