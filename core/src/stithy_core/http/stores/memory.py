"""Answers in memory: those that were used last, up to a size."""

from collections import OrderedDict

from stithy_core.http.circuits import LocalCircuits
from stithy_core.http.localbudgets import LocalBudgets
from stithy_core.spi.ledger import Ledger, MemoryLedger

MOST = 32 * 1024 * 1024
OVERHEAD = 200  # of an entry beside its value: its key, and its place


class MemoryStore:
    """The store of one process.

    Args:
        most: How many bytes it holds; what was not used for longest goes first.
        ledger: Where writes are recorded; in memory by default.
    """

    def __init__(self, most: int = MOST, ledger: Ledger | None = None) -> None:
        self.budgets = LocalBudgets()
        self.circuits = LocalCircuits()
        self.ledger = ledger or MemoryLedger()
        self._most = most
        self._size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    @property
    def reachable(self) -> None:
        """Say that nothing is shared."""

    async def get(self, key: str) -> bytes | None:
        """Give what is kept, or None."""
        if (value := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
        return value

    async def put(self, key: str, value: bytes) -> None:
        """Keep something, in place of what was kept there."""
        if (old := self._kept.pop(key, None)) is not None:
            self._size -= len(old) + OVERHEAD
        self._kept[key] = value
        self._size += len(value) + OVERHEAD
        while self._size > self._most:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped) + OVERHEAD

    async def aclose(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._size = 0
