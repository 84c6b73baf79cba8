"""The forge for the benchmark, in a process of its own: it sends the same response to every request at once."""

import asyncio
import json
import sys
import time

ITEMS = [{"id": number, "title": "The anvil is cold", "user": {"login": "smith", "id": 7}} for number in range(30)]
BODY = json.dumps(ITEMS).encode()
COUNT = b"/count"
DELAY = 0.2


class Forge(asyncio.Protocol):
    """Answers `/plain/…`, `/headers/…` with GitHub's headers, `/delayed` late, `/pages/…` with a link to the next page.

    `/count` returns the number of requests.
    """

    requests = 0

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of a new connection."""
        assert isinstance(transport, asyncio.Transport)
        self._client = transport

    def data_received(self, data: bytes) -> None:
        """Answer each complete request; none has a body."""
        self._unread += data
        while b"\r\n\r\n" in self._unread:
            head, _, self._unread = self._unread.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            if path == COUNT:
                self._client.write(_format_response(b"%d" % Forge.requests))
                continue
            Forge.requests += 1
            if path == b"/delayed":
                asyncio.get_running_loop().call_later(DELAY, self._client.write, _format_response(BODY))
            else:
                self._client.write(_format_response(BODY, *self._build_headers(path)))

    def _build_headers(self, path: bytes) -> list[str]:
        if path.startswith(b"/pages"):
            number = int(path.partition(b"=")[2] or 1)
            kind = path.partition(b"?")[0].decode()
            etag = [f'etag: "{number}"'] if kind == "/pages/etag" else []
            return etag + ([f'link: <{kind}?page={number + 1}>; rel="next"'] if number < self._pages else [])
        if path.startswith(b"/headers/"):
            limits = {"limit": 5000, "remaining": 4999, "reset": int(time.time()) + 3600, "resource": "core"}
            return [f'etag: "{path.decode()}"', *(f"x-ratelimit-{name}: {value}" for name, value in limits.items())]
        return []


def _format_response(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", "content-type: application/json", f"content-length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def serve(pages: int) -> None:
    """Print the port, and serve until the process ends."""
    server = await asyncio.get_running_loop().create_server(lambda: Forge(pages), "127.0.0.1", 0, backlog=2_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
