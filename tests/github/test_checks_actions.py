"""Runs, jobs, logs, annotations and artifacts of GitHub Actions (docs/forge-behaviour/github.md#actions)."""

import pytest
from github_double.world import World

from stithy_core.spi import CommitCheck, ForgeError, NotFound, RepositoryRef, Verdict

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
R = "GET /repos/smith/lab"
STEPS = (("Set up", "success"), ("Test", "failure"), ("Report", "skipped"))


@pytest.fixture
def world():
    made = World()
    made.add_repository("lab")
    return made


async def read(pieces):
    return b"".join([piece async for piece in pieces])


async def test_runs_come_newest_first(world, lab, head, in_world):
    for name in ("first", "second"):
        world.add_job(lab, world.add_run(lab, head, name=name), "unit", "cancelled")
    async with in_world(world) as forge:
        runs = await forge.checks.runs(LAB, head)
    assert [(run.name, run.number, run.verdict) for run in runs] == [
        ("second", 2, Verdict.CANCELLED),
        ("first", 1, Verdict.CANCELLED),
    ]
    assert (runs[0].commit, runs[0].branch, runs[0].event, runs[0].attempt) == (head, "main", "push", 1)
    assert (runs.total, runs.cut) == (2, "")


async def test_a_list_of_a_thousand_runs_has_the_total(hub, github):
    row = {
        "id": 1,
        "created_at": "2026-01-05T09:00:00Z",
        "run_number": 1,
        "event": "push",
        "head_sha": "",
        "html_url": "",
    }
    hub.answers[f"{R}/actions/runs"] = {"total_count": 1_500, "workflow_runs": [row]}
    async with github(hub.url) as forge:
        runs = await forge.checks.runs(LAB, "abc")
    assert runs.cut == "GitHub lists only 1 of the 1,500 runs of the commit"


async def test_the_jobs_of_the_latest_attempt_come_with_their_steps(world, lab, head, in_world):
    run = world.add_run(lab, head, attempt=2)
    world.add_job(lab, run, "unit", "success", attempt=1)
    world.add_job(lab, run, "unit", "failure", steps=STEPS)
    async with in_world(world) as forge:
        (job,) = await forge.checks.jobs(LAB, str(run.id))
    assert (job.name, job.run, job.attempt, job.verdict) == ("unit", str(run.id), 2, Verdict.FAILED)
    assert [(step.number, step.name, step.verdict) for step in job.steps] == [
        (1, "Set up", Verdict.PASSED),
        (2, "Test", Verdict.FAILED),
        (3, "Report", Verdict.SKIPPED),
    ]
    assert (job.labels, job.runner) == (("ubuntu-latest",), "runner-1")


async def test_jobs_beyond_the_first_page_are_read(world, lab, head, in_world):
    run = world.add_run(lab, head)
    for number in range(101):
        world.add_job(lab, run, f"job {number}")
    async with in_world(world) as forge:
        jobs = await forge.checks.jobs(LAB, str(run.id))
    assert (len(jobs), jobs.total, jobs.cut) == (101, 101, "")


async def test_a_missing_run_is_named(world, in_world):
    async with in_world(world) as forge:
        for reading in (forge.checks.jobs(LAB, "1"), forge.checks.artifacts(LAB, "1")):
            with pytest.raises(NotFound, match="smith/lab has no run 1,"):
                await reading


async def test_annotations_are_read_to_the_last_page(world, lab, head, in_world):
    made = world.add_check(lab, head, "unit", "failure")
    world.add_annotation(made, ".github", 1, "Process completed with exit code 1.")
    for number in range(100):
        world.add_annotation(made, "hello.py", number, "wrong", level="warning", title="lint")
    async with in_world(world) as forge:
        (check,) = await forge.checks.list(LAB, head)
        remarks = await forge.checks.annotations(LAB, check)
    assert check.annotations == len(remarks) == 101
    assert (remarks[0].path, remarks[0].level) == (".github", "failure")
    assert (remarks[100].path, remarks[100].start_line, remarks[100].title) == ("hello.py", 99, "lint")


async def test_a_status_has_no_annotations(hub, github):
    async with github(hub.url) as forge:
        remarks = await forge.checks.annotations(LAB, CommitCheck(name="build", verdict=Verdict.FAILED, id="3"))
    assert (len(remarks), remarks.total, hub.asked) == (0, 0, [])


async def test_the_annotations_of_a_job_are_those_of_its_check_run(hub, github):
    remark = {"path": "a.py", "start_line": 1, "end_line": 2, "annotation_level": "notice", "message": "look"}
    url = f"{hub.url}/api/v3/repos/smith/lab/check-runs/77"
    hub.answers |= {f"{R}/actions/jobs/9": {"check_run_url": url}, f"{R}/check-runs/77/annotations": [remark]}
    job = CommitCheck(name="unit", verdict=Verdict.FAILED, kind="job", id="9", job="9")
    async with github(hub.url) as forge:
        (found,) = await forge.checks.annotations(LAB, job)
    assert (found.path, found.start_line, found.end_line, found.level, found.message) == (
        "a.py",
        1,
        2,
        "notice",
        "look",
    )


@pytest.mark.parametrize("answer", [{"check_run_url": None}, {"check_run_url": ""}, {}], ids=["null", "empty", "none"])
async def test_a_job_whose_check_run_is_not_reported_has_unknown_annotations(hub, github, answer):
    hub.answers[f"{R}/actions/jobs/9"] = answer
    job = CommitCheck(name="unit", verdict=Verdict.FAILED, kind="job", id="9", job="9")
    async with github(hub.url) as forge:
        found = await forge.checks.annotations(LAB, job)
    assert (found.items, found.total) == ((), None)
    assert found.cut == "GitHub does not report which check run belongs to job 9"


async def test_a_log_is_read_from_its_storage_without_the_token(world, lab, head, in_world):
    """The double stores logs on another port, and refuses requests with a token there."""
    job = world.add_job(lab, world.add_run(lab, head), "unit", log=b"\xef\xbb\xbf2026 all passed\r\n")
    async with in_world(world) as forge:
        assert await read(forge.checks.log(LAB, str(job.id))) == b"\xef\xbb\xbf2026 all passed\r\n"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"status": "in_progress"}, "is in progress: its log is available once it is completed"),
        ({"status": "queued"}, "is queued"),
        ({"conclusion": "skipped"}, "was skipped: it has no log"),
        ({"conclusion": "failure"}, "has expired, or was never finalised"),
    ],
    ids=["running", "queued", "skipped", "expired"],
)
async def test_an_error_says_why_a_log_is_missing(world, in_world, fields, said):
    lab = world.repository("smith/lab")
    job = world.add_job(lab, world.add_run(lab, lab.branches["main"]), "unit", **fields)
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match=f"the job {job.id} {said}"):
            await read(forge.checks.log(LAB, str(job.id)))


async def test_a_log_with_status_410_has_expired(hub, github):
    hub.answers[f"{R}/actions/jobs/9/logs"] = 410, {}, {"message": "Server Error"}
    hub.answers[f"{R}/actions/jobs/9"] = {"status": "completed", "conclusion": "failure"}
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="has expired"):
            await read(forge.checks.log(LAB, "9"))


async def test_a_missing_job_has_no_log(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="there is no job 1, or the token may not see it"):
            await read(forge.checks.log(LAB, "1"))


async def test_artifacts_are_listed_and_read(world, lab, head, in_world):
    run = world.add_run(lab, head)
    world.add_artifact(lab, run, "report", b"PK\x05\x06")
    world.add_artifact(lab, run, "old", b"PK", expired=True)
    async with in_world(world) as forge:
        report, old = await forge.checks.artifacts(LAB, str(run.id))
        assert (report.name, report.size, report.expired, old.expired) == ("report", 4, False, True)
        assert await read(forge.checks.artifact(LAB, report.id)) == b"PK\x05\x06"


async def test_an_expired_artifact_is_distinguished_from_a_missing_one(world, lab, head, in_world):
    old = world.add_artifact(lab, world.add_run(lab, head), "old", b"PK", expired=True)
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match=f"the artifact {old.id} has expired"):
            await read(forge.checks.artifact(LAB, str(old.id)))
        with pytest.raises(NotFound, match="there is no artifact 1,"):
            await read(forge.checks.artifact(LAB, "1"))


async def test_another_error_of_an_artifact_is_not_reported_as_expired(hub, github):
    place = f"{R}/actions/artifacts/9"
    hub.answers |= {f"{place}/zip": (404, {}, {"message": "Still uploading"}), place: {"expired": False}}
    async with github(hub.url) as forge:
        with pytest.raises(NotFound, match="Still uploading") as caught:
            await read(forge.checks.artifact(LAB, "9"))
    assert caught.value.__cause__ is not caught.value


@pytest.mark.parametrize("status", [403, 500])
async def test_the_storage_url_of_a_log_is_in_no_error_and_no_log(hub, github, elsewhere, caplog, status):
    """Anyone with the URL can read the log."""
    caplog.set_level("DEBUG")
    elsewhere.answers["GET /logs/9"] = status, {}, {"message": "no"}
    hub.answers[f"{R}/actions/jobs/9/logs"] = 302, {"Location": f"{elsewhere.url}/logs/9?sig=s3cr3t"}, b""
    async with github(hub.url) as forge:
        with pytest.raises(ForgeError) as caught:
            await read(forge.checks.log(LAB, "9"))
    assert "s3cr3t" not in f"{caught.value!r} {caught.value.as_dict()} {caplog.text}"
    assert "authorization" not in elsewhere.asked[0][2]
