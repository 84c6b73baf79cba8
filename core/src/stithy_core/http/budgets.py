"""What is left of the limits of each token: counted here for one process, over Redis for several (`stores.redis`)."""

from collections import OrderedDict, deque
from typing import Protocol

from attrs import Factory, define, frozen

from stithy_core.http.waits import LONGEST, Budget

MOST_ACCOUNTS = 1_000
MINUTE = 60
FIRST_PENALTY = 60.0
SAME_WINDOW = 2.0  # seconds by which two answers may differ in when one and the same limit is renewed


@frozen
class Cost:
    """What a request costs, and whom.

    Args:
        account: The host and whose token it is.
        resource: The limit it falls under, as far as that is known; "" where it is not.
        points: How much of the points of a minute.
        write: Whether it counts among the writes of a minute.
        most_points: How many there are in a minute; None where nobody knows.
        most_writes: The same for writes.
        concurrent: How many requests at once.
        free: Whether it costs nothing of `resource`.
    """

    account: str
    resource: str = ""
    points: int = 1
    write: bool = False
    most_points: int | None = None
    most_writes: int | None = None
    concurrent: int = 16
    free: bool = False


@frozen
class Grant:
    """What was said to a cost.

    Args:
        wait: Seconds until it may be asked again; 0 where it was granted.
        reason: What is used up.
        soon: Whether it is worth waiting here: a slot becomes free, where a spent limit only says no.
        lease: What is given back when the request ended; "" where nothing is.
    """

    wait: float = 0.0
    reason: str = ""
    soon: bool = False
    lease: str = ""


GRANTED = Grant()


def reason(code: str, cost: Cost) -> str:
    """Say what is used up; `code` is what the rules call it."""
    return {
        "blocked": "the forge asked to be left alone",
        "limit": f"its limit {cost.resource} is spent" if cost.resource else "its limit is spent",
        "writes": f"{cost.most_writes} writes were sent within a minute",
        "points": f"{cost.most_points} points were spent within a minute",
        "slots": f"{cost.concurrent} requests are under way",
    }[code]


class Budgets(Protocol):
    """Where the limits are counted."""

    async def take(self, cost: Cost, now: float) -> Grant:
        """Pay for a request, unless it is known that there is nothing left."""
        ...

    async def settle(self, cost: Cost, grant: Grant, now: float, told: Budget | None, *, free: bool) -> None:
        """Hear what the answer told; `free` gives back what was paid (304)."""
        ...

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Hear that the forge wants to be left alone, and give for how long: as it said, or else ever longer."""
        ...


@define
class _Limit:
    remaining: int
    until: float


@define
class Window:
    """What was paid within a minute, by the second in which it was."""

    total: int = 0
    _seconds: deque[list[int]] = Factory(deque)

    def wait(self, amount: int, most: int | None, now: float) -> float:
        """Give the seconds until there is room for an amount."""
        while self._seconds and self._seconds[0][0] + MINUTE + 1 <= now:
            self.total -= self._seconds.popleft()[1]
        if most is None or self.total == 0:
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
        """Pay."""
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
    limits: dict[str, _Limit] = Factory(dict)
    points: Window = Factory(Window)
    writes: Window = Factory(Window)


class LocalBudgets:
    """The limits of this process."""

    def __init__(self) -> None:
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    async def take(self, cost: Cost, now: float) -> Grant:
        """Pay for a request, unless it is known that there is nothing left."""
        account = self._account(cost.account)
        if account.blocked_until > now:
            return Grant(account.blocked_until - now, reason("blocked", cost))
        limit = None if cost.free else account.limits.get(cost.resource)
        if limit is not None and limit.until > now and limit.remaining <= 0:
            return Grant(limit.until - now, reason("limit", cost))
        if cost.write and (wait := account.writes.wait(1, cost.most_writes, now)):
            return Grant(wait, reason("writes", cost), soon=True)
        if wait := account.points.wait(cost.points, cost.most_points, now):
            return Grant(wait, reason("points", cost), soon=True)
        if limit is not None:
            limit.remaining -= 1
        if cost.write and cost.most_writes is not None:
            account.writes.add(1, now)
        if cost.most_points is not None:
            account.points.add(cost.points, now)
        return GRANTED

    async def settle(self, cost: Cost, grant: Grant, now: float, told: Budget | None, *, free: bool) -> None:  # noqa: ARG002 -- leases are for several processes
        """Hear what the answer told; `free` gives back what was paid (304)."""
        limits = self._account(cost.account).limits
        if free and (paid := limits.get(cost.resource)) is not None and not cost.free:
            paid.remaining += 1
        if told is None:
            return
        known = limits.get(told.resource)
        if known is None or known.until <= now or told.until > known.until + SAME_WINDOW:
            limits[told.resource] = _Limit(told.remaining, told.until)
        elif told.until >= known.until - SAME_WINDOW:  # an older window's answer may arrive late
            known.remaining = min(known.remaining, told.remaining)

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Hear that the forge wants to be left alone, and give for how long: as it said, or else ever longer."""
        known = self._account(account)
        if wait is None:
            if known.blocked_until > now:  # the answer to one that was sent together with the first
                return known.blocked_until - now
            if known.forgiven_at <= now:
                known.penalties = 0
            wait = min(FIRST_PENALTY * 2**known.penalties, LONGEST)
            known.penalties += 1
            known.forgiven_at = now + 3 * wait
        known.blocked_until = max(known.blocked_until, now + min(wait, LONGEST))
        return wait

    def _account(self, name: str) -> _Account:
        if (account := self._accounts.get(name)) is None:
            account = self._accounts[name] = _Account()
            if len(self._accounts) > MOST_ACCOUNTS:
                self._accounts.popitem(last=False)
        self._accounts.move_to_end(name)
        return account
