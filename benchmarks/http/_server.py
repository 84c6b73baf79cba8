"""The forge that the benchmark asks: it answers at once, the same to everybody, from a process of its own."""

import asyncio
import json
import sys
import time

ITEMS = [{"id": number, "title": "The anvil is cold", "user": {"login": "smith", "id": 7}} for number in range(30)]
BODY = json.dumps(ITEMS).encode()
ASKED = b"/asked"
HELD = 0.2


class Forge(asyncio.Protocol):
    """Answers `/plain/…` bare, `/told/…` with what GitHub tells beside, `/held` late, `/pages…` with the next page."""

    asked = 0

    def __init__(self, pages: int) -> None:
        self._pages = pages
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a client."""
        assert isinstance(transport, asyncio.Transport)
        self._client = transport

    def data_received(self, data: bytes) -> None:
        """Answer each request that is whole; none has a body."""
        self._unread += data
        while b"\r\n\r\n" in self._unread:
            head, _, self._unread = self._unread.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            if path == ASKED:
                self._client.write(_answer(b"%d" % Forge.asked))
                continue
            Forge.asked += 1
            if path == b"/held":
                asyncio.get_running_loop().call_later(HELD, self._client.write, _answer(BODY))
            else:
                self._client.write(_answer(BODY, *self._headers(path)))

    def _headers(self, path: bytes) -> list[str]:
        if path.startswith(b"/pages"):
            number = int(path.partition(b"=")[2] or 1)
            kind = path.partition(b"?")[0].decode()
            told = [f'etag: "{number}"'] if kind == "/pages/kept" else []
            return told + ([f'link: <{kind}?page={number + 1}>; rel="next"'] if number < self._pages else [])
        if path.startswith(b"/told/"):
            limits = {"limit": 5000, "remaining": 4999, "reset": int(time.time()) + 3600, "resource": "core"}
            return [f'etag: "{path.decode()}"', *(f"x-ratelimit-{name}: {value}" for name, value in limits.items())]
        return []


def _answer(body: bytes, *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", "content-type: application/json", f"content-length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def serve(pages: int) -> None:
    """Serve until the process is ended; the port is printed first."""
    server = await asyncio.get_running_loop().create_server(lambda: Forge(pages), "127.0.0.1", 0, backlog=2_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
