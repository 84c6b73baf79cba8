"""A server on the loopback interface, and clients of it: real sockets, so that no fault is pretended."""

import asyncio
import functools
import gzip
import inspect
import json
import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from urllib.parse import parse_qsl

import fakeredis
import pytest
import stamina
from attrs import Factory, define, field
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.asyncio import Redis

from stithy_core.http import ForgeHttp
from stithy_core.spi import Link

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


@define
class Received:
    """A request as it arrived."""

    method: str
    target: str
    headers: dict
    body: bytes


@define
class Server:
    """Answers by a table of "METHOD /path", else with 404, and keeps what it received."""

    url: str = ""
    answers: dict = field(factory=dict)
    received: list = field(factory=list)
    ending: asyncio.Event = Factory(asyncio.Event)
    turned_away: asyncio.Event = Factory(asyncio.Event)

    def answer(self, what, status, body=None, **headers):
        """Answer with JSON, or with bytes as they are."""
        self.answers[what] = message(status, body, **headers)

    def page(self, what, status):
        """Answer with a web page."""
        self.answer(what, status, b"<html>Who are you?</html>", content_type="text/html; charset=utf-8")

    def redirect(self, what, to, status=302, **headers):
        """Send the client elsewhere, with the web page that most servers put beside it."""
        self.answer(what, status, b"<a>there</a>", location=to, **{"content_type": "text/html"} | headers)

    def lose(self, what):
        """Take the request and close the connection without an answer."""
        self.answers[what] = b""

    def hang(self, what):
        """Take the request and never answer."""
        self.answers[what] = None

    def turns(self, what, *answers):
        """Answer with one after the other, and with the last for ever."""
        left = list(answers)
        self.answers[what] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def hold(self, what, status, body=None, **headers):
        """Answer when the event that is given back is set."""
        free = asyncio.Event()

        async def answer(_):
            await free.wait()
            return message(status, body, **headers)

        self.answers[what] = answer
        return free

    def pages(self, what, *pages, **headers):
        """Answer by the parameter `page`, and with an empty list after the last."""
        numbered = {str(number): page for number, page in enumerate(pages, start=1)}

        def page(request):
            number = dict(parse_qsl(request.target.partition("?")[2])).get("page", "1")
            return message(200, numbered.get(number, []), **headers)

        self.answers[what] = page

    async def asked(self, count):
        """Wait until so many requests arrived."""
        while len(self.received) < count:  # noqa: ASYNC110 -- what arrives is appended in several places
            await asyncio.sleep(0)

    async def serve(self, reader, writer):
        try:
            request = await _read(reader)
            self.received.append(request)
            path = request.target.partition("?")[0]
            raw = self.answers.get(f"{request.method} {path}", message(404, {"message": "not here"}))
            if raw is None:
                await self.ending.wait()
            raw = raw(request) if callable(raw) else raw or b""
            writer.write(await self._unless_alone(raw, reader) if inspect.isawaitable(raw) else raw)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):  # the client turned away: some tests want that
            pass
        finally:
            writer.close()

    async def _unless_alone(self, answer, reader):
        """Wait for the answer, unless the client turns away."""
        answering, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(reader.read())
        await asyncio.wait([answering, leaving], return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not answering.done():
            answering.cancel()
            self.turned_away.set()
            return b""
        return answering.result()

    @property
    def targets(self):
        """What was asked for, in order."""
        return [f"{request.method} {request.target}" for request in self.received]


async def _read(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    return Received(method, target, headers, await reader.readexactly(int(headers.get("content-length", 0))))


def message(status, body=None, **headers):
    """Write an answer: JSON, or bytes as they are; a header's name has underscores for hyphens."""
    raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    given = {"content_type": "application/json", "content_length": len(raw), "connection": "close"} | headers
    lines = [f"HTTP/1.1 {status} -", *(f"{name.replace('_', '-')}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + raw


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


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
    started = []

    async def run(tls=None):
        server = Server()
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls)
        port = listening.sockets[0].getsockname()[1]
        server.url = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        started.append((server, listening))
        return server

    yield run
    for server, listening in started:
        server.ending.set()
        listening.close()
        await listening.wait_closed()


@pytest.fixture
async def server(start):
    """The forge."""
    return await start()


@pytest.fixture
async def make():
    """Make clients; they are closed when the test ends."""
    made = []

    def client(url, *, read_only=False, **options):
        link = Link(alias="work", kind="gitea", url=url, read_only=read_only)
        made.append(ForgeHttp(link, **{"tokens": Fixed(TOKEN)} | options))
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


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """A real server of Redis on a socket of its own."""
    folder = tmp_path_factory.mktemp("redis")
    socket = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        for line in server.stdout:
            if "ready to accept connections" in line.lower():
                break
        yield f"unix://{socket}"
        server.terminate()
        server.stdout.read()


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
