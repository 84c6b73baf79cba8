"""Statuses and jobs of a commit, on real servers whose workflow a runner really ran (tests/support/runner.py)."""

import base64
import io
import zipfile

import pytest
from runner import Runner
from worlds import open_forge, pull_request_of, repository_of

from stithy_core.spi import NotFound, Unknown, Unsupported, Verdict

pytestmark = pytest.mark.anyio

WORLD = "checks"
GITEA_ONLY = "the runner and the expected ids are those of Gitea; neither was tried on a Forgejo"
WORKFLOW = """\
name: tests
on:
  pull_request:
  workflow_dispatch:
jobs:
  unit:
    runs-on: host
    steps:
      - {name: begin, run: echo collected 2 items}
      - {name: pytest, run: "echo FAILED test_basket.py::test_total; exit 1"}
  lint:
    runs-on: host
    steps:
      - {name: lint, run: "echo clean; echo done > $ARTIFACT"}
  after:
    needs: unit
    runs-on: host
    steps:
      - {run: echo never}
"""


def make(lab):
    content = base64.b64encode(WORKFLOW.encode()).decode()
    change = {"content": content, "message": "Test", "branch": "main", "new_branch": "basket"}
    made = lab.setup("POST", f"/repos/{lab.repository}/contents/.gitea/workflows/tests.yml", change)
    commit = made.json()["commit"]["sha"]
    lab.setup("POST", f"/repos/{lab.repository}/pulls", {"title": "Basket", "head": "basket", "base": "main"})
    registration = lab.setup("POST", f"/repos/{lab.repository}/actions/runners/registration-token").json()["token"]
    Runner(lab.url, registration).work(2)
    lab.setup("POST", f"/repos/{lab.repository}/actions/workflows/tests.yml/dispatches", {"ref": "basket"})
    status = f"/repos/{lab.repository}/statuses/{commit}"
    for word in ("pending", "success", "error", "failure", "warning", "skipped", "banana"):
        lab.setup("POST", status, {"state": word, "context": f"ci {word}", "description": f"It is {word}"})
    lab.setup("POST", status, {"state": "success", "context": "ci pending", "target_url": "https://ci.example/1"})
    parent = lab.setup("GET", f"/repos/{lab.repository}/branches/main").json()["commit"]["id"]
    for number in range(51):
        lab.setup("POST", f"/repos/{lab.repository}/statuses/{parent}", {"state": "success", "context": f"{number:02}"})


async def head_of(forge, world):
    return (await forge.pull_requests.get(pull_request_of(world))).head.commit


async def checks_of(forge, world):
    return {check.name: check for check in await forge.checks.list(repository_of(world), await head_of(forge, world))}


async def latest_run(forge, world, event="pull_request"):
    runs = await forge.checks.runs(repository_of(world), await head_of(forge, world))
    return next(run for run in runs if run.event == event)


async def job_named(forge, world, name, event="pull_request"):
    run = await latest_run(forge, world, event)
    return next(job for job in await forge.checks.jobs(repository_of(world), run.id) if job.name == name)


async def whole(pieces):
    return b"".join([piece async for piece in pieces])


class TestJobs:
    """The jobs of one run."""

    async def test_jobs_say_what_became_of_them(self, world):
        async with open_forge(world) as forge:
            jobs = await forge.checks.jobs(repository_of(world), (await latest_run(forge, world)).id)
        found = {job.name: job.verdict for job in jobs}
        assert found == {"unit": Verdict.FAILED, "lint": Verdict.PASSED, "after": Verdict.SKIPPED}
        assert {job.runner for job in jobs} == {"lab", ""}

    async def test_a_step_does_not_take_over_the_verdict_of_its_job(self, world):
        async with open_forge(world) as forge:
            steps = (await job_named(forge, world, "unit")).steps
            version = await forge.version()
        assert [step.name for step in steps] == ([] if version.number < (1, 26) else ["begin", "pytest"])
        assert all(isinstance(step.verdict, Unknown) for step in steps)


class TestCommit:
    """All that is asked of one commit."""

    async def test_every_word_of_a_status_is_read(self, world):
        async with open_forge(world) as forge:
            found = await checks_of(forge, world)
            version = await forge.version()
        warning = Verdict.NEUTRAL if version.number < (1, 27) else Verdict.FAILED
        words = {
            "success": Verdict.PASSED,
            "error": Verdict.FAILED,
            "failure": Verdict.FAILED,
            "skipped": Verdict.SKIPPED,
        }
        assert {word: found[f"ci {word}"].verdict for word in words} == words
        assert (found["ci warning"].verdict, found["ci warning"].raw) == (warning, "warning")
        assert isinstance(found["ci banana"].verdict, Unknown)

    async def test_only_the_latest_status_of_a_context_counts(self, world):
        async with open_forge(world) as forge:
            found = (await checks_of(forge, world))["ci pending"]
        assert (found.verdict, found.url, found.kind) == (Verdict.PASSED, "https://ci.example/1", "status")
        assert (found.source, found.run, found.job) == (world.owner, "", "")

    async def test_each_check_stands_once_and_by_name(self, world):
        async with open_forge(world) as forge:
            found = await forge.checks.list(repository_of(world), await head_of(forge, world))
        names = [check.name for check in found]
        assert names == sorted(set(names))
        assert (found.total, found.cut) == (13, "")

    async def test_jobs_that_post_no_status_are_checks_as_well(self, world):
        async with open_forge(world) as forge:
            found = await checks_of(forge, world)
        waiting = found["tests.yml / unit (workflow_dispatch)"]
        assert (waiting.verdict, waiting.kind, waiting.started_at) == (Verdict.PENDING, "job", None)
        assert waiting.run != found["tests / unit (pull_request)"].run

    async def test_there_are_no_annotations(self, world):
        async with open_forge(world) as forge:
            check = (await checks_of(forge, world))["ci success"]
            with pytest.raises(Unsupported):
                await forge.checks.annotations(repository_of(world), check)


async def test_a_job_and_its_status_are_one_check_with_the_ids_for_its_log(world):
    async with open_forge(world) as forge:
        found = (await checks_of(forge, world))["tests / unit (pull_request)"]
        job = await job_named(forge, world, "unit")
        log = await whole(forge.checks.log(repository_of(world), found.job))
    assert (found.kind, found.job, found.run, found.verdict) == ("job", job.id, job.run, Verdict.FAILED)
    assert found.url == job.url
    assert b"FAILED test_basket.py::test_total\n" in log


async def test_more_statuses_than_a_page_holds_are_all_read(world):
    async with open_forge(world) as forge:
        found = await forge.checks.list(repository_of(world), "main")
    assert [check.name for check in found] == [f"{number:02}" for number in range(51)]


async def test_runs_come_newest_first(world):
    async with open_forge(world) as forge:
        runs = await forge.checks.runs(repository_of(world), await head_of(forge, world))
    assert [(run.number, run.event) for run in runs] == [(2, "workflow_dispatch"), (1, "pull_request")]
    assert [(run.verdict, run.name) for run in runs] == [(Verdict.PENDING, "tests.yml"), (Verdict.FAILED, "tests.yml")]
    assert runs[0].started_at is None, "the server says 1970"


async def test_a_log_that_is_not_there_says_why(world):
    cases = (("workflow_dispatch", "lint", "has not started"), ("pull_request", "after", "was skipped"))
    async with open_forge(world) as forge:
        for event, name, why in cases:
            job = await job_named(forge, world, name, event)
            with pytest.raises(NotFound, match=why):
                await whole(forge.checks.log(repository_of(world), job.id))


async def test_a_wrong_id_is_no_log_no_job_and_no_artifact(world):
    repository = repository_of(world)
    async with open_forge(world) as forge:
        for number in ("999999", "0", "abc", "1/../1"):
            for ask in (forge.checks.jobs, forge.checks.artifacts):
                with pytest.raises(NotFound, match="has no run"):
                    await ask(repository, number)
            for what, read in (("job", forge.checks.log), ("artifact", forge.checks.artifact)):
                with pytest.raises(NotFound, match=f"has no {what}"):
                    await whole(read(repository, number))


async def test_an_artifact_comes_as_a_zip(world):
    repository = repository_of(world)
    async with open_forge(world) as forge:
        (found,) = await forge.checks.artifacts(repository, (await latest_run(forge, world)).id)
        content = await whole(forge.checks.artifact(repository, found.id))
    assert (found.name, found.size, found.expired) == ("report", len(content), False)
    assert zipfile.ZipFile(io.BytesIO(content)).read("artifact.txt") == b"done\n"
    assert found.expires_at > found.created_at


async def test_a_reader_sees_every_check(world):
    async with open_forge(world, token=world.reader_token) as forge:
        found = (await checks_of(forge, world))["tests / unit (pull_request)"]
        owned = (await forge.version()).number < (1, 26)
    assert found.verdict is Verdict.FAILED
    expected = {("status", False) if owned else ("job", True)}
    if world.live:  # the run's number is its id as well, where no other repository of the server had runs
        expected.add(("job", True))
    assert (found.kind, bool(found.job)) in expected


async def test_a_reader_sees_runs_and_is_told_what_is_missing(world):
    async with open_forge(world, token=world.reader_token) as forge:
        runs = await forge.checks.runs(repository_of(world), await head_of(forge, world))
        owned = (await forge.version()).number < (1, 26)
    assert [run.number for run in runs] == ([1] if owned else [2, 1])
    assert bool(runs.cut) is owned
    assert all(bool(run.id) is not owned for run in runs)


async def test_a_missing_commit_is_named(world):
    async with open_forge(world) as forge:
        with pytest.raises(NotFound, match=f"{world.repository} has no commit 0000000"):
            await forge.checks.list(repository_of(world), "0000000")
