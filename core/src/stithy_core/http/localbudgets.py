"""What is left of the limits of each token, counted for one process; `stores.shared` does the same for several."""

from collections import OrderedDict

from attrs import Factory, define

from stithy_core.http.areas import Areas
from stithy_core.http.budgets import Cost, Grant, used_up
from stithy_core.http.waits import LONGEST, Budget
from stithy_core.http.windows import Window

MOST_ACCOUNTS = 1_000
FIRST_PENALTY = 60.0
SAME_WINDOW = 2.0  # seconds by which two answers may differ in when one and the same limit is renewed


@define
class _Limit:
    remaining: int
    until: float


@define
class _Account:
    blocked_until: float = 0.0
    penalties: int = 0
    forgiven_at: float = 0.0
    limits: dict[str, _Limit] = Factory(dict)
    areas: Areas = Factory(Areas)
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
            return Grant(account.blocked_until - now, used_up("blocked", cost))
        resource = "" if cost.free else account.areas.resource(cost.area)
        limit = None if cost.free else account.limits.get(resource)
        if limit is not None and limit.until > now and limit.remaining <= 0:
            return Grant(limit.until - now, used_up("limit", cost, resource))
        if cost.write and (wait := account.writes.wait(1, cost.most_writes, now)):
            return Grant(wait, used_up("writes", cost))
        if wait := account.points.wait(cost.points, cost.most_points, now):
            return Grant(wait, used_up("points", cost), soon=not cost.write)
        if limit is not None:
            limit.remaining -= 1
        if cost.write and cost.most_writes is not None:
            account.writes.add(1, now)
        if cost.most_points is not None:
            account.points.add(cost.points, now)
        return Grant(resource=resource)

    async def settle(self, cost: Cost, grant: Grant, now: float, told: Budget | None, *, free: bool) -> None:
        """Hear what the answer told; `free` gives back what was paid (304)."""
        account = self._account(cost.account)
        limits = account.limits
        if free and not cost.free and (paid := limits.get(grant.resource)) is not None:
            paid.remaining += 1
        if told is None:
            return
        account.areas.learn(cost.area, told.resource)
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
