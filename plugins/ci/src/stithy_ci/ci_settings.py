"""The settings table `[ci]` of stithy.toml."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta

MEGABYTE = 1024 * 1024


@frozen
class CiSettings:
    """What a team says of its CI.

    Args:
        result_files: Patterns for the names of artifacts that may hold result files, in any case; artifacts of other
            names are not read.
        most_artifact_mb: Megabytes of an artifact that are read at most; a larger one is passed over, and said.
        most_log_mb: Megabytes of a job's log that are read at most.
        wait_seconds: How long one call with `wait` waits at most; below what the host itself waits for an answer.
    """

    result_files: tuple[str, ...] = ("*test*", "*junit*", "*report*", "*result*", "*surefire*", "*ctrf*", "*trx*")
    most_artifact_mb: Annotated[int, Meta(ge=0, le=1_024)] = 50
    most_log_mb: Annotated[int, Meta(ge=1, le=1_024)] = 256
    wait_seconds: Annotated[int, Meta(ge=10, le=1_800)] = 1_800
