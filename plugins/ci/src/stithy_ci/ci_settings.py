"""The settings table `[ci]` of stithy.toml."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta

MEGABYTE = 1024 * 1024


@frozen
class CiSettings:
    """Settings of a team's CI.

    Args:
        result_files: Patterns for the names of artifacts that may contain result files, in any case; empty to read no
            artifacts.
        most_artifact_mb: Maximum megabytes of an artifact; a larger one is skipped, and the result says so.
        most_unnamed_mb: Maximum megabytes of a run's artifacts of other names together, which are searched for result
            files if nothing else says what failed in a job; 0 to search none.
        most_log_mb: Maximum megabytes of a job's log that are read.
        wait_seconds: Maximum seconds that one call with `wait` waits; below the host's own time limit.
    """

    result_files: tuple[str, ...] = ("*test*", "*junit*", "*report*", "*result*", "*surefire*", "*ctrf*", "*trx*")
    most_artifact_mb: Annotated[int, Meta(ge=0, le=1_024)] = 50
    most_unnamed_mb: Annotated[int, Meta(ge=0, le=1_024)] = 50
    most_log_mb: Annotated[int, Meta(ge=1, le=1_024)] = 256
    wait_seconds: Annotated[int, Meta(ge=10, le=1_800)] = 1_800
