"""Clients of a server on the loopback interface, a clock that stands still, and Redis."""

import functools
import gzip
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import fakeredis
import pytest
import stamina
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from loopback import Server, message, starting
from redis.asyncio import Redis

from stithy_core.http import ForgeHttp
from stithy_core.spi import ForgeConfig

TOKEN = "s3cret-of-the-forge-0123456789"


class Fixed:
    """One token, or one after the other; whether another may be asked for after a refusal."""

    def __init__(self, *values, again=False):
        self.values, self.again, self.refusals = list(values), again, []

    async def current(self):
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]

    async def refused(self, value):
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


@pytest.fixture(params=["fake", pytest.param("real", marks=pytest.mark.redis)])
async def connect_redis(request):
    """Connect to one Redis, empty at first: several times, as several processes would."""
    opened = []
    if request.param == "fake":
        state = fakeredis.FakeServer()
        make = functools.partial(fakeredis.FakeAsyncRedis, server=state)
    else:
        make = functools.partial(Redis.from_url, request.getfixturevalue("redis_server"))

    def connect():
        opened.append(make())
        return opened[-1]

    await connect().flushall()
    yield connect
    for client in opened:
        await client.aclose()


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """A private certificate authority that certified this machine: the server's context, and the authority's file."""
    folder = tmp_path_factory.mktemp("authority")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "ca.pem", folder / "key.pem"
    public.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context, str(public)
