"""The service's request budget: a token bucket for each forge and one for each repository (SERVE-18).

The core obeys the rate limit in the forge's headers. This budget applies before that, so that other users of the same
token keep a part of the forge's rate limit.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence

from attrs import define, frozen

from stithy_comments.settings import CommentsSettings
from stithy_core.spi import RateLimited, Scope

HOUR = 3600.0
BURST = 0.2
"""The share of an hour's requests that may be spent at once; the rest refills over the hour."""
SHARE = 0.5
"""The share of the requests that one repository may use."""
MOST = 10_000
"""Maximum number of buckets; a repository whose bucket was evicted is still limited by its forge's bucket."""


@define
class TokenBucket:
    """A token bucket: it refills steadily up to its size; requests in progress may overdraw it.

    Args:
        per_hour: Maximum number of requests in any hour.
        level: The requests available at time `at`; negative if overdrawn.
        at: The time of `level`, in seconds of the clock.
    """

    per_hour: float
    level: float
    at: float

    def spend(self, cost: float, now: float) -> None:
        """Refill the bucket up to `now`, then remove `cost` requests."""
        most = BURST * self.per_hour
        self.level = min(most, self.level + (now - self.at) * self._per_second) - cost
        self.at = now

    def wait(self, now: float) -> float:
        """Return the seconds until a request is available; 0 if one is available now."""
        self.spend(0, now)
        return max(0.0, (1 - self.level) / self._per_second)

    @property
    def _per_second(self) -> float:
        return (1 - BURST) * self.per_hour / HOUR


@frozen
class BudgetAccount:
    """The owner of a bucket: a token's identity (empty for the server's own token), a forge and a repository."""

    identity: str
    forge: str
    repository: str


class RequestBudget:
    """Counts the requests to each forge and repository.

    Args:
        per_hour: Maximum number of requests to one forge in an hour; 0 for unlimited.
        clock: Returns the time in seconds.
    """

    def __init__(self, per_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_hour = per_hour
        self._clock = clock
        self._buckets: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    @classmethod
    def create(cls, scope: Scope) -> "RequestBudget":
        """Create the instance that a server shares among its calls."""
        return cls(scope.settings(CommentsSettings).requests_per_hour)

    def admit(self, account: BudgetAccount) -> None:
        """Spend one request.

        Args:
            account: The token, forge and repository.

        Raises:
            RateLimited: The budget is used up; `retry_after` has the seconds until a request is available.
        """
        if self._per_hour <= 0:
            return
        now = self._clock()
        wait, whose = max((bucket.wait(now), name) for name, bucket in self._both(account, now))
        if wait > 0:
            raise RateLimited(
                f"the budget of {whose} is used up: the limit is {self._per_hour:,} requests per hour to"
                f" {account.forge}, half of them for one repository",
                suggestion="Send If-None-Match, request less, or raise requests_per_hour in [comments].",
                retry_after=wait,
            )
        self.charge(account, 1)

    def charge(self, account: BudgetAccount, cost: int) -> None:
        """Spend the further requests that an answer took; called once that number is known."""
        if self._per_hour > 0:
            now = self._clock()
            for _, bucket in self._both(account, now):
                bucket.spend(cost, now)

    def _both(self, account: BudgetAccount, now: float) -> Sequence[tuple[str, TokenBucket]]:
        named = f"{account.forge}:{account.repository}"
        whole = self._bucket((account.identity, account.forge), 1, now)
        return [(account.forge, whole), (named, self._bucket((account.identity, named.lower()), SHARE, now))]

    def _bucket(self, key: Hashable, share: float, now: float) -> TokenBucket:
        if key not in self._buckets:
            size = max(share * self._per_hour, 1 / BURST)  # a bucket smaller than one request would never admit any
            self._buckets[key] = TokenBucket(size, BURST * size, now)
        self._buckets.move_to_end(key)
        while len(self._buckets) > MOST:
            self._buckets.popitem(last=False)
        return self._buckets[key]
