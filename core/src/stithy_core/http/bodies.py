"""From the bytes of an answer to what it says, never holding more of it than is taken in."""

import json
import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from stithy_core.http.signals import Unreadable

CODINGS = ("", "identity", "gzip", "x-gzip")
PIECE = 256 * 1024
GZIP = 16 + zlib.MAX_WBITS


class Body(httpx.AsyncByteStream):
    """A body, decompressed piece by piece and cut off at a size: of a bomb no more than a piece is ever held.

    httpx decompresses each chunk whole, and a chunk of 64 KB may hold 64 MB.

    Args:
        response: Whose body it is; its stream is replaced by this one.
        most: How many bytes are taken in.
    """

    def __init__(self, response: httpx.Response, most: int) -> None:
        self._status = response.status_code
        self._stream = response.stream
        self._most = most
        self._coding = response.headers.pop("content-encoding", "").strip().lower()
        self._gunzip = Gunzip()
        response.stream = self

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for piece in self._pieces():
            length += len(piece)
            if length > self._most:
                raise Unreadable(self._status, f"its body is over {self._most:,} bytes", too_large=True)
            yield piece

    async def _pieces(self) -> AsyncIterator[bytes]:
        if self._coding not in CODINGS:
            raise Unreadable(self._status, f"its body cannot be decompressed ({self._coding[:20]})")
        assert isinstance(self._stream, httpx.AsyncByteStream)
        if self._coding in CODINGS[:2]:
            async for chunk in self._stream:
                yield chunk
            return
        try:
            async for chunk in self._stream:
                for piece in self._gunzip.feed(chunk):
                    yield piece
            self._gunzip.end()
        except zlib.error as error:
            raise Unreadable(self._status, "its body cannot be decompressed") from error

    async def aclose(self) -> None:
        """Close the connection, or give it back."""
        assert isinstance(self._stream, httpx.AsyncByteStream)
        await self._stream.aclose()


class Gunzip:
    """Decompresses gzip of one or more members (RFC 1952)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Give what the next bytes hold, in pieces.

        Raises:
            zlib.error: They are no gzip.
        """
        full = False
        while data or full:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP)
            self._begun = True
            piece = self._member.decompress(data, PIECE)
            full = len(piece) == PIECE and not self._member.eof  # it may have left more behind
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if piece:
                yield piece

    def end(self) -> None:
        """Hear that no more comes.

        Raises:
            zlib.error: More was to come.
        """
        if self._begun and not self._member.eof:
            raise zlib.error("cut off")


def to_json(raw: bytes) -> tuple[Any, bool]:
    """Read JSON; an empty body is None. Says also whether it was malformed."""
    if not raw.strip():
        return None, False
    try:
        return json.loads(raw), False
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError, too
        return None, True
