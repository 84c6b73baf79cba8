"""The transports for failures: one repeats a request, the other leaves a failing host alone for a while.

Failures of a host are counted by a store (`stithy_core.spi.stores.CircuitBreakers`); `memory_store` counts those of one
process.
"""

import logging
from functools import partial

import anyio
import httpx
import stamina
import stamina.instrumentation
from stamina.instrumentation import RetryDetails

from stithy_core.http.error_mapping import ErrorMapper, find_setup_error, is_html
from stithy_core.http.request_context import CircuitOpen, Clock, RequestContext, RequestCounts, get_context
from stithy_core.http.response_contents import check_body, parse_retry_after
from stithy_core.spi.stores import OPEN_SECONDS, Admission, CircuitBreakers

# 500 is not among them: an application that runs answers so to one request, and Gitea does for absent numbers.
FAILING = (502, 503, 504)
HOST_FAILURES = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError, httpx.TimeoutException)
LONGEST_REASON = 200


class CircuitBreakerTransport(httpx.AsyncBaseTransport):
    """Refuses requests to a host that failed several times in a row, and sends a probe after a while.

    Failures of the host count, its refusals do not.

    Args:
        inner: Sends the requests.
        breakers: Counts the failures of each host.
        clock: The clock.
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
        except HOST_FAILURES as error:
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
        if isinstance(error, httpx.PoolTimeout) or find_setup_error(error):  # ours, or told in full by each failure
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


ATTEMPTS = 3
FIRST_WAIT = 0.1
JITTER = 0.2
PATIENCE = 5.0
"""Seconds from the first attempt to the start of the last one."""
# A response that is late will be late again; an exhausted rate limit and an open breaker raise exceptions of their own.
TRANSIENT_FAILURES = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)

log = logging.getLogger("stithy.http")


def _log_retry(details: RetryDetails) -> None:
    log.debug("asking again in %.2f s: %r", details.wait_for, details.caused_by)


# stamina's default hook writes to structlog, that is to standard output, where a server on stdio speaks MCP.
stamina.instrumentation.set_on_retry_hooks([_log_retry])


class TransientFailure(Exception):
    """A response of no use that a later attempt may not get: a refusal, or a success with a broken body.

    Args:
        response: The response.
        wait: Seconds to wait as the response says; None if it does not.
    """

    def __init__(self, response: httpx.Response, wait: float | None) -> None:
        super().__init__(f"answered {response.status_code}")
        self.response = response
        self.wait = wait


class RetryTransport(httpx.AsyncBaseTransport):
    """Repeats what may be repeated, a few times within a few seconds.

    A longer wait is left to the caller, and so is any wait that the forge asks for before a write.

    Args:
        inner: Sends the requests.
        errors: Maps a refusal to its error: a conflict with a `retry_after` is transient.
        clock: The clock.
        counts: Counts repeated requests.
    """

    def __init__(
        self, inner: httpx.AsyncBaseTransport, errors: ErrorMapper, clock: Clock, counts: RequestCounts
    ) -> None:
        self._inner = inner
        self._errors = errors
        self._clock = clock
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, repeatedly if needed; return the last response or raise the last exception."""
        if not get_context(request).repeatable:
            return await self._inner.handle_async_request(request)
        began = self._clock.time()
        try:
            return await self._attempt(request)
        except (TransientFailure, *TRANSIENT_FAILURES) as failure:
            first = failure
        try:
            return await self._repeat(request, began, first)
        except TransientFailure as last:
            return last.response

    async def _repeat(self, request: httpx.Request, began: float, first: Exception) -> httpx.Response:
        attempts = stamina.retry_context(
            on=partial(self._decide_wait, began),
            attempts=ATTEMPTS,
            timeout=None,
            wait_initial=FIRST_WAIT,
            wait_max=PATIENCE,
            wait_jitter=JITTER,
        )
        async for attempt in attempts:
            with attempt:
                # The first attempt was made outside: stamina's own machinery costs more than most responses.
                if attempt.num == 1:
                    raise first
                self._counts.repeated += 1
                return await self._attempt(request)
        raise AssertionError("stamina returns a response or raises")

    async def _attempt(self, request: httpx.Request) -> httpx.Response:
        response, context = await self._inner.handle_async_request(request), get_context(request)
        if response.status_code in FAILING:
            wait = parse_retry_after(response.headers, self._clock.time())
            if wait and context.writing:
                return response
            raise TransientFailure(response, wait)
        if response.status_code == httpx.codes.CONFLICT and not context.writing:
            wait = self._errors.map_response(response, writing=False).retry_after
            if wait is not None:
                raise TransientFailure(response, wait)
        if _is_broken(response, context):
            raise TransientFailure(response, None)
        return response

    def _decide_wait(self, began: float, failure: Exception) -> bool | float:
        """Return whether to repeat, or the seconds to wait before it if the response named them."""
        left = PATIENCE - (self._clock.time() - began)
        if isinstance(failure, TransientFailure) and failure.wait is not None:
            return failure.wait if failure.wait <= left else False
        is_transient = isinstance(failure, (TransientFailure, *TRANSIENT_FAILURES))
        return is_transient and find_setup_error(failure) is None and left > 0

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _is_broken(response: httpx.Response, context: RequestContext) -> bool:
    """Return whether a read succeeded with a body of no use. A web page will stay one: it is a log-in or a proxy's."""
    if context.writing or context.expected is None or not response.is_success or is_html(response):
        return False
    return bool(check_body(response, context.expected)[1])
