"""The plugin's own table, `[comments]`, in stithy.toml."""

from attrs import frozen


@frozen
class CommentsSettings:
    """What a team says of its conversations.

    Args:
        bots: Logins of accounts that are bots, beside those that forges mark as such and those that are known.
    """

    bots: tuple[str, ...] = ()
