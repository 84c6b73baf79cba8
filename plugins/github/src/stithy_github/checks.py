"""What was run on a commit (docs/forge-behaviour/github.md#checks)."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from stithy_core.spi import Annotation, Artifact, Checks, CommitCheck, Listing, RepositoryRef, WorkflowJob, WorkflowRun
from stithy_github.actions import actions_path, archive_of, artifacts_of, jobs_of, log_of, runs_on
from stithy_github.actions_mapping import to_artifact, to_job, to_run
from stithy_github.checks_mapping import to_annotation
from stithy_github.checks_reading import checks_of
from stithy_github.counting import PAGE
from stithy_github.mapping import path_of


class GitHubChecks(Checks):
    """Check runs, commit statuses and Actions as one."""

    async def list(self, repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
        """Read every check of a commit once, by name."""
        return await checks_of(self.forge, repository, commit)

    async def runs(self, repository: RepositoryRef, commit: str) -> Listing[WorkflowRun]:
        """Read the runs of Actions on a commit, the newest first."""
        return (await runs_on(self.forge, repository, commit)).map(to_run)

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Read the jobs of a run, with their steps."""
        return (await jobs_of(self.forge, repository, run)).map(to_job)

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        """Read what a check run or a job remarked; a commit status has no way to."""
        if check.kind == "status" or not check.id:
            return Listing((), 0)
        run = check.id if check.kind == "check_run" else await self._check_run_of(repository, check.job)
        path = f"{path_of(repository)}/check-runs/{quote(run, safe='')}/annotations"
        return (await self.forge.http.items(path, size=PAGE)).map(to_annotation)

    def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Read a job's log in pieces."""
        return log_of(self.forge, repository, job)

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Read which files a run left."""
        return (await artifacts_of(self.forge, repository, run)).map(to_artifact)

    def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Read one of them in pieces."""
        return archive_of(self.forge, repository, artifact)

    async def _check_run_of(self, repository: RepositoryRef, job: str) -> str:
        """Ask a job for its check run, which has the same id only as far as anybody has seen."""
        raw = await self.forge.http.get(actions_path(repository, "jobs", job), shape=dict)
        return str(raw["check_run_url"]).rpartition("/")[2]
