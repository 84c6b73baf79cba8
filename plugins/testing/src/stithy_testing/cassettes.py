"""A loopback server that plays recorded exchanges back, so that what answers is what a real forge answered."""

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

NOT_RECORDED = 599
CARRIED = (
    *("content-type", "date", "location", "x-total-count", "link", "retry-after"),
    *("x-oauth-scopes", "github-authentication-token-expiration", "x-github-enterprise-version"),
)

Key = tuple[str, str, tuple[tuple[str, str], ...], str]


@frozen
class Exchange:
    """One recorded answer.

    Args:
        status: Its HTTP status.
        headers: Its headers.
        body: Its body.
        writes: How many writes of the same cassette came before it.
        cassette: Which cassette of its tape it is of; 0 for none, and then nobody knows what it came before.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    writes: int = 0
    cassette: int = 0

    def at(self, places: Mapping[str, str]) -> "Exchange":
        """Put other addresses in the place of those in it."""
        headers, body = dict(self.headers), self.body
        for place, instead in places.items():
            headers = {name: value.replace(place, instead) for name, value in headers.items()}
            body = body.replace(place.encode(), instead.encode())
        return evolve(self, headers=tuple(headers.items()), body=body)


@define
class Tape:
    """The exchanges of some cassettes, in vcrpy's format: each is played once, in order, and the last for ever.

    A request is matched by method, path, query and body; a JSON body by what it says, not how it is written. What was
    read before a write is not played after it: two reads that meet on the way are one request, and how often that
    happens differs from run to run.
    """

    exchanges: dict[Key, list[Exchange]] = field(factory=dict)
    missed: list[str] = field(factory=list)
    _cassette: int = 0
    _recorded: int = 0
    _written: Counter[int] = field(factory=Counter)
    _lock: Any = field(factory=Lock, repr=False)

    @classmethod
    def read(cls, paths: Sequence[Path]) -> "Tape":
        """Read cassettes, one after the other."""
        import yaml

        tape = cls()
        for number, path in enumerate(paths, 1):
            tape._cassette, tape._recorded = number, 0
            # The C loader reads a cassette ten times as fast, where libyaml is there.
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            for row in yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]:  # noqa: S506 -- both are safe loaders
                tape.add(row["request"], row["response"])
        return tape

    def add(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        """Add an exchange, as a cassette has it."""
        headers = tuple(
            (name, values[0]) for name, values in response["headers"].items() if name.lower() in CARRIED and values
        )
        body = response["body"]["string"] or ""
        raw = body if isinstance(body, bytes) else body.encode()
        key = key_of(request["method"], request["uri"], request["body"])
        exchange = Exchange(response["status"]["code"], headers, raw, self._recorded, self._cassette)
        self.exchanges.setdefault(key, []).append(exchange)
        self._recorded += is_write(key)

    def play(self, method: str, uri: str, body: bytes) -> Exchange:
        """Give the answer to a request; 599 for what was never recorded, which `missed` lists, too."""
        with self._lock:
            key = key_of(method, uri, body)
            recorded = self.exchanges.get(key)
            if not recorded:
                self.missed.append(f"{method} {uri} {body.decode(errors='replace')}".strip())
                text = json.dumps({"message": f"not recorded: {method} {uri}"}).encode()
                return Exchange(NOT_RECORDED, (("Content-Type", "application/json"),), text)
            while len(recorded) > 1 and not is_write(key) and self._is_old(*recorded[:2]):
                recorded.pop(0)
            exchange = recorded.pop(0) if len(recorded) > 1 else recorded[0]
            self._written[exchange.cassette] += is_write(key)
            return exchange

    def _is_old(self, answer: Exchange, following: Exchange) -> bool:
        """Say whether a write came between that answer and now, and the following one does not come too soon."""
        written = self._written[following.cassette]
        return 0 < answer.cassette == following.cassette and answer.writes < written >= following.writes


@contextmanager
def playback(tape: Tape, *, delay: float = 0.0, hosts: Sequence[str] = ("",)) -> Iterator[str]:
    """Serve a tape on a free loopback port, and give its URL.

    Args:
        tape: What is played.
        delay: Seconds before each answer, as a distant forge would take.
        hosts: Those in the recording, where its URLs are to lead to what is served here: the first is the forge, and
            each other has a port of its own.
    """
    places: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body go out as two packets

        def answer(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            exchange = tape.play(self.command, self.path, self.rfile.read(length)).at(places)
            time.sleep(delay)
            self.send_response_only(exchange.status)  # the recorded date is sent, not today's
            for name, value in exchange.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(exchange.body)))
            self.end_headers()
            self.wfile.write(exchange.body)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer  # noqa: N815 -- the names http.server looks for

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- http.server's name
            """Say nothing: the calls are shown by whoever makes them."""

    with ExitStack() as stack:
        urls = [stack.enter_context(_listening(Handler)) for _ in hosts]
        places |= {f"https://{host}": url for host, url in zip(hosts, urls, strict=True) if host}
        yield urls[0]


@contextmanager
def _listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def key_of(method: str, uri: str, body: str | bytes | None) -> Key:
    """Give what a request is matched by: not the host, and not how its query and its JSON are written."""
    parts = urlsplit(uri)
    return method, parts.path, tuple(sorted(parse_qsl(parts.query, keep_blank_values=True))), _said(body)


def is_write(key: Key) -> bool:
    """Say whether a request may change something; in GraphQL a question is posted, too."""
    method, path, _, body = key
    return method != "GET" and not (path.endswith("/graphql") and "mutation " not in body)


def _said(body: str | bytes | None) -> str:
    if not body:
        return ""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except ValueError:
        return body if isinstance(body, str) else body.decode(errors="replace")
