"""A server of the standard library that answers from a thread, beside the test."""

from contextlib import contextmanager
from threading import Thread


@contextmanager
def beside(server):
    """Let a server answer until the end, which waits for it."""
    server.daemon_threads = True  # a client that keeps its connection must not keep the test
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
