"""The transport that does not ask a failing host for a while.

Failures are counted by a store (`stithy_core.spi.stores.CircuitBreakers`); the count of one process is in
`stores.local_counts`, apart from here since stores must not import transports.
"""

import anyio
import httpx

from stithy_core.http.clock import Clock
from stithy_core.http.error_mapping import is_certificate_error
from stithy_core.http.request_context import CircuitOpen
from stithy_core.http.request_counts import RequestCounts
from stithy_core.spi.stores import OPEN_SECONDS, Admission, CircuitBreakers

# 500 is not among them: an application that runs answers so to one request, and Gitea does for absent numbers.
FAILING = (502, 503, 504)
FAILURES = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError, httpx.TimeoutException)
LONGEST_REASON = 200


class CircuitBreakerTransport(httpx.AsyncBaseTransport):
    """Refuses requests to a host that failed several times in a row, and sends a probe after a while.

    Failures of the host count, its refusals do not.

    Args:
        inner: Sends the requests.
        breakers: Counts the failures of each host.
        clock: Tells the time.
        counts: Counts requests that were sent or withheld.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, breakers: CircuitBreakers, clock: Clock, counts: RequestCounts
    ) -> None:
        self._inner = inner
        self._breakers = breakers
        self._clock = clock
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            CircuitOpen: The host failed too often.
        """
        host = request.url.netloc.decode("ascii")
        admission = await self._breakers.admit(host, self._clock.time())
        if admission.wait:
            self._counts.withheld += 1
            # While a probe is under way the wait may be longer, but a probe seldom takes that long.
            raise CircuitOpen(min(admission.wait, OPEN_SECONDS), admission.reason)
        self._counts.sent += 1
        try:
            response = await self._inner.handle_async_request(request)
        except FAILURES as error:
            await self._record_exception(host, admission, error)
            raise
        except BaseException:  # cancelled, or a failure of ours: nothing is known of the host
            await self._release(host, admission)
            raise
        if response.status_code in FAILING:
            await self._record_failure(host, admission, f"it answered {response.status_code}")
        elif not admission.clean:
            # Shielded from cancellation; otherwise a response that streams would stay open without an owner.
            with anyio.CancelScope(shield=True):
                await self._breakers.record_success(host, admission)
        return response

    async def _record_exception(self, host: str, admission: Admission, error: Exception) -> None:
        if isinstance(error, httpx.PoolTimeout) or is_certificate_error(error):  # ours, not the host's
            await self._release(host, admission)
        else:
            await self._record_failure(host, admission, str(error) or type(error).__name__)

    async def _record_failure(self, host: str, admission: Admission, reason: str) -> None:
        with anyio.CancelScope(shield=True):
            await self._breakers.record_failure(host, admission, self._clock.time(), reason[:LONGEST_REASON])

    async def _release(self, host: str, admission: Admission) -> None:
        if admission.probe:
            # Shielded from cancellation; otherwise no other request could probe until this probe's time is over.
            with anyio.CancelScope(shield=True):
                await self._breakers.release(host, admission)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()
