"""Builds on Jenkins, for stithy. Broken on purpose: its distribution does not declare that it needs python-jenkins."""

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen
from jenkins import Jenkins  # type: ignore[import-untyped]

from stithy_core.spi import Meta, ToolSpec, SyncContext, hookimpl

STITHY_API = 1


@frozen
class LastBuild:
    """The job to read."""

    server: Annotated[str, Meta("The URL of the Jenkins server", examples=("https://jenkins.example",))]
    job: Annotated[str, Meta("The job's name", examples=("bellows",))]


@frozen
class Build:
    """The job's last build."""

    job: str
    number: int

    def render(self) -> Iterator[str]:
        """Iterate over one line of text."""
        yield f"{self.job}: build {self.number}"


def last_build(worker: SyncContext, args: LastBuild) -> Build:  # noqa: ARG001 -- a handler's signature
    """Read a job's last build from Jenkins."""
    return Build(args.job, Jenkins(args.server).get_job_info(args.job)["lastBuild"]["number"])


@hookimpl
def stithy_tools() -> list[ToolSpec]:
    """Return one tool."""
    return [
        ToolSpec(
            name="jenkins_last_build",
            title="Last build of a job",
            description="Returns the number of the last build of a Jenkins job.",
            input=LastBuild,
            handler="stithy_jenkins:last_build",
        )
    ]
