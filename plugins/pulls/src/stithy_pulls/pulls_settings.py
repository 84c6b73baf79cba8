"""The settings table `[pulls]` of stithy.toml."""

from collections.abc import Mapping
from typing import Annotated

from attrs import Factory, frozen

from stithy_core.spi import Meta


@frozen
class PullsSettings:
    """How pull requests are read with git.

    Args:
        git: The git program; empty uses the forge's API only.
        cache_mb: Megabytes that the caches of all repositories may take together. The least recently used cache is
            removed first.
        cache_days: Days after which an unused cache is removed.
        git_seconds: Seconds that one git command may take; fetching and merging may take ten times as long.
        areas: Globs as in gitignore by the name of an area, for analyze_pr_impact; the first match counts. The name of
            a category (frontend, backend, database, infrastructure, tests, docs) assigns files to that category.
    """

    git: str = "git"
    cache_mb: Annotated[int, Meta(ge=1, le=1_048_576)] = 2_048
    cache_days: Annotated[int, Meta(ge=0, le=3_650)] = 30
    git_seconds: Annotated[int, Meta(ge=1, le=600)] = 60
    areas: Mapping[str, tuple[str, ...]] = Factory(dict)
