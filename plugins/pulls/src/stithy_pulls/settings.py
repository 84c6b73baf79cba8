"""The plugin's own table, `[pulls]`, in stithy.toml."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta


@frozen
class PullsSettings:
    """How pull requests are looked at with git.

    Args:
        git: The program; empty asks the forge's API alone.
        cache_mb: Megabytes that the caches of all repositories may take together; the one that was used least lately
            goes first.
        cache_days: Days after which a cache that nobody used goes.
        git_seconds: How long one command of git may take; fetching may take ten times as long.
    """

    git: str = "git"
    cache_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = 2_048
    cache_days: Annotated[int, Meta(ge=0, le=3_650)] = 30
    git_seconds: Annotated[int, Meta(ge=1, le=600)] = 60
