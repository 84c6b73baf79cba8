"""Checks of commits (docs/forge-behaviour/github.md#checks)."""

from collections.abc import AsyncIterator
from urllib.parse import quote

from stithy_core.spi import (
    Annotation,
    Artifact,
    Checks,
    CommitCheck,
    Listing,
    PullRequestChecks,
    PullRequestRef,
    RepositoryRef,
    WorkflowJob,
    WorkflowRun,
)
from stithy_github.actions import actions_path, read_artifacts, read_jobs, read_runs, stream_artifact, stream_log
from stithy_github.checks_mapping import to_annotation, to_artifact, to_job, to_run
from stithy_github.commit_checks import read_checks
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import repository_path
from stithy_github.pull_checks import read_pull_checks


class GitHubChecks(Checks):
    """Check runs, commit statuses and Actions."""

    async def list(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- all checks belong to commits
    ) -> Listing[CommitCheck]:
        """Return every check of a commit once, by name; those of a pull request stand on its head."""
        return await read_checks(self.forge, repository, commit)

    async def of_pull_request(self, pr: PullRequestRef) -> PullRequestChecks:
        """Return a pull request with its checks, by one GraphQL query where the token allows it."""
        return await read_pull_checks(self.forge, pr)

    async def runs(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- as for `list`
    ) -> Listing[WorkflowRun]:
        """Return the runs of Actions on a commit, newest first; those of a pull request have its head's commit."""
        return (await read_runs(self.forge, repository, commit)).map(to_run)

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Return the jobs of a run, with their steps."""
        return (await read_jobs(self.forge, repository, run)).map(to_job)

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        """Return the annotations of a check run or a job; a commit status has none."""
        if check.kind == "status" or not check.id:
            return Listing((), total=0)
        run = check.id if check.kind == "check_run" else await self._find_check_run(repository, check.job)
        if not run:
            return Listing((), cut=f"GitHub does not report which check run belongs to job {check.job}")
        path = f"{repository_path(repository)}/check-runs/{quote(run, safe='')}/annotations"
        return (await self.forge.http.items(path, size=PAGE_SIZE)).map(to_annotation)

    def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate the bytes of a job's log."""
        return stream_log(self.forge, repository, job)

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Return the artifacts of a run."""
        return (await read_artifacts(self.forge, repository, run)).map(to_artifact)

    def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate the bytes of an artifact's archive."""
        return stream_artifact(self.forge, repository, artifact)

    async def _find_check_run(self, repository: RepositoryRef, job: str) -> str:
        """Return the id of a job's check run, which GitHub does not document to equal the job's; empty without one."""
        raw = await self.forge.http.get(actions_path(repository, "jobs", job), shape=dict)
        return str(raw.get("check_run_url") or "").rpartition("/")[2]
