"""Stores: what keeps answers of forges, and counts limits, failing hosts and writes; several servers may share one.

A plugin provides a kind of store with the hook `stithy_stores`. The core comes with one in memory and one in a file.
"""

from typing import Protocol, TypeAlias

from attrs import frozen

from stithy_core.spi.idempotent_writer import Ledger

FIRST_PENALTY = 60.0
"""Seconds to leave a forge alone after its first refusal that names no time; each further one doubles them."""
LONGEST_PENALTY = 3600.0
"""Seconds after which a forge is asked again whatever it said; no known forge has a longer window."""
FAILURES_TO_OPEN = 5
"""Failures in a row that open the circuit breaker of a host."""
OPEN_SECONDS = 15.0
"""Seconds from opening a circuit breaker to the first probe."""
PROBE_SECONDS = 75.0
"""Seconds until another probe may start; longer than any request, so that the probe of a dead process is freed."""

Bucket: TypeAlias = tuple[str, str]
"""A path by its first two segments and by its first, as in `("search/code", "search")`: what a rate limit covers."""


@frozen(kw_only=True)
class RequestCost:
    """What a request costs, and which account pays.

    Args:
        account: The host and the identity of the token.
        bucket: The kind of request; responses tell which rate limit covers it.
        points: Points of the budget of a minute.
        write: Whether it counts among the writes of a minute.
        most_points: Points in a minute; None if the forge has no such limit.
        most_writes: Writes in a minute; None if the forge has no such limit.
        concurrent: Requests that may be under way at once.
        free: Whether the rate limit of the bucket does not count it.
    """

    account: str
    bucket: Bucket = ("", "")
    points: int = 1
    write: bool = False
    most_points: int | None = None
    most_writes: int | None = None
    concurrent: int = 16
    free: bool = False


@frozen(kw_only=True)
class Reservation:
    """The answer to a cost: it was paid, or there is nothing left to pay with.

    Args:
        wait: Seconds until it may be tried again; 0 if it was paid.
        reason: What is used up, from `describe_exhaustion`.
        soon: Whether waiting for it is worth while: a slot will be free, or a read will have points.
        resource: The rate limit that was paid from; "" if no response has named it yet.
        lease: The id of the occupied slot, to be released when the request ended; "" without one.
    """

    wait: float = 0.0
    reason: str = ""
    soon: bool = False
    resource: str = ""
    lease: str = ""


@frozen(kw_only=True)
class ReportedLimit:
    """The state of a rate limit as the headers of a response report it.

    Args:
        resource: The name of the limit, such as "core" or "search"; "" if the forge has only one.
        remaining: Requests or points that are left.
        until: When it is renewed, in seconds since 1970 by the clock of this machine.
    """

    resource: str
    remaining: int
    until: float


def describe_exhaustion(code: str, cost: RequestCost, resource: str = "") -> str:
    """Return what is used up, as it follows "was not asked, since".

    Args:
        code: `blocked`, `limit`, `writes`, `points` or `slots`.
        cost: What was to be paid.
        resource: The name of the rate limit, for the code `limit`.
    """
    return {
        "blocked": "the forge asked to be left alone",
        "limit": f"its limit {resource} is spent" if resource else "its limit is spent",
        "writes": f"{cost.most_writes} writes were sent within a minute",
        "points": f"{cost.most_points} points were spent within a minute",
        "slots": f"{cost.concurrent} requests are under way",
    }[code]


class RateBudget(Protocol):
    """Counts what is left of the rate limits of each account. Times are seconds since 1970 by this machine's clock."""

    async def reserve(self, cost: RequestCost, now: float) -> Reservation:
        """Pay for a request, unless it is known that nothing is left."""
        ...

    async def settle(
        self, cost: RequestCost, reservation: Reservation, now: float, reported: ReportedLimit | None, *, free: bool
    ) -> None:
        """Record the end of a request and release its slot.

        Args:
            cost: What it cost.
            reservation: The answer of `reserve`.
            now: The time.
            reported: What the response reported; None if it reported nothing or there was no response.
            free: Whether the forge did not count it, as for a 304; what was paid is returned.
        """
        ...

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Block an account after a refusal for rate limits.

        Args:
            account: The account.
            wait: Seconds that the forge asked for; None if it named no time.
            now: The time.

        Returns:
            Seconds until it is asked again: `wait`, or else twice as many as after the refusal before.
        """
        ...


@frozen(kw_only=True)
class Admission:
    """The answer of a circuit breaker to a request.

    Args:
        wait: Seconds until the host may be asked; 0 if this request is admitted.
        probe: Whether this request tests if the host works again.
        clean: Whether no failure is recorded for the host, so that a success changes nothing.
        reason: The last failure of the host, if the request is not admitted.
    """

    wait: float = 0.0
    probe: bool = False
    clean: bool = False
    reason: str = ""


class CircuitBreakers(Protocol):
    """Counts the failures of each host. Times are seconds since 1970 by this machine's clock."""

    async def admit(self, host: str, now: float) -> Admission:
        """Admit a request, or return how long to wait; a host that failed gets one probe at a time."""
        ...

    async def record_success(self, host: str, admission: Admission) -> None:
        """Record that the host answered."""
        ...

    async def record_failure(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Record that the host failed, and how."""
        ...

    async def release(self, host: str, admission: Admission) -> None:
        """Record that the request ended without showing whether the host works, as when it was cancelled."""
        ...


class Store(Protocol):
    """Keeps answers by key. It may drop any of them at any time, and none of its methods raises."""

    @property
    def rate_budget(self) -> RateBudget:
        """Counts the rate limits of the forges."""
        ...

    @property
    def circuit_breakers(self) -> CircuitBreakers:
        """Counts the failures of their hosts."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Records writes that are under way or whose answer was lost."""
        ...

    @property
    def reachable(self) -> bool | None:
        """Whether the service that several servers share answers; None for a store that is not shared."""
        ...

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key; None if it has no value."""
        ...

    async def save(self, key: str, value: bytes) -> None:
        """Keep a value, in place of the one before."""
        ...

    async def aclose(self) -> None:
        """Close connections and files."""
        ...
