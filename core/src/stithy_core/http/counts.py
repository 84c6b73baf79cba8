"""What the policies did, in numbers."""

from collections.abc import Mapping

from attrs import Factory, define

MOST_LIMITS = 20


@define
class Counts:
    """Counted since the client was made.

    Args:
        sent: Requests that went on to a host, repeated ones too.
        shared: Reads that got the answer of another's request.
        confirmed: Reads answered from a copy that the forge confirmed (304).
        stale: Reads of which a copy was there that no longer held.
        missed: Reads of which no copy was there.
        repeated: Requests that were sent again after a failure.
        withheld: Requests that were not sent: a limit was spent, or a breaker open.
        left: What the forge last said is left of each of its limits.
    """

    sent: int = 0
    shared: int = 0
    confirmed: int = 0
    stale: int = 0
    missed: int = 0
    repeated: int = 0
    withheld: int = 0
    left: dict[str, int] = Factory(dict)

    def told(self, limit: str, left: int) -> None:
        """Hear what is left of a limit; a forge names few of them."""
        if limit in self.left or len(self.left) < MOST_LIMITS:
            self.left[limit] = left

    def reads(self) -> Mapping[str, int]:
        """Give how many reads were answered in each way: no copy is given without the forge's word."""
        return {
            "coalesced": self.shared,
            "revalidated": self.confirmed,
            "stale": self.stale,
            "missed": self.missed,
        }
