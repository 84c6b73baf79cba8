"""What machines say on the sandbox."""

import io
import zipfile

import pytest

from stithy_core.spi import Annotation, CommitCheck, NotFound, Verdict
from stithy_sandbox.world import Work

pytestmark = pytest.mark.anyio

JOBS = {
    "lint": Work(Verdict.PASSED, "fine\n"),
    "unit": Work(Verdict.FAILED, "Set up\n1 failed\n", steps=("Set up", "Test")),
    "publish": Work(Verdict.PENDING),
}


@pytest.fixture
def anvil(world):
    return world.add_repository("smith/anvil")


@pytest.fixture
def run(world, anvil):
    return world.add_run(anvil, "main", "tests", JOBS, {"report": {"a.txt": b"1 failed\n"}})


async def test_a_run_has_failed_as_soon_as_a_job_has(forge, anvil, run):
    (found,) = await forge.checks.runs(anvil, "main")
    assert (found.id, found.name, found.verdict) == (run, "tests", Verdict.FAILED)


async def test_jobs_are_among_the_checks(forge, world, anvil, run):
    """They say of which run they are, so that their logs can be read."""
    world.add_checks(anvil, "main", CommitCheck(name="build", verdict=Verdict.PASSED))
    checks = [(check.name, check.kind, check.run) for check in await forge.checks.list(anvil, "main")]
    jobs = [(f"tests / {name}", "job", run) for name in ("lint", "publish", "unit")]
    assert checks == [("build", "status", ""), *jobs]


async def test_a_log_is_there_once_the_job_has_begun(forge, anvil, run):
    jobs = {job.name: job.id for job in await forge.checks.jobs(anvil, run)}
    assert [piece async for piece in forge.checks.log(anvil, jobs["unit"])] == [b"Set up\n1 failed\n"]
    with pytest.raises(NotFound, match="no log of job"):
        _ = [piece async for piece in forge.checks.log(anvil, jobs["publish"])]


async def test_a_long_log_comes_in_pieces(forge, world, anvil):
    run = world.add_run(anvil, "main", "tests", {"unit": Work(Verdict.PASSED, "x" * 100_000)})
    (job,) = await forge.checks.jobs(anvil, run)
    pieces = [piece async for piece in forge.checks.log(anvil, job.id)]
    assert [len(piece) for piece in pieces] == [65_536, 34_464]


async def test_an_artifact_is_an_archive_of_its_files(forge, anvil, run):
    (artifact,) = await forge.checks.artifacts(anvil, run)
    content = b"".join([piece async for piece in forge.checks.artifact(anvil, artifact.id)])
    assert zipfile.ZipFile(io.BytesIO(content)).read("a.txt") == b"1 failed\n"
    assert (artifact.name, artifact.size) == ("report", len(content))


async def test_a_check_has_its_remarks(forge, world, anvil):
    world.add_checks(anvil, "main", CommitCheck(name="lint", verdict=Verdict.FAILED))
    remark = Annotation(path="horn.py", start_line=3, end_line=3, level="warning", message="unused")
    world.annotate(anvil, "main", "lint", remark)
    (check,) = await forge.checks.list(anvil, "main")
    assert check.annotations == 1
    assert list(await forge.checks.annotations(anvil, check)) == [remark]


async def test_checks_of_an_unknown_commit(forge, anvil):
    with pytest.raises(NotFound, match="no branch or commit nowhere"):
        await forge.checks.list(anvil, "nowhere")
