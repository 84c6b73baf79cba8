"""Fixtures for tests of the HTTP client: a forge on the loopback interface, its clients, and a clock that stands still.

A `conftest.py` imports them by name.
"""

import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
import stamina
from loopback import Server, message, starting

from stithy_core.http import ForgeHttp
from stithy_core.spi import ForgeConfig, Token

TOKEN = "s3cret-of-the-forge-0123456789"


class Fixed:
    """One token, or one after the other; whether another may be asked for after a refusal."""

    def __init__(self, *values: str, again: bool = False) -> None:
        self.values, self.again = list(values), again
        self.refusals: list[str] = []

    async def current(self) -> Token | None:
        value = self.values.pop(0) if len(self.values) > 1 else self.values[0]
        return Token(value=value, source="the test") if value else None

    async def report_refusal(self, token: Token) -> bool:
        self.refusals.append(token.value)
        return self.again


class Hands:
    """A clock that stands still, until somebody sleeps or a test turns it."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC).timestamp()
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def _no_proxy(unproxied: None) -> None:
    """Every server here is one of the loopback's."""


@pytest.fixture(autouse=True)
def _no_waits() -> Iterator[None]:
    """Retry without waiting, as often as usual."""
    stamina.set_testing(True, attempts=3)
    yield
    stamina.set_testing(False)


@pytest.fixture
def clock() -> Hands:
    """A clock that stands still."""
    return Hands()


@pytest.fixture
def gzipped() -> Callable[[bytes], bytes]:
    """Compress a body."""
    return gzip.compress


@pytest.fixture
def say() -> Callable[..., bytes]:
    """Write an answer."""
    return message


@pytest.fixture
async def start() -> AsyncIterator[Callable[..., Awaitable[Server]]]:
    """Start servers; they stop when the test ends."""
    async with starting() as begin:
        yield lambda tls=None: begin(Server(), tls)


@pytest.fixture
async def server(start: Callable[..., Awaitable[Server]]) -> Server:
    """The forge."""
    return await start()


@pytest.fixture
async def make() -> AsyncIterator[Callable[..., ForgeHttp]]:
    """Make clients; they are closed when the test ends."""
    made = []

    def client(url: str, *, read_only: bool = False, **options: Any) -> ForgeHttp:
        config = ForgeConfig(alias="work", kind="gitea", url=url, read_only=read_only)
        made.append(ForgeHttp(config, **{"tokens": Fixed(TOKEN)} | options))
        return made[-1]

    yield client
    for http in made:
        await http.aclose()


@pytest.fixture
def tokens() -> type[Fixed]:
    """Make what gives tokens."""
    return Fixed


@pytest.fixture
def secret() -> str:
    """The token of the clients."""
    return TOKEN


@pytest.fixture
def http(make: Callable[..., ForgeHttp], server: Server) -> ForgeHttp:
    """A client of the forge, with a token."""
    return make(server.url)
