"""Fixtures for tests of the HTTP client: a forge on the loopback interface, its clients, and a clock that stands still.

A `conftest.py` imports them by name.
"""

import gzip
from datetime import UTC, datetime

import pytest
import stamina
from loopback import Server, message, starting

from stithy_core.http import ForgeHttp
from stithy_core.spi import ForgeConfig

TOKEN = "s3cret-of-the-forge-0123456789"


class Fixed:
    """One token, or one after the other; whether another may be asked for after a refusal."""

    def __init__(self, *values, again=False):
        self.values, self.again, self.refusals = list(values), again, []

    async def current(self):
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]

    async def report_refusal(self, value):
        self.refusals.append(value)
        return self.again


class Hands:
    """A clock that stands still, until somebody sleeps or a test turns it."""

    def __init__(self):
        self.now = datetime.now(UTC).timestamp()
        self.slept = []

    def time(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def _no_proxy(unproxied):
    """Every server here is one of the loopback's."""


@pytest.fixture(autouse=True)
def _no_waits():
    """Ask again at once, as often as without it."""
    stamina.set_testing(True, attempts=3)
    yield
    stamina.set_testing(False)


@pytest.fixture
def clock():
    """A clock that stands still."""
    return Hands()


@pytest.fixture
def gzipped():
    """Compress a body."""
    return gzip.compress


@pytest.fixture
def say():
    """Write an answer."""
    return message


@pytest.fixture
async def start():
    """Start servers; they stop when the test ends."""
    async with starting() as begin:
        yield lambda tls=None: begin(Server(), tls)


@pytest.fixture
async def server(start):
    """The forge."""
    return await start()


@pytest.fixture
async def make():
    """Make clients; they are closed when the test ends."""
    made = []

    def client(url, *, read_only=False, **options):
        config = ForgeConfig(alias="work", kind="gitea", url=url, read_only=read_only)
        made.append(ForgeHttp(config, **{"tokens": Fixed(TOKEN)} | options))
        return made[-1]

    yield client
    for http in made:
        await http.aclose()


@pytest.fixture
def tokens():
    """Make what gives tokens."""
    return Fixed


@pytest.fixture
def secret():
    """The token of the clients."""
    return TOKEN


@pytest.fixture
def http(make, server):
    """A client of the forge, with a token."""
    return make(server.url)
