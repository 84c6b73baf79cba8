"""An HTTP client in the same process, for the tests of routes."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol
from urllib.parse import unquote

import anyio

from stithy_core.app import App
from stithy_core.config.transports import HTTP, require_transport
from stithy_core.spi import Response

HOST = "127.0.0.1"


class Browser(Protocol):
    """Asks a server that runs in the same process."""

    async def __call__(
        self, method: str, target: str, *, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Response:
        """Send one request, and give the whole answer; its headers' names are in small letters.

        Args:
            method: `GET`, …
            target: The path and the query, percent-encoded.
            headers: Beside `Host`, which is that of the loopback interface.
            body: What is sent.
        """
        ...


@asynccontextmanager
async def browse(app: App, host: str = HOST, *, open_: Iterable[str] = ()) -> AsyncIterator[Browser]:
    """Run an app's HTTP without any network: its routes, and what stands before them.

    Args:
        app: What `make_app` gave.
        host: The address that it would listen at; what may be asked without a token depends on it.
        open_: What nobody has to authenticate for, as `--open` says it.
    """
    served = require_transport(HTTP).application(app, host, open_)

    async def ask(method: str, target: str, *, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Response:
        given = {name.lower(): value for name, value in (headers or {}).items()}
        return await _ask(served, _scope(method, target, {"host": HOST} | given), body)

    async with served.running():
        yield ask


def _scope(method: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "client": (HOST, 50_000),
        "server": (HOST, 80),
    }


async def _ask(served: Any, scope: dict[str, Any], body: bytes) -> Response:
    sent = [{"type": "http.request", "body": body}]
    told: dict[str, list[Any]] = defaultdict(list)

    async def receive() -> dict[str, Any]:
        if not sent:
            await anyio.sleep_forever()  # the client waits
        return sent.pop()

    async def send(message: dict[str, Any]) -> None:
        told[message["type"]].append(message)

    await served(scope, receive, send)
    (start,) = told["http.response.start"]
    return Response(
        status=start["status"],
        body=b"".join(part.get("body", b"") for part in told["http.response.body"]),
        headers={name.decode("latin-1").lower(): value.decode("latin-1") for name, value in start["headers"]},
    )
