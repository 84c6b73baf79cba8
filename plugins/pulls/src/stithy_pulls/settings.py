"""The plugin's own table, `[pulls]`, in stithy.toml."""

from collections.abc import Mapping
from typing import Annotated

from attrs import Factory, frozen

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
        areas: Globs as in gitignore by the name of an area, for analyze_pr_impact; the first that fits counts. The name
            of a category (frontend, backend, database, infrastructure, tests, docs) says that files are of it.
    """

    git: str = "git"
    cache_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = 2_048
    cache_days: Annotated[int, Meta(ge=0, le=3_650)] = 30
    git_seconds: Annotated[int, Meta(ge=1, le=600)] = 60
    areas: Mapping[str, tuple[str, ...]] = Factory(dict)
