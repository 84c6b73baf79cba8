"""A proxy before a forge that replaces some of its responses by faults."""

import asyncio
import itertools
from urllib.parse import urlsplit

from benchmarks.http_service._service import TOKEN

EVERY = 4
QUOTING = b'{"message":"who sent %b?"}' % TOKEN.encode()
HEAD = b"HTTP/1.1 %d -\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"


class Proxy:
    """Replaces every fourth response by a fault of each kind in turn, while `enabled` is set."""

    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream)
        self._turns = itertools.count()
        self.enabled = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        try:
            writer.write(self._inject_fault(await self._forward(await _read_message(reader))))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _forward(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
        writer.write(request)
        head, _, body = (await _read_message(reader)).partition(b"\r\n\r\n")
        writer.close()
        return head + b"\r\nconnection: close\r\n\r\n" + body

    def _inject_fault(self, response: bytes) -> bytes:
        kind, other = divmod(next(self._turns), EVERY)
        if other or not self.enabled:
            return response
        errors = [HEAD % (status, len(QUOTING)) + QUOTING for status in (500, 401)]
        return [*errors, b"", response[: len(response) * 2 // 3]][kind % 4]


async def _read_message(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if line)
    return head + await reader.readexactly(int(fields.get(b"content-length", 0)))
