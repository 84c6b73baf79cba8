"""What was run on a commit (docs/forge-behaviour/github.md#checks)."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from stithy_core.spi import Annotation, Artifact, Checks, CommitCheck, Listing, RepositoryRef, WorkflowJob, WorkflowRun
from stithy_github.actions import actions_path, read_artifacts, read_jobs, read_runs, stream_artifact, stream_log
from stithy_github.checks_mapping import to_annotation, to_artifact, to_job, to_run
from stithy_github.commit_checks import read_checks
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import repository_path


class GitHubChecks(Checks):
    """Check runs, commit statuses and Actions as one."""

    async def list(self, repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
        """Read every check of a commit once, by name."""
        return await read_checks(self.forge, repository, commit)

    async def runs(self, repository: RepositoryRef, commit: str) -> Listing[WorkflowRun]:
        """Read the runs of Actions on a commit, the newest first."""
        return (await read_runs(self.forge, repository, commit)).map(to_run)

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Read the jobs of a run, with their steps."""
        return (await read_jobs(self.forge, repository, run)).map(to_job)

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        """Read what a check run or a job remarked; a commit status has no way to."""
        if check.kind == "status" or not check.id:
            return Listing((), 0)
        run = check.id if check.kind == "check_run" else await self._find_check_run(repository, check.job)
        path = f"{repository_path(repository)}/check-runs/{quote(run, safe='')}/annotations"
        return (await self.forge.http.items(path, size=PAGE_SIZE)).map(to_annotation)

    def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Read a job's log in pieces."""
        return stream_log(self.forge, repository, job)

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Read which files a run left."""
        return (await read_artifacts(self.forge, repository, run)).map(to_artifact)

    def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Read one of them in pieces."""
        return stream_artifact(self.forge, repository, artifact)

    async def _find_check_run(self, repository: RepositoryRef, job: str) -> str:
        """Ask a job for its check run, which has the same id only as far as anybody has seen."""
        raw = await self.forge.http.get(actions_path(repository, "jobs", job), shape=dict)
        return str(raw["check_run_url"]).rpartition("/")[2]
