"""The transport that keeps to the rate limits of a forge.

What is left of them is counted by a store (`stithy_core.spi.stores.RateBudget`); `memory_store` counts for one process.
"""

import asyncio
from weakref import WeakValueDictionary

import anyio
import httpx

from stithy_core.errors import RateLimited
from stithy_core.http.error_mapping import ErrorMapper
from stithy_core.http.request_context import WAIT, CircuitOpen, Clock, RateLimitExhausted, RequestCounts, get_context
from stithy_core.http.response_contents import parse_rate_limit
from stithy_core.spi import RateLimits
from stithy_core.spi.stores import Bucket, RateBudget, ReportedLimit, RequestCost, Reservation, describe_exhaustion

PATIENCE = 5.0
"""Seconds that a request waits for a slot, and a read for points."""
REFUSALS = (403, 429)
"""Statuses that forges use for an exhausted rate limit; GitHub uses both."""


class RateLimitTransport(httpx.AsyncBaseTransport):
    """Keeps to the limits that the forge reported, and to those of its dialect.

    Each attempt pays, and what the forge does not count is returned. A request for which a limit has nothing left is
    refused here. A read waits some seconds for points of the dialect's limit, a write never; both wait for a slot, as
    they would for a connection.

    Args:
        inner: Sends the requests.
        budget: Counts what is left.
        limits: The limits that the responses of the forge do not report.
        base_path: The path of the API; what is below it tells which limit covers a request.
        errors: Maps a refusal to its error.
        clock: The clock.
        counts: Counts requests that were withheld.
    """

    def __init__(
        self,
        inner: httpx.AsyncBaseTransport,
        *,
        budget: RateBudget,
        limits: RateLimits,
        base_path: str,
        errors: ErrorMapper,
        clock: Clock,
        counts: RequestCounts,
    ) -> None:
        self._inner = inner
        self._budget = budget
        self._limits = limits
        self._base_path = base_path.rstrip("/") + "/"
        self._errors = errors
        self._clock = clock
        self._counts = counts
        # Weak, since accounts come and go with delegated tokens; the frame of a request keeps its own semaphore alive.
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request once it is paid.

        Raises:
            RateLimitExhausted: There is nothing left to pay with.
        """
        cost = self._price(request)
        slots = await self._acquire_slot(cost)
        try:
            reservation = await self._pay(cost)
            response = await self._send_paid(cost, reservation, request)
        finally:
            slots.release()
        if response.status_code in REFUSALS:
            await self._penalise(cost, response)
        return response

    async def _send_paid(self, cost: RequestCost, reservation: Reservation, request: httpx.Request) -> httpx.Response:
        try:
            response = await self._inner.handle_async_request(request)
        except BaseException as error:
            # An open circuit breaker is further in: the request was paid and never sent. Any other failure may have
            # come after the forge counted it, so what was paid stays paid.
            await self._settle(cost, reservation, None, free=isinstance(error, CircuitOpen))
            raise
        now = self._clock.time()
        reported = parse_rate_limit(response.headers, now)
        if reported is not None:
            self._counts.record_limit(reported.resource, reported.remaining)
        if reported is not None and reported.remaining <= 0:
            response.extensions[WAIT] = max(0.0, reported.until - now)
        await self._settle(cost, reservation, reported, free=response.status_code == httpx.codes.NOT_MODIFIED)
        return response

    async def _settle(
        self, cost: RequestCost, reservation: Reservation, reported: ReportedLimit | None, *, free: bool
    ) -> None:
        if reported is None and not free and not reservation.lease:
            return
        # Shielded from cancellation if there is a lease: otherwise the slot that all processes share would leak until
        # its lease ends, and a response that streams would stay open without an owner. It takes half a second at most.
        with anyio.CancelScope(shield=bool(reservation.lease)):
            await self._budget.settle(cost, reservation, self._clock.time(), reported, free=free)

    def _price(self, request: httpx.Request) -> RequestCost:
        context, limits = get_context(request), self._limits
        path = "/" + request.url.path.removeprefix(self._base_path).lstrip("/")
        return RequestCost(
            account=f"{request.url.netloc.decode('ascii')} {context.identity}",
            bucket=parse_bucket(path),
            points=limits.write_points if context.writing else 1,
            write=context.writing,
            most_points=limits.points,
            most_writes=limits.writes,
            concurrent=limits.concurrent,
            free=path in limits.free,
        )

    async def _acquire_slot(self, cost: RequestCost) -> asyncio.Semaphore:
        """Acquire a slot of this process and return its semaphore; slots of all processes are paid with the rest."""
        slots = self._slots.get(cost.account)
        if slots is None:
            slots = self._slots[cost.account] = asyncio.Semaphore(self._limits.concurrent)
        if not slots.locked():  # the common case, without the cost of a timeout
            await slots.acquire()
            return slots
        try:
            async with asyncio.timeout(PATIENCE):
                await slots.acquire()
        except TimeoutError:
            raise self._refuse(Reservation(wait=PATIENCE, reason=describe_exhaustion("slots", cost))) from None
        return slots

    async def _pay(self, cost: RequestCost) -> Reservation:
        waited = 0.0
        while (reservation := await self._budget.reserve(cost, self._clock.time())).wait:
            waited += reservation.wait
            if not reservation.soon or waited > PATIENCE:
                raise self._refuse(reservation)
            await self._clock.sleep(reservation.wait)
        return reservation

    def _refuse(self, reservation: Reservation) -> RateLimitExhausted:
        self._counts.withheld += 1
        return RateLimitExhausted(reservation.wait, reservation.reason)

    async def _penalise(self, cost: RequestCost, response: httpx.Response) -> None:
        """Block the account for as long as a refusal means, and record the wait in the response for the caller."""
        if WAIT in response.extensions and "retry-after" not in response.headers:
            # One limit reported that it is exhausted, and `settle` has recorded that. The account is not blocked,
            # since its other limits may have something left.
            return
        error = self._errors.map_response(response, writing=cost.write)
        if isinstance(error, RateLimited):
            now = self._clock.time()
            response.extensions[WAIT] = await self._budget.penalise(cost.account, error.retry_after, now)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def parse_bucket(path: str) -> Bucket:
    """Return the bucket of a path below the API's own."""
    first, _, rest = path.lstrip("/").partition("/")
    return f"{first}/{rest.partition('/')[0]}", first
