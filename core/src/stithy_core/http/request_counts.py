"""Counts of what the transports did, for the metrics."""

from collections.abc import Mapping

from attrs import Factory, define

MOST_LIMITS = 20


@define
class RequestCounts:
    """Counts since the client was created.

    Args:
        sent: Requests that were sent to a host, repeated ones included.
        shared: Reads that got the response of another caller's request.
        confirmed: Reads answered from the cache after the forge confirmed the entry (304).
        stale: Reads with a cache entry that was no longer valid.
        missed: Reads without a cache entry.
        repeated: Requests that were sent again after a failure.
        withheld: Requests that were not sent, since a rate limit was exhausted or a circuit breaker open.
        left: What each rate limit of the forge had left in its latest response.
    """

    sent: int = 0
    shared: int = 0
    confirmed: int = 0
    stale: int = 0
    missed: int = 0
    repeated: int = 0
    withheld: int = 0
    left: dict[str, int] = Factory(dict)

    def record_limit(self, limit: str, left: int) -> None:
        """Record what a rate limit has left."""
        # A forge has a few limits; the names are its own, so a broken one must not fill the memory.
        if limit in self.left or len(self.left) < MOST_LIMITS:
            self.left[limit] = left

    def reads(self) -> Mapping[str, int]:
        """Return how many reads were answered in each way."""
        return {
            "coalesced": self.shared,
            "revalidated": self.confirmed,
            "stale": self.stale,
            "missed": self.missed,
        }
