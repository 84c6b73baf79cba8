"""The policy that leaves a failing host alone for a while."""

import anyio
import httpx

from stithy_core.http.clock import Clock
from stithy_core.http.counts import Counts
from stithy_core.http.faults import is_certificate
from stithy_core.http.signals import Open
from stithy_core.spi.stores import OPEN_SECONDS, Admission, CircuitBreakers

# 500 is not among them: an application that runs says it of one request, and Gitea says it of numbers that are absent.
FAILING = (502, 503, 504)
FAILURES = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError, httpx.TimeoutException)
LONGEST_REASON = 200


class Breaker(httpx.AsyncBaseTransport):
    """Counts a host's own failures, never what it refuses; opens after some in a row, and lets one probe through later.

    Args:
        inner: What answers the requests.
        circuits: Where it is counted.
        clock: Tells the time.
        counts: Where it is counted what was withheld.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, circuits: CircuitBreakers, clock: Clock, counts: Counts
    ) -> None:
        self._inner = inner
        self._circuits = circuits
        self._clock = clock
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request on.

        Raises:
            Open: The host failed too often.
        """
        host = request.url.netloc.decode("ascii")
        admission = await self._circuits.admit(host, self._clock.time())
        if admission.wait:
            self._counts.withheld += 1
            raise Open(min(admission.wait, OPEN_SECONDS), admission.reason)  # a probe may last longer, but seldom does
        self._counts.sent += 1
        try:
            response = await self._inner.handle_async_request(request)
        except FAILURES as error:
            await self._fault(host, admission, error)
            raise
        except BaseException:  # given up, or an answer of another kind: nothing is known of the host
            await self._release(host, admission)
            raise
        if response.status_code in FAILING:
            await self._failed(host, admission, f"it answered {response.status_code}")
        elif not admission.clean:
            with anyio.CancelScope(shield=True):  # who turns away now would leave a stream open that nobody has
                await self._circuits.record_success(host, admission)
        return response

    async def _fault(self, host: str, admission: Admission, error: Exception) -> None:
        if isinstance(error, httpx.PoolTimeout) or is_certificate(error):  # ours, not the host's
            await self._release(host, admission)
        else:
            await self._failed(host, admission, str(error) or type(error).__name__)

    async def _failed(self, host: str, admission: Admission, reason: str) -> None:
        with anyio.CancelScope(shield=True):
            await self._circuits.record_failure(host, admission, self._clock.time(), reason[:LONGEST_REASON])

    async def _release(self, host: str, admission: Admission) -> None:
        if admission.probe:
            with anyio.CancelScope(shield=True):
                await self._circuits.release(host, admission)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()
