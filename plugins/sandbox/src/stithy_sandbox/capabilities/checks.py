"""Checks, CI runs, logs and artifacts."""

from collections.abc import AsyncIterator, Iterator
from operator import attrgetter

from attrs import evolve

from stithy_core.spi import (
    Annotation,
    Artifact,
    Checks,
    CommitCheck,
    Listing,
    NotFound,
    RepositoryRef,
    Verdict,
    WorkflowJob,
    WorkflowRun,
)
from stithy_sandbox.capabilities.base import InWorld
from stithy_sandbox.world.machines import worst
from stithy_sandbox.world.records import Run

PIECE = 65_536


class SandboxChecks(InWorld, Checks):
    """The checks and CI runs of commits."""

    async def list(self, repository: RepositoryRef, commit: str) -> Listing[CommitCheck]:
        """Read the latest attempt of every check and job, by name."""
        home, sha = self.world.repository(repository), self.world.commit(repository, commit).sha
        runs = [kept for kept in home.runs.values() if kept.run.commit == sha]
        jobs = [_as_check(kept, job) for kept in runs for job in kept.jobs.values()]
        return Listing(tuple(sorted([*home.checks[sha].values(), *jobs], key=attrgetter("name"))))

    async def runs(self, repository: RepositoryRef, commit: str) -> Listing[WorkflowRun]:
        """Read the runs on a commit, newest first."""
        home, sha = self.world.repository(repository), self.world.commit(repository, commit).sha
        return Listing(tuple(_as_it_stands(kept) for kept in reversed(home.runs.values()) if kept.run.commit == sha))

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Read the jobs of a run, with their steps."""
        return Listing(tuple(self.world.run(repository, run).jobs.values()))

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        """Read the annotations of a check."""
        home = self.world.repository(repository)
        kept = [sha for sha, checks in home.checks.items() if check in checks.values()]
        return Listing(tuple(remark for sha in kept for remark in home.annotations[sha, check.name]))

    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate over the bytes of a job's log."""
        home = self.world.repository(repository)
        kept = next((kept.logs[job] for kept in home.runs.values() if job in kept.logs), None)
        if kept is None:
            raise NotFound(
                f"{home.ref} has no log of job {job}", suggestion="Read its verdict: the job may not have started."
            )
        for piece in _pieces(kept):
            yield piece

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Read the artifacts of a run."""
        return Listing(tuple(self.world.run(repository, run).artifacts.values()))

    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate over the bytes of an artifact, a ZIP archive."""
        home = self.world.repository(repository)
        kept = next((kept.archives[artifact] for kept in home.runs.values() if artifact in kept.archives), None)
        if kept is None:
            raise NotFound(f"{home.ref} has no artifact {artifact}", suggestion="List the artifacts of its run.")
        for piece in _pieces(kept):
            yield piece


def _as_it_stands(kept: Run) -> WorkflowRun:
    """Return a run with its current verdict: that of an unfinished run follows from its jobs."""
    if not kept.jobs or kept.run.verdict not in (Verdict.RUNNING, Verdict.PENDING):
        return kept.run
    return evolve(kept.run, verdict=worst(job.verdict for job in kept.jobs.values()))


def _pieces(whole: bytes) -> Iterator[bytes]:
    for start in range(0, len(whole), PIECE):
        yield whole[start : start + PIECE]


def _as_check(kept: Run, job: WorkflowJob) -> CommitCheck:
    return CommitCheck(
        name=f"{kept.run.name} / {job.name}",
        verdict=job.verdict,
        url=job.url,
        kind="job",
        id=job.id,
        raw=job.raw,
        source="sandbox",
        run=job.run,
        job=job.id,
        started_at=job.started_at,
    )
