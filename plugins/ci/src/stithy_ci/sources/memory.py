"""What was read of jobs that have ended: it does not change, and the next page asks for the same.

It is kept by token: what one caller may read, another may not.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from attrs import frozen

from stithy_core.spi import Context, Forge, Scope

T = TypeVar("T")

MOST_JOBS = 200
MOST_WEIGHT = 20_000


class Memory(Generic[T]):
    """Keeps some things, the oldest of which make room; a thing of no weight weighs as one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Hashable) -> T | None:
        """Return what is kept under a key."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: Hashable, thing: T, weight: int) -> None:
        """Record a thing, unless it alone is too heavy."""
        if key in self._kept or weight > MOST_WEIGHT // 2:
            return
        self._kept[key] = thing, weight + 1
        self._weight += weight + 1
        while len(self._kept) > MOST_JOBS or self._weight > MOST_WEIGHT:
            _, (_, least) = self._kept.popitem(last=False)
            self._weight -= least


@frozen
class TokenMemory:
    """The part of the memory that belongs to one token of one forge."""

    _all: Memory[object]
    _whose: Hashable

    def get(self, key: Hashable) -> object | None:
        """Return what is kept under a key."""
        return self._all.get((self._whose, key))

    def put(self, key: Hashable, thing: object, weight: int) -> None:
        """Record a thing, unless it alone is too heavy."""
        self._all.put((self._whose, key), thing, weight)


async def memory_of(ctx: Context, forge: Forge) -> TokenMemory:
    """Return what is remembered of a forge for the token that is used now."""
    return TokenMemory(ctx.shared(_memory), (forge.config.alias, await forge.token_identity()))


def _memory(scope: Scope) -> Memory[object]:  # noqa: ARG001 -- a factory is handed its scope
    return Memory()
