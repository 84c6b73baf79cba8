"""The store in Redis or Valkey: replicas share answers, and count limits, failures and writes together."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any
from uuid import uuid4

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from stithy_core.spi import ConfigError, Store
from stithy_core.spi.idempotent_writer import KEPT as WRITES_KEPT
from stithy_core.spi.idempotent_writer import MADE_SECONDS, Claim, DurableLedger
from stithy_core.spi.stores import (
    FAILURES_TO_OPEN,
    FIRST_PENALTY,
    LONGEST_PENALTY,
    OPEN_SECONDS,
    PROBE_SECONDS,
    Admission,
    CircuitBreakers,
    RateBudget,
    ReportedLimit,
    RequestCost,
    Reservation,
    describe_exhaustion,
)
from stithy_redis import lua_scripts
from stithy_redis.connection import PATIENCE, RedisConnection, RedisUnavailable

KEPT = 7 * 24 * 3600
"""Seconds that an answer is kept."""
NAME = "stithy:1"
"""What all keys begin with; the number changes with what they hold."""
LEASE = 90.0
"""Seconds, longer than any request takes: a slot or a write that a process held when it died becomes free then."""

Argument = str | int | float


def open_store(url: str, local: Store) -> "RedisStore":
    """Create the store of a URL; it connects at the first use.

    Raises:
        ConfigError: The URL is not valid.
    """
    try:
        client = Redis.from_url(
            url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
        )
    except ValueError as error:  # its text would quote the URL, which may hold a password
        forms = "redis://host:6379/0, rediss://…, unix:///path/to/socket"
        raise ConfigError("invalid URL of the Redis store", suggestion=f"Use one of: {forms}") from error
    return RedisStore(client, local)


class RedisStore:
    """The store that replicas share; implements `stithy_core.spi.Store`.

    Without Redis nothing is kept, and limits, failures and writes are counted in this process alone.

    Args:
        client: The connections; closed with the store.
        local: Counts limits and failures while Redis does not answer.
        now: Returns the seconds since 1970.
    """

    def __init__(self, client: Redis, local: Store, now: Callable[[], float] = time.time) -> None:
        self._connection = RedisConnection(client, now)
        self.rate_budget = SharedRateBudget(self._connection, local.rate_budget)
        self.circuit_breakers = SharedCircuitBreakers(self._connection, local.circuit_breakers)
        self.ledger = RedisLedger(self._connection)

    @property
    def reachable(self) -> bool:
        """Whether Redis answered at its last use."""
        return not self._connection.is_lost

    async def get(self, key: str) -> bytes | None:
        """Return the value of a key, or None."""
        try:
            value: Any = await self._connection.run(lambda: self._connection.client.get(f"{NAME}:answer:{key}"))
        except RedisUnavailable:
            return None
        return value if isinstance(value, bytes) else None

    async def save(self, key: str, value: bytes) -> None:
        """Keep a value for a week, or until Redis evicts it."""
        try:
            await self._connection.run(lambda: self._connection.client.set(f"{NAME}:answer:{key}", value, ex=KEPT))
        except RedisUnavailable:
            return

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connection.client.aclose()


class SharedRateBudget:
    """The rate limits of all processes; implements `stithy_core.spi.stores.RateBudget`.

    Args:
        connection: The connection to Redis.
        local: The limits of this process, for while Redis does not answer.
    """

    def __init__(self, connection: RedisConnection, local: RateBudget) -> None:
        self._connection = connection
        self._local = local
        self._take = connection.script(lua_scripts.TAKE)
        self._settle = connection.script(lua_scripts.SETTLE)
        self._penalise = connection.script(lua_scripts.PENALISE)

    async def reserve(self, cost: RequestCost, now: float) -> Reservation:
        """Pay for a request, unless it is known that nothing is left."""
        lease = uuid4().hex
        limits = (cost.points, cost.most_points or 0, int(cost.write), cost.most_writes or 0, cost.concurrent)
        arguments: list[Argument] = [now, *cost.bucket, *limits, lease, now + LEASE, int(cost.free)]
        keys = _limit_keys(cost.account, "points", "writes", "leases")
        try:
            answer = await self._connection.run(lambda: self._take(keys, arguments))
        except RedisUnavailable:
            return await self._local.reserve(cost, now)
        wait, code, resource = map(_as_text, answer)
        if not float(wait):
            return Reservation(resource=resource, lease=lease)
        soon = code == "slots" or (code == "points" and not cost.write)
        return Reservation(wait=float(wait), reason=describe_exhaustion(code, cost, resource), soon=soon)

    async def settle(
        self, cost: RequestCost, reservation: Reservation, now: float, reported: ReportedLimit | None, *, free: bool
    ) -> None:
        """Record what the response reported; `free` returns what was paid (304)."""
        # The process's own count is kept up to date, so that something is known if Redis is lost. It never paid.
        await self._local.settle(cost, reservation, now, reported, free=False)
        arguments: list[Argument] = [now, reservation.resource, int(free and not cost.free), reservation.lease]
        if reported is not None:
            arguments += [*cost.bucket, reported.resource, reported.remaining, reported.until]
        keys = _limit_keys(cost.account, "leases")
        try:
            await self._connection.run(lambda: self._settle(keys, arguments))
        except RedisUnavailable:
            return

    async def penalise(self, account: str, wait: float | None, now: float) -> float:
        """Block an account after a refusal; return for how many seconds: as the forge asked, or ever longer."""
        arguments: list[Argument] = [now, "" if wait is None else wait, FIRST_PENALTY, LONGEST_PENALTY]
        keys = _limit_keys(account)
        try:
            decided = float(await self._connection.run(lambda: self._penalise(keys, arguments)))
        except RedisUnavailable:
            return await self._local.penalise(account, wait, now)
        await self._local.penalise(account, decided, now)
        return decided


class SharedCircuitBreakers:
    """The circuit breakers of all processes; implements `stithy_core.spi.stores.CircuitBreakers`.

    Args:
        connection: The connection to Redis.
        local: The breakers of this process, for while Redis does not answer.
    """

    def __init__(self, connection: RedisConnection, local: CircuitBreakers) -> None:
        self._connection = connection
        self._local = local
        self._admit = connection.script(lua_scripts.ADMIT)
        self._failed = connection.script(lua_scripts.FAILED)
        self._succeeded = connection.script(lua_scripts.SUCCEEDED)
        self._released = connection.script(lua_scripts.RELEASED)

    async def admit(self, host: str, now: float) -> Admission:
        """Admit a request, or return how long to wait."""
        try:
            answer = await self._connection.run(lambda: self._admit([_breaker_key(host)], [now, PROBE_SECONDS]))
        except RedisUnavailable:
            return await self._local.admit(host, now)
        wait, code, reason = map(_as_text, answer)
        return Admission(wait=float(wait), probe=code == "probe", clean=code == "clean", reason=reason)

    async def record_success(self, host: str, admission: Admission) -> None:
        """Record that the host answered."""
        await self._local.record_success(host, admission)
        try:
            await self._connection.run(lambda: self._succeeded([_breaker_key(host)], [int(admission.probe)]))
        except RedisUnavailable:
            return

    async def record_failure(self, host: str, admission: Admission, now: float, reason: str) -> None:
        """Record that the host failed, and how."""
        arguments: list[Argument] = [now, int(admission.probe), FAILURES_TO_OPEN, OPEN_SECONDS, reason]
        try:
            await self._connection.run(lambda: self._failed([_breaker_key(host)], arguments))
        except RedisUnavailable:
            await self._local.record_failure(host, admission, now, reason)

    async def release(self, host: str, admission: Admission) -> None:
        """Let another request be the probe."""
        await self._local.release(host, admission)
        if not admission.probe:
            return
        try:
            await self._connection.run(lambda: self._released([_breaker_key(host)], []))
        except RedisUnavailable:
            return


class RedisLedger(DurableLedger):
    """The writes of all processes that share a Redis; each knows only its own while Redis does not answer.

    Args:
        connection: The connection to Redis.
    """

    def __init__(self, connection: RedisConnection) -> None:
        super().__init__()
        self._connection = connection
        self._claim = connection.script(lua_scripts.CLAIM)
        self._release = connection.script(lua_scripts.RELEASE)

    async def claim_shared(self, key: str, now: datetime, elapsed: float) -> Claim | None:
        """Claim a write in Redis; None if it does not answer."""
        arguments: list[Argument] = [
            now.timestamp(),
            now.timestamp() + LEASE,
            int(WRITES_KEPT.total_seconds()),
            elapsed,
        ]
        answer = await self._run(lambda: self._claim([_write_key(key)], arguments))
        if answer is None:
            return None
        began, busy = answer
        return Claim(_parse_time(began), bool(int(busy)))

    async def find_shared(self, key: str) -> datetime | None:
        """Return when a write was first sent whose answer was lost; None if none is recorded."""
        answer = await self._run(lambda: self._connection.client.hmget(_write_key(key), "began", "lease", "made"))
        began, lease, made = answer or (None, None, None)
        return None if made is not None or lease is None or float(lease) > 0 else _parse_time(began)

    async def lose_shared(self, key: str) -> None:
        """Record in Redis that the answer was lost."""
        await self._run(lambda: self._connection.client.hset(_write_key(key), "lease", "0"))

    async def release_shared(self, key: str, *, made: bool) -> None:
        """Record in Redis that a write was made, or forget it."""
        await self._run(lambda: self._release([_write_key(key)], [int(made), int(MADE_SECONDS)]))

    async def _run(self, work: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await self._connection.run(work)
        except RedisUnavailable:
            return None


def _limit_keys(account: str, *parts: str) -> list[str]:
    # The braces put all keys of an account on one node of a cluster, as a script needs.
    hashed = blake2b(account.encode(), digest_size=16).hexdigest()
    base = f"{NAME}:limit:{{{hashed}}}"
    return [base, *(f"{base}:{part}" for part in parts)]


def _breaker_key(host: str) -> str:
    return f"{NAME}:breaker:{host}"


def _write_key(key: str) -> str:
    return f"{NAME}:write:{key}"


def _as_text(answer: bytes | str) -> str:
    """Return the text of an answer, which an option in the URL may have decoded already."""
    return answer.decode() if isinstance(answer, bytes) else answer


def _parse_time(seconds: Any) -> datetime | None:
    return datetime.fromtimestamp(float(seconds), UTC) if seconds else None
