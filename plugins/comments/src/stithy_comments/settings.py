"""The settings table `[comments]` in stithy.toml."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta


@frozen
class CommentsSettings:
    """Settings for bots in conversations and for the comments service.

    Args:
        bots: Logins of further bot accounts, beside those that a forge marks as bots and those in the built-in list.
        requests_per_hour: Approximate number of requests per hour that the comments service may send to one forge; 0
            for unlimited. One repository may use half of them.
    """

    bots: tuple[str, ...] = ()
    requests_per_hour: Annotated[int, Meta(ge=0, le=1_000_000)] = 4_500
