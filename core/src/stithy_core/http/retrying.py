"""The policy that asks again after a failure that passes."""

import logging
from functools import partial

import httpx
import stamina
import stamina.instrumentation
from stamina.instrumentation import RetryDetails

from stithy_core.http.breaking import FAILING
from stithy_core.http.clock import Clock
from stithy_core.http.counts import Counts
from stithy_core.http.expected_json import check_answer
from stithy_core.http.faults import Faults, is_certificate, is_html
from stithy_core.http.marks import Mark, mark_of
from stithy_core.http.waits import retry_after

ATTEMPTS = 3
FIRST_WAIT = 0.1
JITTER = 0.2
PATIENCE = 5.0
# An answer that does not come in time will not come in time again; a limit and an open breaker say so themselves.
FAILURES = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)

log = logging.getLogger("stithy.http")


def _tell(details: RetryDetails) -> None:
    log.debug("asking again in %.2f s: %r", details.wait_for, details.caused_by)


# By default stamina tells structlog, which writes to standard output: a server on stdio speaks MCP there.
stamina.instrumentation.set_on_retry_hooks([_tell])


class Passing(Exception):
    """An answer that is of no use, yet may be soon: a refusal, or a success with a broken body.

    Args:
        response: The answer.
        wait: Seconds to wait as it says itself; None where it does not.
    """

    def __init__(self, response: httpx.Response, wait: float | None) -> None:
        super().__init__(f"answered {response.status_code}")
        self.response = response
        self.wait = wait


class Retry(httpx.AsyncBaseTransport):
    """Repeats what may be repeated, some times within some seconds.

    A longer wait is left to the caller, and so is any that the forge wants before a write.

    Args:
        inner: What answers the requests.
        faults: Say what a refusal means: a conflict with a `retry_after` passes.
        clock: Tells the time.
        counts: Where it is counted.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, faults: Faults, clock: Clock, counts: Counts) -> None:
        self._inner = inner
        self._faults = faults
        self._clock = clock
        self._counts = counts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, again if it has to be; gives the last answer, or raises the last failure."""
        if not mark_of(request).repeatable:
            return await self._inner.handle_async_request(request)
        began = self._clock.time()
        try:
            return await self._attempt(request)
        except (Passing, *FAILURES) as failure:
            first = failure
        try:
            return await self._again(request, began, first)
        except Passing as last:
            return last.response

    async def _again(self, request: httpx.Request, began: float, first: Exception) -> httpx.Response:
        retrying = stamina.retry_context(
            on=partial(self._wait, began),
            attempts=ATTEMPTS,
            timeout=None,
            wait_initial=FIRST_WAIT,
            wait_max=PATIENCE,
            wait_jitter=JITTER,
        )
        async for attempt in retrying:
            with attempt:
                if attempt.num == 1:  # made already, since stamina's own machinery costs more than most answers
                    raise first
                self._counts.repeated += 1
                return await self._attempt(request)
        raise AssertionError("stamina gives an answer or raises")

    async def _attempt(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if response.status_code in FAILING:
            wait = retry_after(response.headers, self._clock.time())
            if wait and mark_of(request).writing:
                return response
            raise Passing(response, wait)
        if response.status_code == httpx.codes.CONFLICT and not mark_of(request).writing:
            wait = self._faults.refused(response, writing=False).retry_after
            if wait is not None:
                raise Passing(response, wait)
        if _is_broken(response, mark_of(request)):
            raise Passing(response, None)
        return response

    def _wait(self, began: float, failure: Exception) -> bool | float:
        """Say whether to ask again, and after how many seconds where the answer told it."""
        left = PATIENCE - (self._clock.time() - began)
        if isinstance(failure, Passing) and failure.wait is not None:
            return failure.wait if failure.wait <= left else False
        repeated = isinstance(failure, (Passing, *FAILURES)) and not is_certificate(failure)
        return repeated and left > 0

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def _is_broken(response: httpx.Response, mark: Mark) -> bool:
    """Check whether a read succeeded with a body of no use. A web page will stay one: it is a log-in or a proxy."""
    if mark.writing or mark.expected is None or not response.is_success or is_html(response):
        return False
    return bool(check_answer(response, mark.expected)[1])
