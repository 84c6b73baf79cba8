"""How much of a forge's quota the service spends: a bucket for each forge, and one for each repository (SERVE-18).

What the forge's own headers tell is kept to by the core. This stands before it, so that other users of the same token
find something left.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence

from attrs import define, frozen

from stithy_comments.settings import CommentsSettings
from stithy_core.spi import RateLimited, Scope

HOUR = 3600.0
BURST = 0.2
"""The part of an hour's requests that may be spent at once; the rest comes back over the hour."""
SHARE = 0.5
"""The part of them that one repository may have."""
MOST = 10_000
"""Repositories that are kept account of; the forge's own bucket holds for those that are forgotten, too."""


@define
class Bucket:
    """What may be spent: it fills steadily up to its size, and may be overdrawn by what is under way.

    Args:
        per_hour: How much leaves it in any hour at most.
        level: What is in it now.
        at: When that was so.
    """

    per_hour: float
    level: float
    at: float

    def spend(self, cost: float, now: float) -> None:
        """Take something out."""
        most = BURST * self.per_hour
        self.level = min(most, self.level + (now - self.at) * self._per_second) - cost
        self.at = now

    def wait(self, now: float) -> float:
        """Seconds until a request may be spent; 0 for now."""
        self.spend(0, now)
        return max(0.0, (1 - self.level) / self._per_second)

    @property
    def _per_second(self) -> float:
        return (1 - BURST) * self.per_hour / HOUR


@frozen
class Account:
    """Whose quota is spent, and for what: `identity` is empty for the server's own token."""

    identity: str
    forge: str
    repository: str


class Admission:
    """Keeps account of what each forge and repository was asked.

    Args:
        per_hour: How many requests to one forge may be spent in an hour; 0 for any.
        clock: Tells the time in seconds.
    """

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour = per_hour
        self._clock = clock
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    @classmethod
    def of(cls, scope: Scope) -> "Admission":
        """Give the one of a server."""
        return cls(scope.settings(CommentsSettings).requests_per_hour)

    def admit(self, account: Account) -> None:
        """Spend one request.

        Args:
            account: Whose token it is, on which forge and for which repository.

        Raises:
            RateLimited: There is none to be spent; `retry_after` says when there is.
        """
        if self._per_hour <= 0:
            return
        now = self._clock()
        wait, whose = max((bucket.wait(now), name) for name, bucket in self._both(account, now))
        if wait > 0:
            raise RateLimited(
                f"{self._per_hour:,} requests an hour may be spent on {account.forge} here, half of them on one"
                f" repository; those of {whose} are used up for now",
                suggestion="Send If-None-Match, ask for less, or raise requests_per_hour in [comments].",
                retry_after=wait,
            )
        self.charge(account, 1)

    def charge(self, account: Account, cost: int) -> None:
        """Spend more, after it turned out what an answer took."""
        if self._per_hour > 0:
            now = self._clock()
            for _, bucket in self._both(account, now):
                bucket.spend(cost, now)

    def _both(self, account: Account, now: float) -> Sequence[tuple[str, Bucket]]:
        named = f"{account.forge}:{account.repository}"
        whole = self._bucket((account.identity, account.forge), 1, now)
        return [(account.forge, whole), (named, self._bucket((account.identity, named.lower()), SHARE, now))]

    def _bucket(self, key: Hashable, share: float, now: float) -> Bucket:
        if key not in self._buckets:
            size = max(share * self._per_hour, 1 / BURST)  # with less than a request in it, it would stay shut
            self._buckets[key] = Bucket(size, BURST * size, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return self._buckets[key]
