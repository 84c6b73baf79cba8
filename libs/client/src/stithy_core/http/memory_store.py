"""The store in memory: the answers that were used last, up to a size, and counts of limits and failures.

Stores import no transport: transports are created with a store.
"""

from collections import OrderedDict, deque

from attrs import Factory, define

from stithy_core.spi.idempotent_writer import Ledger, MemoryLedger
from stithy_core.spi.stores import (
    FAILURES_TO_OPEN,
    FIRST_PENALTY,
    LONGEST_PENALTY,
    OPEN_SECONDS,
    PROBE_SECONDS,
    Admission,
    Bucket,
    ReportedLimit,
    RequestCost,
    Reservation,
    describe_exhaustion,
)

MOST_ACCOUNTS = 1_000
MOST_BUCKETS = 1_000
MOST_HOSTS = 1_000
SAME_RESET = 2.0
"""Seconds by which two responses may differ in the reset time of one and the same rate limit."""
MINUTE = 60
CLEAN = Admission(clean=True)


@define
class _RateLimit:
    remaining: int
    until: float


@define
class LearnedBuckets:
    """The rate limit of each bucket: by the first segment of its path, and by two where one segment has several."""

    _learned: dict[str, str] = Factory(dict)

    def find_resource(self, bucket: Bucket) -> str:
        """Return the name of the limit of a bucket; "" if no response has named it yet."""
        both, first = bucket
        return self._learned.get(both, self._learned.get(first, ""))

    def learn(self, bucket: Bucket, resource: str) -> None:
        """Record the limit that a response named."""
        both, first = bucket
        if self._learned.setdefault(first, resource) == resource:
            self._learned.pop(both, None)
        elif len(self._learned) < MOST_BUCKETS:
            self._learned[both] = resource


@define
class SlidingWindow:
    """What was paid within the last minute, by the second of each payment."""

    total: int = 0
    _seconds: deque[list[int]] = Factory(deque)  # [second, amount], the oldest first

    def wait(self, amount: int, most: int | None, now: float) -> float:
        """Return the seconds until an amount fits; 0 if it fits now or without a limit."""
        # A payment counts from the end of its second, so that no minute, wherever it begins, holds more than `most`.
        while self._seconds and self._seconds[0][0] + MINUTE + 1 <= now:
            self.total -= self._seconds.popleft()[1]
        if most is None or self.total == 0:  # an amount over `most` is let through alone; it would never fit
            return 0.0
        over = self.total + amount - most
        for second, paid in self._seconds:
            if over <= 0:
                break
            over -= paid
            if over <= 0:
                return second + MINUTE + 1 - now
        return 0.0 if over <= 0 else MINUTE

    def add(self, amount: int, now: float) -> None:
        """Record a payment."""
        second = int(now)
        if not self._seconds or self._seconds[-1][0] != second:
            self._seconds.append([second, 0])
        self._seconds[-1][1] += amount
        self.total += amount


@define
class _Account:
    blocked_until: float = 0.0
    penalties: int = 0
    forgiven_at: float = 0.0
    limits: dict[str, _RateLimit] = Factory(dict)
    buckets: LearnedBuckets = Factory(LearnedBuckets)
    points: SlidingWindow = Factory(SlidingWindow)
    writes: SlidingWindow = Factory(SlidingWindow)


class LocalRateBudget:
    """The rate limits of this process; implements `stithy_core.spi.stores.RateBudget`."""

    def __init__(self) -> None:
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    async def reserve(self, cost: RequestCost, now: float) -> Reservation:
        """Pay for a request, unless it is known that nothing is left."""
        account = self._account(cost.account)
        if account.blocked_until > now:
            return Reservation(wait=account.blocked_until - now, reason=describe_exhaustion("blocked", cost))
        resource = "" if cost.free else account.buckets.find_resource(cost.bucket)
        limit = None if cost.free else account.limits.get(resource)
        if limit is not None and limit.until > now and limit.remaining <= 0:
            return Reservation(wait=limit.until - now, reason=describe_exhaustion("limit", cost, resource))
        if cost.write and (wait := account.writes.wait(1, cost.most_writes, now)):
            return Reservation(wait=wait, reason=describe_exhaustion("writes", cost))
        if wait := account.points.wait(cost.points, cost.most_points, now):
            return Reservation(wait=wait, reason=describe_exhaustion("points", cost), soon=not cost.write)
        # Nothing is paid before all limits agreed: a refusal costs nothing.
        if limit is not None:
            limit.remaining -= 1
        if cost.write and cost.most_writes is not None:
            account.writes.add(1, now)
        if cost.most_points is not None:
            account.points.add(cost.points, now)
        return Reservation(resource=resource)

    async def settle(
        self, cost: RequestCost, reservation: Reservation, now: float, reported: ReportedLimit | None, *, free: bool
    ) -> None:
        """Record what the response reported; `free` returns what was paid (304)."""
        account = self._account(cost.account)
        limits = account.limits
        if free and not cost.free and (paid := limits.get(reservation.resource)) is not None:
            paid.remaining += 1
        if reported is None:
            return
        account.buckets.learn(cost.bucket, reported.resource)
        known = limits.get(reported.resource)
        if known is None or known.until <= now or reported.until > known.until + SAME_RESET:
            limits[reported.resource] = _RateLimit(reported.remaining, reported.until)
        elif reported.until >= known.until - SAME_RESET:  # the response of an older window may arrive late
            # Responses arrive in any order; the lowest count is the latest, since it only falls within a window.
            known.remaining = min(known.remaining, reported.remaining)

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Block an account after a refusal; return for how many seconds: as the forge asked, or ever longer."""
        known = self._account(account)
        if wait is None:
            if known.blocked_until > now:  # the answer to a request that was sent together with the first one
                return known.blocked_until - now
            if known.forgiven_at <= now:
                known.penalties = 0
            wait = min(FIRST_PENALTY * 2**known.penalties, LONGEST_PENALTY)
            known.penalties += 1
            known.forgiven_at = now + 3 * wait
        known.blocked_until = max(known.blocked_until, now + min(wait, LONGEST_PENALTY))
        return wait

    def _account(self, name: str) -> _Account:
        if (account := self._accounts.get(name)) is None:
            account = self._accounts[name] = _Account()
            if len(self._accounts) > MOST_ACCOUNTS:
                self._accounts.popitem(last=False)
        self._accounts.move_to_end(name)
        return account


@define
class _Circuit:
    failures: int = 0
    open_until: float = 0.0
    probed_until: float = 0.0
    reason: str = ""


class LocalCircuitBreakers:
    """The circuit breakers of this process; implements `stithy_core.spi.stores.CircuitBreakers`.

    A breaker is closed, open after some failures in a row, and half open after a while.
    """

    def __init__(self) -> None:
        self._circuits: OrderedDict[str, _Circuit] = OrderedDict()

    async def admit(self, host: str, now: float) -> Admission:
        """Admit a request, or return how long to wait."""
        if (circuit := self._circuits.get(host)) is None:
            return CLEAN
        if not circuit.open_until:
            return Admission()
        if (wait := max(circuit.open_until, circuit.probed_until) - now) > 0:
            return Admission(wait=wait, reason=circuit.reason)
        circuit.probed_until = now + PROBE_SECONDS
        return Admission(probe=True)

    async def record_success(self, host: str, admission: Admission) -> None:
        """Forget the failures of a host; an open breaker is closed by its probe only."""
        circuit = self._circuits.get(host)
        if circuit is not None and (admission.probe or not circuit.open_until):
            del self._circuits[host]

    async def record_failure(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Record that the host failed, and how."""
        circuit = self._circuits.setdefault(host, _Circuit())
        circuit.failures += 1
        circuit.reason = reason
        if admission.probe or (not circuit.open_until and circuit.failures >= FAILURES_TO_OPEN):
            circuit.open_until, circuit.probed_until = now + OPEN_SECONDS, 0.0
        if len(self._circuits) > MOST_HOSTS:
            self._circuits.popitem(last=False)

    async def release(self, host: str, admission: Admission) -> None:
        """Let another request be the probe."""
        circuit = self._circuits.get(host)
        if circuit is not None and admission.probe:
            circuit.probed_until = 0.0


MOST = 32 * 1024 * 1024
OVERHEAD = 200
"""Bytes of an entry beside its value: its key and its place in the dictionary."""


class MemoryStore:
    """The store of one process; implements `stithy_core.spi.Store`.

    Args:
        most: Bytes that it holds; the answers that were not used for longest are dropped first.
        ledger: Records writes; in memory by default.
    """

    def __init__(self, most: int = MOST, ledger: Ledger | None = None) -> None:
        self.rate_budget = LocalRateBudget()
        self.circuit_breakers = LocalCircuitBreakers()
        self.ledger = ledger or MemoryLedger()
        self._most = most
        self._size = 0
        self._values: OrderedDict[str, bytes] = OrderedDict()

    @property
    def reachable(self) -> None:
        """None, since it is not shared."""

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, or None."""
        if (value := self._values.get(key)) is not None:
            self._values.move_to_end(key)
        return value

    async def save(self, key: str, value: bytes) -> None:
        """Keep a value, in place of the one before."""
        if (old := self._values.pop(key, None)) is not None:
            self._size -= len(old) + OVERHEAD
        self._values[key] = value
        self._size += len(value) + OVERHEAD
        while self._size > self._most:
            _, dropped = self._values.popitem(last=False)
            self._size -= len(dropped) + OVERHEAD

    async def aclose(self) -> None:
        """Drop all values."""
        self._values.clear()
        self._size = 0
