"""Bodies of responses: read within bounds of size and time, and decompressed piece by piece."""

import zlib
from collections.abc import AsyncIterator, Iterator
from typing import Final

import anyio
import httpx

from stithy_core.http.request_context import UnusableBody, get_context

LARGEST: Final = 20 * 1024 * 1024
"""Bytes of a body that is read whole."""
LONGEST = 60.0
"""Seconds from sending a request to the end of its body."""
PLAIN = ("", "identity")
CODINGS = (*PLAIN, "gzip", "x-gzip")
PIECE = 256 * 1024
"""Bytes that are decompressed at once."""
GZIP = 16 + zlib.MAX_WBITS
"""The `wbits` of zlib for a gzip header."""


class BoundedBodyTransport(httpx.AsyncBaseTransport):
    """Reads each body to its end, except of a successful response that is streamed.

    It is the innermost transport, so that the failure of a body is a failure of the attempt: it is counted and retried.

    Args:
        inner: Sends the requests.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and read the response.

        Raises:
            UnusableBody: The body is too large, or cannot be decompressed.
            httpx.ReadTimeout: The whole took too long; httpx itself limits the time between two chunks only.
        """
        try:
            with anyio.fail_after(LONGEST):
                response = await self._inner.handle_async_request(request)
                if not (response.is_success and get_context(request).streamed):
                    await _read_body(response)
        except TimeoutError as error:
            raise httpx.ReadTimeout(f"the response took over {LONGEST:.0f} seconds", request=request) from error
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


async def _read_body(response: httpx.Response) -> None:
    BoundedBody(response, LARGEST)
    try:
        await response.aread()
    except BaseException:
        await response.aclose()
        raise


class BoundedBody(httpx.AsyncByteStream):
    """A body that is decompressed piece by piece and ends with an error at a size.

    httpx decompresses each chunk whole, and a chunk of 64 KB may hold 64 MB. Of such a bomb this holds one piece.

    Args:
        response: The response; this takes the place of its stream.
        most: The largest size in bytes, decompressed.
    """

    def __init__(self, response: httpx.Response, most: int) -> None:
        self._status = response.status_code
        self._stream = response.stream
        self._most = most
        # Without the header httpx does not decompress a second time.
        self._coding = response.headers.pop("content-encoding", "").strip().lower()
        self._decoder = GzipDecoder()
        response.stream = self

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for piece in self._iterate_pieces():
            length += len(piece)
            if length > self._most:
                raise UnusableBody(self._status, f"its body is over {self._most:,} bytes", too_large=True)
            yield piece

    async def _iterate_pieces(self) -> AsyncIterator[bytes]:
        if self._coding not in CODINGS:
            raise UnusableBody(self._status, f"its body cannot be decompressed ({self._coding[:20]})")
        assert isinstance(self._stream, httpx.AsyncByteStream)
        if self._coding in PLAIN:
            async for chunk in self._stream:
                yield chunk
            return
        try:
            async for chunk in self._stream:
                for piece in self._decoder.decode(chunk):
                    yield piece
            self._decoder.finish()
        except zlib.error as error:
            raise UnusableBody(self._status, "its body cannot be decompressed") from error

    async def aclose(self) -> None:
        """Close the connection, or return it to the pool."""
        assert isinstance(self._stream, httpx.AsyncByteStream)
        await self._stream.aclose()


class GzipDecoder:
    """Decompresses gzip of one or more members (RFC 1952)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(GZIP)
        self._has_begun = False

    def decode(self, data: bytes) -> Iterator[bytes]:
        """Iterate the content of the next bytes, in pieces.

        Raises:
            zlib.error: They are not gzip.
        """
        full = False
        while data or full:
            if self._member.eof:
                self._member = zlib.decompressobj(GZIP)
            self._has_begun = True
            piece = self._member.decompress(data, PIECE)
            full = len(piece) == PIECE and not self._member.eof  # zlib may hold more output without any input left
            data = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if piece:
                yield piece

    def finish(self) -> None:
        """Check that the last member is complete.

        Raises:
            zlib.error: It is cut off.
        """
        if self._has_begun and not self._member.eof:
            raise zlib.error("cut off")
