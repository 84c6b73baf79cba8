"""What was run on a commit."""

import pytest

from stithy_core.spi import Checks, PullRequests, Verdict
from stithy_testing.conformance.facts import agrees, distinct, listing, only
from stithy_testing.conformance.refusals import absent_repository, not_found
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import NO_ID, drained, needs

VERDICTS = {"build": Verdict.PASSED, "lint": Verdict.PENDING, "test": Verdict.FAILED}


async def head_of(stage: Stage) -> str:
    """Read the commit that the pull request is about."""
    return (await stage.forge.pull_requests.get(stage.pr)).head.commit


def prepared_run(stage: Stage) -> str:
    """Give the run that was prepared, or skip the test."""
    return stage.run or pytest.skip("no run of the forge's own CI was prepared here")


class CheckFacts:
    """`Checks.list` and `annotations`."""

    @needs(Checks.list, PullRequests.get)
    async def test_checks_each_once(self, stage: Stage) -> None:
        """Every check of the commit is there once, by name, with the verdict of its latest attempt."""
        checks = listing(await stage.forge.checks.list(stage.repository, await head_of(stage)))
        statuses = [check for check in checks if not check.run]
        assert [(check.name, check.verdict) for check in statuses] == list(VERDICTS.items())
        assert distinct((check.kind, check.id) for check in checks)
        assert {check.kind for check in checks} <= {"check_run", "status", "job"}

    @needs(Checks.list, PullRequests.get)
    async def test_checks_say_what_they_found(self, stage: Stage) -> None:
        """A check has the forge's own word beside the verdict, and what it says of itself."""
        checks = await stage.forge.checks.list(stage.repository, await head_of(stage))
        assert all(check.raw for check in checks)
        assert only(checks, lambda check: check.name == "test").summary == "2 failed"

    @needs(Checks.list, PullRequests.get)
    async def test_checks_of_nobody(self, stage: Stage) -> None:
        """No check is an empty listing."""
        commit = (await stage.forge.pull_requests.get(stage.merged)).head.commit
        assert listing(await stage.forge.checks.list(stage.repository, commit)) == []

    @needs(Checks.list)
    async def test_checks_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository has no empty list of checks."""
        with absent_repository(stage):
            await stage.forge.checks.list(stage.absent, "main")

    @needs(Checks.list, Checks.annotations, PullRequests.get)
    async def test_annotations_of_none(self, stage: Stage) -> None:
        """A check that remarked nothing has none."""
        check = only(
            await stage.forge.checks.list(stage.repository, await head_of(stage)), lambda one: one.name == "build"
        )
        assert agrees(check.annotations, 0)
        assert listing(await stage.forge.checks.annotations(stage.repository, check)) == []


class RunFacts:
    """`Checks.runs`, `jobs`, `log`, `artifacts` and `artifact`."""

    @needs(Checks.runs, PullRequests.get)
    async def test_runs_of_nobody(self, stage: Stage) -> None:
        """A commit on which nothing ran has none."""
        commit = (await stage.forge.pull_requests.get(stage.merged)).head.commit
        assert listing(await stage.forge.checks.runs(stage.repository, commit)) == []

    @needs(Checks.runs, PullRequests.get)
    async def test_runs_of_a_commit(self, stage: Stage) -> None:
        """A run that was prepared is read, with its verdict and its commit."""
        name, commit = prepared_run(stage), await head_of(stage)
        run = only(listing(await stage.forge.checks.runs(stage.repository, commit)), lambda one: one.id == name)
        assert isinstance(run.verdict, Verdict)
        assert run.commit == commit

    @needs(Checks.jobs)
    async def test_jobs_of_a_run(self, stage: Stage) -> None:
        """A run's jobs have ids, names and steps in order."""
        jobs = listing(await stage.forge.checks.jobs(stage.repository, prepared_run(stage)))
        assert jobs
        assert distinct(job.id for job in jobs)
        for job in jobs:
            assert (job.run, bool(job.name)) == (stage.run, True)
            assert [step.number for step in job.steps] == sorted({step.number for step in job.steps})

    @needs(Checks.jobs, Checks.log)
    async def test_log_of_a_job(self, stage: Stage) -> None:
        """A job's log is read as it was written."""
        job = (await stage.forge.checks.jobs(stage.repository, prepared_run(stage)))[0]
        assert b"\n" in await drained(stage.forge.checks.log(stage.repository, job.id))

    @needs(Checks.artifacts, Checks.artifact)
    async def test_artifact_of_a_run(self, stage: Stage) -> None:
        """What a run left is listed, and read as a zip archive."""
        found = listing(await stage.forge.checks.artifacts(stage.repository, prepared_run(stage)))
        assert distinct(artifact.id for artifact in found)
        for artifact in found:
            assert (await drained(stage.forge.checks.artifact(stage.repository, artifact.id))).startswith(b"PK")

    @needs(Checks.jobs)
    async def test_jobs_of_nothing(self, stage: Stage) -> None:
        """A run that is none has no empty list of jobs."""
        with not_found(NO_ID):
            await stage.forge.checks.jobs(stage.repository, NO_ID)

    @needs(Checks.log)
    async def test_log_of_nothing(self, stage: Stage) -> None:
        """A job that is none has no empty log."""
        with not_found(NO_ID):
            await drained(stage.forge.checks.log(stage.repository, NO_ID))

    @needs(Checks.artifacts)
    async def test_artifacts_of_nothing(self, stage: Stage) -> None:
        """A run that is none has no empty list of artifacts."""
        with not_found(NO_ID):
            await stage.forge.checks.artifacts(stage.repository, NO_ID)

    @needs(Checks.artifact)
    async def test_artifact_of_nothing(self, stage: Stage) -> None:
        """An artifact that is none is not found."""
        with not_found(NO_ID):
            await drained(stage.forge.checks.artifact(stage.repository, NO_ID))
