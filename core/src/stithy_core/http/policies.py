"""Puts the policies of one forge together."""

import httpx
from attrs import frozen

from stithy_core.http.addresses import Addresses
from stithy_core.http.breaking import Breaker
from stithy_core.http.clock import Clock
from stithy_core.http.coalescing import Coalesce
from stithy_core.http.counts import Counts
from stithy_core.http.faults import Faults
from stithy_core.http.limiting import Limit
from stithy_core.http.reading import Reading
from stithy_core.http.retrying import Retry
from stithy_core.http.validating import Validate
from stithy_core.spi import Dialect, Store


@frozen
class Policies:
    """The way past the policies: `whole` for what is read whole, `streamed` for streams, which share the inner half."""

    whole: httpx.AsyncBaseTransport
    streamed: httpx.AsyncBaseTransport


def policies(
    carrier: httpx.AsyncBaseTransport,
    *,
    store: Store,
    dialect: Dialect,
    addresses: Addresses,
    faults: Faults,
    clock: Clock,
    counts: Counts,
) -> Policies:
    """Compose `Coalesce(Validate(Retry(Limit(Breaker(Reading(carrier))))))`; streams go past the first two."""
    breaker = Breaker(Reading(carrier), store.circuit_breakers, clock, counts)
    limit = Limit(
        breaker,
        budgets=store.rate_budget,
        pace=dialect.rate_limits,
        base=addresses.base,
        faults=faults,
        clock=clock,
        counts=counts,
    )
    retry = Retry(limit, faults, clock, counts)
    return Policies(Coalesce(Validate(retry, store, clock, counts), counts), retry)
