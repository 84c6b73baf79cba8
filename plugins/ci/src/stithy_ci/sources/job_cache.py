"""Cache of data about ended jobs: they do not change, and the next page needs the same.

Each token has its own part, since another token may not be allowed to read the same data.
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
    """A cache bounded by number and weight, which evicts the least recently used values.

    The caller sets the weight of a value, such as the number of its failures; one is added to it.
    """

    def __init__(self) -> None:
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key; None without one."""
        found = self._values.get(key)
        if found is None:
            return None
        self._values.move_to_end(key)
        return found[0]

    def store(self, key: Hashable, value: T, weight: int) -> None:
        """Store a value, unless it exceeds half of the weight limit."""
        if key in self._values or weight > MOST_WEIGHT // 2:
            return
        self._values[key] = value, weight + 1
        self._weight += weight + 1
        while len(self._values) > MOST_JOBS or self._weight > MOST_WEIGHT:
            _, (_, least) = self._values.popitem(last=False)
            self._weight -= least


@frozen
class TokenCache:
    """The part of the cache that belongs to one token of one forge."""

    _all: JobCache[object]
    _identity: Hashable

    def get(self, key: Hashable) -> object | None:
        """Return the value of a key; None without one."""
        return self._all.get((self._identity, key))

    def store(self, key: Hashable, value: object, weight: int) -> None:
        """Store a value, unless it exceeds half of the weight limit."""
        self._all.store((self._identity, key), value, weight)


async def get_token_cache(ctx: Context, forge: Forge) -> TokenCache:
    """Return the part of the cache for the current token of a forge."""
    return TokenCache(ctx.shared(_create_job_cache), (forge.config.alias, await forge.token_identity()))


def _create_job_cache(scope: Scope) -> JobCache[object]:  # noqa: ARG001 -- a factory is handed its scope
    return JobCache()
