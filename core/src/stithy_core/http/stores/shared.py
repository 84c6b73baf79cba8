"""Limits and breakers that several processes count together; each for itself while Redis is lost."""

from hashlib import blake2b
from uuid import uuid4

from stithy_core.http.budgets import Cost, Grant, used_up
from stithy_core.http.circuits import MOST_FAILURES, OPEN, PROBE, Admission, LocalCircuits
from stithy_core.http.localbudgets import FIRST_PENALTY, LocalBudgets
from stithy_core.http.stores import scripts
from stithy_core.http.stores.lifeline import LEASE, Gone, Lifeline
from stithy_core.http.waits import LONGEST, Budget

Argument = str | int | float


class SharedBudgets:
    """The limits of all processes; for the rules, see `stithy_core.http.budgets`.

    Args:
        lifeline: The way to Redis.
        name: What the keys begin with.
    """

    def __init__(self, lifeline: Lifeline, name: str) -> None:
        self._lifeline = lifeline
        self._name = name
        self._local = LocalBudgets()
        self._take = lifeline.script(scripts.TAKE)
        self._settle = lifeline.script(scripts.SETTLE)
        self._penalise = lifeline.script(scripts.PENALISE)

    async def take(self, cost: Cost, now: float) -> Grant:
        """Pay for a request, unless it is known that there is nothing left."""
        lease = uuid4().hex
        pace = (cost.points, cost.most_points or 0, int(cost.write), cost.most_writes or 0, cost.concurrent)
        asked: list[Argument] = [now, *cost.area, *pace, lease, now + LEASE, int(cost.free)]
        keys = self._keys(cost.account, "points", "writes", "leases")
        try:
            wait, code, resource = map(_text, await self._lifeline.run(lambda: self._take(keys, asked)))
        except Gone:
            return await self._local.take(cost, now)
        if not float(wait):
            return Grant(resource=resource, lease=lease)
        soon = code == "slots" or (code == "points" and not cost.write)
        return Grant(float(wait), used_up(code, cost, resource), soon=soon)

    async def settle(self, cost: Cost, grant: Grant, now: float, told: Budget | None, *, free: bool) -> None:
        """Hear what the answer told; `free` gives back what was paid (304)."""
        await self._local.settle(cost, grant, now, told, free=False)  # so that something is known if Redis is lost
        asked: list[Argument] = [now, grant.resource, int(free and not cost.free), grant.lease]
        if told is not None:
            asked += [*cost.area, told.resource, told.remaining, told.until]
        keys = self._keys(cost.account, "leases")
        try:
            await self._lifeline.run(lambda: self._settle(keys, asked))
        except Gone:
            return

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Hear that the forge wants to be left alone, and give for how long: as it said, or else ever longer."""
        asked = [now, "" if wait is None else wait, FIRST_PENALTY, LONGEST]
        keys = self._keys(account)
        try:
            told = float(await self._lifeline.run(lambda: self._penalise(keys, asked)))
        except Gone:
            return await self._local.penalise(account, wait, now)
        await self._local.penalise(account, told, now)
        return told

    def _keys(self, account: str, *parts: str) -> list[str]:
        hashed = blake2b(account.encode(), digest_size=16).hexdigest()
        base = f"{self._name}:limit:{{{hashed}}}"
        return [base, *(f"{base}:{part}" for part in parts)]


class SharedCircuits:
    """The breakers of all processes; for the rules, see `stithy_core.http.circuits`.

    Args:
        lifeline: The way to Redis.
        name: What the keys begin with.
    """

    def __init__(self, lifeline: Lifeline, name: str) -> None:
        self._lifeline = lifeline
        self._name = name
        self._local = LocalCircuits()
        self._admit = lifeline.script(scripts.ADMIT)
        self._failed = lifeline.script(scripts.FAILED)
        self._succeeded = lifeline.script(scripts.SUCCEEDED)
        self._released = lifeline.script(scripts.RELEASED)

    async def admit(self, host: str, now: float) -> Admission:
        """Let a request through, or say when one will be."""
        try:
            told = await self._lifeline.run(lambda: self._admit([self._key(host)], [now, PROBE]))
        except Gone:
            return await self._local.admit(host, now)
        wait, code, reason = map(_text, told)
        return Admission(float(wait), probe=code == "probe", clean=code == "clean", reason=reason)

    async def succeeded(self, host: str, admission: Admission) -> None:
        """Hear that the host answered."""
        await self._local.succeeded(host, admission)
        try:
            await self._lifeline.run(lambda: self._succeeded([self._key(host)], [int(admission.probe)]))
        except Gone:
            return

    async def failed(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Hear that the host itself failed, and how."""
        asked: list[Argument] = [now, int(admission.probe), MOST_FAILURES, OPEN, reason]
        try:
            await self._lifeline.run(lambda: self._failed([self._key(host)], asked))
        except Gone:
            await self._local.failed(host, admission, now, reason)

    async def released(self, host: str, admission: Admission) -> None:
        """Hear that nothing is known."""
        await self._local.released(host, admission)
        if not admission.probe:
            return
        try:
            await self._lifeline.run(lambda: self._released([self._key(host)], []))
        except Gone:
            return

    def _key(self, host: str) -> str:
        return f"{self._name}:breaker:{host}"


def _text(answer: bytes | str) -> str:
    """Read text of Redis, which a setting in its URL may have decoded already."""
    return answer.decode() if isinstance(answer, bytes) else answer
