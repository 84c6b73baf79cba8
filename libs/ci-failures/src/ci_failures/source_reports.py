"""What one source says of one job, and what all of them come to."""

from typing import Literal, TypeAlias

from attrs import frozen

from stithy_ci.sources.steps import Page
from stithy_ci.spi import Confidence, Failure

Source: TypeAlias = Literal["artifact", "annotation", "log"]
"""Where a failure was read, the most reliable source first."""


@frozen(kw_only=True)
class Report:
    """What one source says of one job.

    Args:
        source: Which kind of source.
        origin: Its name: the file in an artifact, `artifact.zip/junit.xml`; empty for a log.
        check: What people and rules call the job: `tests / unit (3.11, ubuntu)`.
        job: The forge's id of it; empty where it is not known.
        url: Where people read it: the step that failed, where that is known.
        page: Which lines of a log are that step's; None where that is not certain.
        failures: What failed, each once.
        tool: Whose log it is; empty for the sources of several.
        counted: How many the tool itself counts, where it says so.
        gap: Why there may be more; empty where the source was read whole and its counts agree.
    """

    source: Source
    origin: str = ""
    check: str
    job: str = ""
    url: str = ""
    page: Page | None = None
    failures: tuple[Failure, ...] = ()
    tool: str = ""
    counted: int | None = None
    gap: str = ""


@frozen(kw_only=True)
class Merged:
    """One failure, as all sources and jobs tell it.

    Args:
        failure: With the best of what they say: the exact name, the assertion, the place.
        sources: Where it was read, the best first.
        confidence: Of it all.
        reports: Those that tell it, in the order of the jobs.
    """

    failure: Failure
    sources: tuple[Source, ...]
    confidence: Confidence
    reports: tuple[Report, ...]
