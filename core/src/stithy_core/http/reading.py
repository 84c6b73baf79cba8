"""The innermost policy: reads bodies within bounds of size and time, so that their failure is the attempt's."""

from typing import Final

import anyio
import httpx

from stithy_core.http.bodies import Body
from stithy_core.http.marks import mark_of

LARGEST: Final = 20 * 1024 * 1024
LONGEST = 60.0


class Reading(httpx.AsyncBaseTransport):
    """Reads each answer to its end, but for the success of a request that is streamed.

    Args:
        inner: What carries the requests.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and read the answer.

        Raises:
            Unreadable: The body is too large, or cannot be decompressed.
            httpx.ReadTimeout: The whole took too long, however steadily the body drips.
        """
        try:
            with anyio.fail_after(LONGEST):
                response = await self._inner.handle_async_request(request)
                if not (response.is_success and mark_of(request).streamed):
                    await _read(response)
        except TimeoutError as error:
            raise httpx.ReadTimeout(f"the answer took over {LONGEST:.0f} seconds", request=request) from error
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


async def _read(response: httpx.Response) -> None:
    Body(response, LARGEST)
    try:
        await response.aread()
    except BaseException:
        await response.aclose()
        raise
