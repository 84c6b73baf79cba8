"""An HTTP client in the same process, for the tests of routes; it needs stithy-http."""

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
    """Sends requests to a server that runs in the same process."""

    async def __call__(
        self, method: str, target: str, *, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Response:
        """Send a request and return the whole response; the names of its headers are in lower case.

        Args:
            method: The method, such as `GET`.
            target: The path and the query, percent-encoded.
            headers: Further headers; `Host` is the loopback address by default.
            body: The body.
        """
        ...


@asynccontextmanager
async def browse(app: App, host: str = HOST, *, open_: Iterable[str] = ()) -> AsyncIterator[Browser]:
    """Run an app's HTTP application without a network: its routes, and the middleware before them.

    Args:
        app: The app, from `make_app`.
        host: The address that the server would listen at; whether requests need a token depends on it.
        open_: The areas without authentication, as for `--open`.

    Raises:
        ConfigError: stithy-http is not installed.
    """
    application = require_transport(HTTP).application(app, host, open_)

    async def request(
        method: str, target: str, *, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Response:
        lowered = {name.lower(): value for name, value in (headers or {}).items()}
        return await _send_request(application, _build_scope(method, target, {"host": HOST} | lowered), body)

    async with application.running():
        yield request


def _build_scope(method: str, target: str, headers: Mapping[str, str]) -> dict[str, Any]:
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


async def _send_request(application: Any, scope: dict[str, Any], body: bytes) -> Response:
    requests = [{"type": "http.request", "body": body}]
    messages: dict[str, list[Any]] = defaultdict(list)

    async def receive() -> dict[str, Any]:
        if not requests:
            await anyio.sleep_forever()  # the client stays connected
        return requests.pop()

    async def send(message: dict[str, Any]) -> None:
        messages[message["type"]].append(message)

    await application(scope, receive, send)
    (start,) = messages["http.response.start"]
    return Response(
        status=start["status"],
        body=b"".join(part.get("body", b"") for part in messages["http.response.body"]),
        headers={name.decode("latin-1").lower(): value.decode("latin-1") for name, value in start["headers"]},
    )
