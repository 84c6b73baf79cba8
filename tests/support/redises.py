"""Real servers of Redis, each on a socket of its own."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import frozen


@frozen
class RedisServer:
    """A server of Redis that runs."""

    url: str
    process: subprocess.Popen[str]

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self.process.terminate()
        self.process.wait()


@contextmanager
def running(folder: Path) -> Iterator[RedisServer]:
    """Run one in a folder."""
    socket = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "ready to accept connections" in line.lower():
                break
        server = RedisServer(f"unix://{socket}", process)
        yield server
        server.stop()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that all tests share."""
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A server that a test may stop."""
    with running(tmp_path_factory.mktemp("redis")) as server:
        yield server
