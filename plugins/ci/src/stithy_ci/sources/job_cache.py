"""Cache of what was read of ended jobs: it does not change, and the next page needs the same.

Each token has its own part: another token may not be allowed to read the same.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from attrs import frozen

from stithy_core.spi import Context, Forge, Scope

T = TypeVar("T")

MOST_JOBS = 200
MOST_WEIGHT = 20_000


class JobCache(Generic[T]):
    """A cache bounded by number and weight, which drops the oldest things; a thing of no weight weighs as one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Hashable) -> T | None:
        """Return what is kept under a key; None if nothing is."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def store(self, key: Hashable, thing: T, weight: int) -> None:
        """Keep a thing, unless it alone is too heavy."""
        if key in self._kept or weight > MOST_WEIGHT // 2:
            return
        self._kept[key] = thing, weight + 1
        self._weight += weight + 1
        while len(self._kept) > MOST_JOBS or self._weight > MOST_WEIGHT:
            _, (_, least) = self._kept.popitem(last=False)
            self._weight -= least


@frozen
class TokenCache:
    """The part of the cache that belongs to one token of one forge."""

    _all: JobCache[object]
    _whose: Hashable

    def get(self, key: Hashable) -> object | None:
        """Return what is kept under a key; None if nothing is."""
        return self._all.get((self._whose, key))

    def store(self, key: Hashable, thing: object, weight: int) -> None:
        """Keep a thing, unless it alone is too heavy."""
        self._all.store((self._whose, key), thing, weight)


async def token_cache(ctx: Context, forge: Forge) -> TokenCache:
    """Return the part of the cache for the current token of a forge."""
    return TokenCache(ctx.shared(_job_cache), (forge.config.alias, await forge.token_identity()))


def _job_cache(scope: Scope) -> JobCache[object]:  # noqa: ARG001 -- a factory is handed its scope
    return JobCache()
