"""The plugin's own table, `[comments]`, in stithy.toml."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta


@frozen
class CommentsSettings:
    """What a team says of its conversations.

    Args:
        bots: Logins of accounts that are bots, beside those that forges mark as such and those that are known.
        requests_per_hour: How many requests to one forge the comments service may spend in an hour, about; 0 for any.
            A repository may have half of them.
    """

    bots: tuple[str, ...] = ()
    requests_per_hour: Annotated[int, Meta(ge=0, le=1_000_000)] = 4_500
