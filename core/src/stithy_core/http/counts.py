"""What the policies did, in numbers."""

from attrs import define


@define
class Counts:
    """Counted since the client was made.

    Args:
        sent: Requests that went on to a host, repeated ones too.
        shared: Reads that got the answer of another's request.
        confirmed: Reads answered from a copy that the forge confirmed (304).
        repeated: Requests that were sent again after a failure.
        withheld: Requests that were not sent: a limit was spent, or a breaker open.
    """

    sent: int = 0
    shared: int = 0
    confirmed: int = 0
    repeated: int = 0
    withheld: int = 0
