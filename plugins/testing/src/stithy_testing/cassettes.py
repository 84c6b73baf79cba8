"""A loopback server that plays back the recorded responses of a real forge."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from attrs import define, evolve, field, frozen

from stithy_core.redaction import SECRET_HEADERS

NOT_RECORDED = 599
CONNECTION_HEADERS = frozenset(
    {
        *("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"),
        *("alt-svc", "content-length", "strict-transport-security"),
    }
)
"""Headers that describe the recorded connection and its length (RFC 9110, 7.6.1), not the response."""

Key = tuple[str, str, tuple[tuple[str, str], ...], str]


@frozen
class Exchange:
    """A recorded response.

    Args:
        status: Its HTTP status.
        headers: Its headers.
        body: Its body.
        writes: The number of writes before it in the same cassette.
        cassette: The number of its cassette in the tape, from 1 on; 0 for none, and then its order is unknown.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    writes: int = 0
    cassette: int = 0

    def replace_urls(self, urls: Mapping[str, str]) -> "Exchange":
        """Return the response with URLs in its headers and body replaced: new URL by recorded URL."""
        headers, body = self.headers, self.body
        for recorded, url in urls.items():
            headers = tuple((name, value.replace(recorded, url)) for name, value in headers)
            body = body.replace(recorded.encode(), url.encode())
        return evolve(self, headers=headers, body=body)


@define
class Tape:
    """The exchanges of some cassettes, in vcrpy's format: each is played once, in order, and the last repeatedly.

    Requests are matched by method, path, query and body; JSON bodies by value. A read that was recorded before a write
    is not played after it: concurrent equal reads share a request, so the number of reads differs between runs.

    Attributes:
        exchanges: The recorded responses, oldest first, by the key of their request.
        missed: The requests without a recorded response, as text.
    """

    exchanges: dict[Key, list[Exchange]] = field(factory=dict)
    missed: list[str] = field(factory=list)
    _cassette: int = 0
    _recorded: int = 0
    _writes: Counter[int] = field(factory=Counter)
    _lock: Any = field(factory=Lock, repr=False)

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "Tape":
        """Read cassettes, in order, into a tape."""
        import yaml

        tape = cls()
        for number, path in enumerate(paths, 1):
            tape._cassette, tape._recorded = number, 0
            # With libyaml installed, the C loader reads a cassette ten times as fast.
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            for row in yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]:  # noqa: S506 -- both are safe loaders
                tape.add(row["request"], row["response"])
        return tape

    def add(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        """Add an exchange: request and response in the format of a cassette."""
        headers = tuple((name, value) for name, values in response["headers"].items() for value in values)
        kept = tuple((name, value) for name, value in headers if is_recorded_header(name))
        body = response["body"]["string"] or ""
        raw = body if isinstance(body, bytes) else body.encode()
        key = build_key(request["method"], request["uri"], request["body"])
        exchange = Exchange(response["status"]["code"], kept, raw, self._recorded, self._cassette)
        self.exchanges.setdefault(key, []).append(exchange)
        self._recorded += is_write(key)

    def play(self, method: str, uri: str, body: bytes) -> Exchange:
        """Return the next response to a request; status 599 if none was recorded, and `missed` then has the request."""
        with self._lock:
            key = build_key(method, uri, body)
            recorded = self.exchanges.get(key)
            if not recorded:
                self.missed.append(f"{method} {uri} {body.decode(errors='replace')}".strip())
                text = json.dumps({"message": f"not recorded: {method} {uri}"}).encode()
                return Exchange(NOT_RECORDED, (("Content-Type", "application/json"),), text)
            while len(recorded) > 1 and not is_write(key) and self._is_old(*recorded[:2]):
                recorded.pop(0)
            exchange = recorded.pop(0) if len(recorded) > 1 else recorded[0]
            self._writes[exchange.cassette] += is_write(key)
            return exchange

    def _is_old(self, exchange: Exchange, following: Exchange) -> bool:
        """Return whether a write was played since an exchange, and the following one is not later than that write."""
        writes = self._writes[following.cassette]
        return 0 < exchange.cassette == following.cassette and exchange.writes < writes >= following.writes


@contextmanager
def playback(tape: Tape, *, delay: float = 0.0, hosts: Sequence[str] = ("",)) -> Iterator[str]:
    """Serve a tape on a free loopback port, and yield its URL.

    Args:
        tape: The tape.
        delay: Seconds before each response, to simulate a distant forge.
        hosts: The host names in the recording whose URLs are replaced by those of this server: the first is the
            forge's, and each other one gets a port of its own.
    """
    replacements: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body go out as two packets

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            exchange = tape.play(self.command, self.path, self.rfile.read(length)).replace_urls(replacements)
            time.sleep(delay)
            self.send_response_only(exchange.status)  # the recorded date is sent, not today's
            for name, value in exchange.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(exchange.body)))
            self.end_headers()
            self.wfile.write(exchange.body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer  # noqa: N815 -- the names http.server looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- http.server's name
            """Log nothing: http.server would write every request to standard error."""

    with ExitStack() as stack:
        urls = [stack.enter_context(_serve_handler(Handler)) for _ in hosts]
        replacements |= {f"https://{host}": url for host, url in zip(hosts, urls, strict=True) if host}
        yield urls[0]


@contextmanager
def _serve_handler(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def is_recorded_header(name: str) -> bool:
    """Return whether a response's header is recorded and played: all but credentials, cookies and the connection's."""
    return name.lower() not in SECRET_HEADERS and name.lower() not in CONNECTION_HEADERS


def build_key(method: str, uri: str, body: str | bytes | None) -> Key:
    """Return the key that a request is matched by: method, path, sorted query and normalised body, without the host."""
    parts = urlsplit(uri)
    return method, parts.path, tuple(sorted(parse_qsl(parts.query, keep_blank_values=True))), _normalise_body(body)


def is_write(key: Key) -> bool:
    """Return whether a request may change something; GraphQL sends queries as POST, too."""
    method, path, _, body = key
    return method != "GET" and not (path.endswith("/graphql") and "mutation " not in body)


def _normalise_body(body: str | bytes | None) -> str:
    if not body:
        return ""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except ValueError:
        return body if isinstance(body, str) else body.decode(errors="replace")
