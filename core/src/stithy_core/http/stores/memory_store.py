"""The store in memory: the answers that were used last, up to a size."""

from collections import OrderedDict

from stithy_core.http.stores.local_counts import LocalCircuitBreakers, LocalRateBudget
from stithy_core.spi.idempotent_writer import Ledger, MemoryLedger

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
