"""What operators may ask of forges while the server runs."""

from collections.abc import Mapping

from attrs import Factory, frozen


@frozen(kw_only=True)
class Upstream:
    """How this process got on with one forge.

    Args:
        forge: Its alias.
        reads: How many reads were answered in each way.
        requests: How many requests were sent, retries among them.
        retries: How many were sent again after a failure.
        withheld: How many were not sent: a limit was spent, or the forge is left alone after failures.
        left: For each of its limits, what it last said is left.
    """

    forge: str
    reads: Mapping[str, int] = Factory(dict)
    requests: int = 0
    retries: int = 0
    withheld: int = 0
    left: Mapping[str, int] = Factory(dict)
