"""The policy that asks no more than the forge allows."""

import asyncio
from weakref import WeakValueDictionary

import anyio
import httpx

from stithy_core.errors import RateLimited
from stithy_core.http.clock import Clock
from stithy_core.http.counts import Counts
from stithy_core.http.faults import Faults
from stithy_core.http.marks import WAIT, mark_of
from stithy_core.http.signals import Open, Spent
from stithy_core.http.waits import budget
from stithy_core.spi import RateLimits
from stithy_core.spi.stores import Bucket, RateBudget, ReportedLimit, RequestCost, Reservation, describe_exhaustion

PATIENCE = 5.0
REFUSALS = (403, 429)


class Limit(httpx.AsyncBaseTransport):
    """Keeps to what the forge told of its limits, and to its pace; each attempt pays, and what was free is given back.

    A spent limit is refused here at once. A read waits a few seconds for points of its own pace, a write never; both
    queue for a slot, as they would for a connection.

    Args:
        inner: What answers the requests.
        budgets: Where it is counted.
        pace: What the forge's answers do not tell.
        base: The path of the API, which says nothing of the limit that a request falls under.
        faults: Say what a refusal means.
        clock: Tells the time.
        counts: Where it is counted what was withheld.
    """

    def __init__(
        self,
        inner: httpx.AsyncBaseTransport,
        *,
        budgets: RateBudget,
        pace: RateLimits,
        base: str,
        faults: Faults,
        clock: Clock,
        counts: Counts,
    ) -> None:
        self._inner = inner
        self._budgets = budgets
        self._pace = pace
        self._base = base.rstrip("/") + "/"
        self._faults = faults
        self._clock = clock
        self._counts = counts
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request on when it is paid for.

        Raises:
            Spent: There is nothing left to pay with.
        """
        cost = self._cost(request)
        slots = await self._slot(cost)
        try:
            grant = await self._pay(cost)
            response = await self._paid(cost, grant, request)
        finally:
            slots.release()
        if response.status_code in REFUSALS:
            await self._penalise(cost, response)
        return response

    async def _paid(self, cost: RequestCost, grant: Reservation, request: httpx.Request) -> httpx.Response:
        try:
            response = await self._inner.handle_async_request(request)
        except BaseException as error:
            await self._settle(cost, grant, None, free=isinstance(error, Open))  # then it was not sent
            raise
        now = self._clock.time()
        told = budget(response.headers, now)
        if told is not None:
            self._counts.told(told.resource, told.remaining)
        if told is not None and told.remaining <= 0:
            response.extensions[WAIT] = max(0.0, told.until - now)
        await self._settle(cost, grant, told, free=response.status_code == httpx.codes.NOT_MODIFIED)
        return response

    async def _settle(self, cost: RequestCost, grant: Reservation, told: ReportedLimit | None, *, free: bool) -> None:
        """Count what an answer told, and give back what it did not cost.

        Whoever turns away meanwhile waits for that: it is short, and else a slot would be lost for all processes, or a
        stream be left open that nobody has.
        """
        if told is None and not free and not grant.lease:
            return
        with anyio.CancelScope(shield=bool(grant.lease)):
            await self._budgets.settle(cost, grant, self._clock.time(), told, free=free)

    def _cost(self, request: httpx.Request) -> RequestCost:
        mark, pace = mark_of(request), self._pace
        path = "/" + request.url.path.removeprefix(self._base).lstrip("/")
        return RequestCost(
            account=f"{request.url.netloc.decode('ascii')} {mark.identity}",
            bucket=bucket_of(path),
            points=pace.write_points if mark.writing else 1,
            write=mark.writing,
            most_points=pace.points,
            most_writes=pace.writes,
            concurrent=pace.concurrent,
            free=path in pace.free,
        )

    async def _slot(self, cost: RequestCost) -> asyncio.Semaphore:
        slots = self._slots.get(cost.account)
        if slots is None:
            slots = self._slots[cost.account] = asyncio.Semaphore(self._pace.concurrent)
        if not slots.locked():
            await slots.acquire()
            return slots
        try:
            async with asyncio.timeout(PATIENCE):
                await slots.acquire()
        except TimeoutError:
            raise self._spent(Reservation(PATIENCE, describe_exhaustion("slots", cost))) from None
        return slots

    async def _pay(self, cost: RequestCost) -> Reservation:
        waited = 0.0
        while (grant := await self._budgets.reserve(cost, self._clock.time())).wait:
            waited += grant.wait
            if not grant.soon or waited > PATIENCE:
                raise self._spent(grant)
            await self._clock.sleep(grant.wait)
        return grant

    def _spent(self, grant: Reservation) -> Spent:
        self._counts.withheld += 1
        return Spent(grant.wait, grant.reason)

    async def _penalise(self, cost: RequestCost, response: httpx.Response) -> None:
        """Leave the forge alone for as long as a refusal means, and let the caller know for how long that is."""
        if WAIT in response.extensions and "retry-after" not in response.headers:
            return  # a limit that is spent, which the budgets know; others of the forge's are not
        error = self._faults.refused(response, writing=cost.write)
        if isinstance(error, RateLimited):
            now = self._clock.time()
            response.extensions[WAIT] = await self._budgets.penalise(cost.account, error.retry_after, now)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def bucket_of(path: str) -> Bucket:
    """Return the bucket of a path below the API's own."""
    first, _, rest = path.lstrip("/").partition("/")
    return f"{first}/{rest.partition('/')[0]}", first
