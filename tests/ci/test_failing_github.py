"""get_failing_tests on GitHub: its double answers, or what it answered once."""

import re
from contextlib import asynccontextmanager

import pytest
from attrs import frozen
from ci_play import PYTEST, failing
from github_double.stage import serving
from github_double.world import World

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

STEPS = (("Set up job", "success"), ("Run pytest", "failure"), ("Post", "success"))


@frozen
class Scene:
    """A pull request on GitHub, on whose head nothing was run yet."""

    world: World
    repository: object
    pull: object

    @property
    def head(self):
        return self.pull.head_sha

    def run(self, **fields):
        return self.world.add_run(self.repository, self.head, branch="harden", event="pull_request", **fields)

    def job(self, run, name, *result, **fields):
        return self.world.add_job(self.repository, run, name, *result, **fields)

    def check(self, name, *result, **fields):
        return self.world.add_check(self.repository, self.head, name, *result, **fields)


@pytest.fixture
def scene():
    world = World()
    repository = world.add_repository("lab")
    world.push(repository, "harden", "Harden", {"horn.py": "HARD = 60\n"})
    return Scene(world, repository, world.add_pull(repository, "Harden", "harden"))


@pytest.fixture
def find(request, tmp_path, scene):
    """Return what calls the tool."""

    @asynccontextmanager
    async def enter():
        test = re.sub(r"\btest_", "", f"ci {request.node.name}")
        name = re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")
        with serving(name, scene.world) as served:
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            app = make_app(tmp_path, settings, environ={"HUB_TOKEN": scene.world.token})
            async with connect(app) as client:

                async def call(**arguments):
                    given = {"pr": f"smith/lab#{scene.pull.number}"} | arguments
                    result = await client.call_tool("get_failing_tests", given)
                    assert not result.is_error, result.content[0].text
                    return result.structured_content

                yield call

    return enter


async def test_a_failure_leads_to_the_step_that_failed(scene, find):
    run = scene.run()
    job = scene.job(run, "unit", "failure", steps=STEPS, log=PYTEST.encode())
    async with find() as call:
        (entry,) = (await call())["failures"]
    assert entry["test_name"] == "tests/test_auth.py::test_login"
    assert entry["log_url"].endswith(f"/actions/runs/{run.id}/job/{job.id}#step:2:1")


async def test_a_failure_leads_to_its_line_in_the_step_that_failed(scene, find):
    """The runner remarks at which line of the step's own log it ended: the setup before it has twenty lines."""
    before, lines = "set up\n" * 20, PYTEST.splitlines()
    run = scene.run()
    job = scene.job(run, "unit", "failure", steps=STEPS, log=(before + PYTEST + "Post job cleanup.\n").encode())
    scene.world.add_annotation(job.check, ".github", len(lines), "Process completed with exit code 1.")
    async with find() as call:
        (entry,) = (await call())["failures"]
    page, _, line = entry["log_url"].rpartition("#step:2:")
    assert page.endswith(f"/actions/runs/{run.id}/job/{job.id}")
    assert "test_login" in lines[int(line) - 1]


async def test_what_failed_in_another_step_than_the_one_that_failed_leads_to_the_job(scene, find):
    """A step that may fail told of it; at which line of which step, nothing says."""
    log = PYTEST.replace("##[error]Process completed with exit code 1.\n", "make\nError 2\n") + (
        "##[error]Process completed with exit code 2.\n"
    )
    job = scene.job(scene.run(), "unit", "failure", steps=STEPS, log=log.encode())
    scene.world.add_annotation(job.check, ".github", 3, "Process completed with exit code 2.")
    async with find() as call:
        (entry,) = (await call())["failures"]
    assert entry["log_url"].endswith(f"/job/{job.id}")


async def test_the_eleventh_page_may_hold_the_failure(scene, find):
    """Prevents: "All tests passed" with a cursor; a failing job past the thirtieth is invisible."""
    run = scene.run()
    for number in range(130):
        scene.job(run, f"a {number:03}")
    scene.job(run, "z", "failure", log=PYTEST.encode())
    async with find() as call:
        found = await call()
    assert (found["status"], found["checks"]["total"]) == ("failed", 131)
    assert [entry["check_name"] for entry in found["failures"]] == ["z"]


async def test_only_the_latest_attempt_counts(scene, find):
    run = scene.run(attempt=2)
    scene.job(run, "unit", "failure", log=PYTEST.encode(), attempt=1)
    scene.job(run, "unit", "success", log=b"4 passed in 0.12s\n")
    async with find() as call:
        found = await call()
    assert (found["status"], found["failures"]) == ("passed", [])


async def test_two_workflows_may_call_a_job_alike(scene, find):
    one = scene.job(scene.run(name="one", workflow=1), "unit", "failure", log=PYTEST.encode())
    scene.job(scene.run(name="two", workflow=2), "unit", "failure", log=b"killed\n")
    one.check.latest = True  # of its suite
    async with find() as call:
        found = await call()
    assert [entry["test_name"] for entry in found["failures"]] == ["tests/test_auth.py::test_login", "unit"]
    assert len({entry["log_url"] for entry in found["failures"]}) == 2


async def test_a_run_that_another_one_superseded_says_nothing(scene, find):
    scene.job(scene.run(name="before"), "unit", "failure", log=PYTEST.encode())
    scene.job(scene.run(name="after"), "unit", "success")
    async with find() as call:
        found = await call()
    assert (found["status"], found["failures"]) == ("passed", [])


async def test_legacy_statuses_alone_are_ci(scene, find):
    """Prevents: "No CI checks configured"."""
    scene.world.add_status(scene.repository, scene.head, "ci/jenkins", "failure", "3 tests failed")
    async with find() as call:
        found = await call()
    assert found["status"] == "failed"
    assert [entry["check_name"] for entry in found["failures"]] == ["ci/jenkins"]


async def test_all_contexts_are_read(scene, find):
    """Prevents: the pages of statuses are ignored."""
    for number in range(120):
        scene.world.add_status(scene.repository, scene.head, f"a {number:03}", "success")
    scene.world.add_status(scene.repository, scene.head, "z", "error")
    async with find() as call:
        found = await call()
    assert [entry["check_name"] for entry in found["failures"]] == ["z"]


async def test_without_a_log_annotations_tell_where(scene, find):
    job = scene.job(scene.run(), "lint", "failure")
    scene.world.add_annotation(
        job.check, "src/t.ts", 7, "Type 'string' is not assignable to type 'number'.", title="TS"
    )
    scene.world.add_annotation(job.check, ".github", 1, "Process completed with exit code 2.")
    async with find() as call:
        found = await call()
    (entry,) = found["failures"]
    assert (entry["file_path"], entry["line_number"], entry["source"]) == ("src/t.ts", 7, "annotation")
    assert (entry["test_name"], entry["confidence"]) == ("TS src/t.ts:7", "medium")
    assert "lint: the log could not be read to its end" in found["incomplete"][0]


async def test_an_annotation_of_a_test_framework_is_a_test(scene, find):
    check = scene.check("vitest", "failure", app="reporter")
    title = "js/a.test.mjs > Auth > rejects"
    scene.world.add_annotation(check, "js/a.test.mjs", 2, "AssertionError: expected 1 to be 2", title=title)
    async with find() as call:
        (entry,) = (await call())["failures"]
    assert (entry["test_name"], entry["kind"], entry["tool"]) == (title, "test", "vitest")


async def test_of_two_programs_with_one_name_for_their_checks_none_is_left_out(scene, find):
    """What one of them tells is not what the other one found."""
    told, silent = (scene.check("types", "failure", app=app) for app in ("ours", "theirs"))
    scene.world.add_annotation(told, "src/t.ts", 1, "src/t.ts(1,7): error TS2322: Type 'string' is not a number.")
    async with find() as call:
        entries = (await call())["failures"]
    assert [(entry["test_name"], entry["source"]) for entry in entries] == [
        ("TS2322 src/t.ts:1:7", "annotation"),
        ("types", "check"),
    ]
    assert entries[1]["log_url"].endswith(f"/{silent.id}")


async def test_a_failed_check_whose_output_is_empty_has_its_own_name(scene, find):
    """Prevents: "Unknown test", confidence high."""
    scene.check("sonar", "failure", app="sonar")
    async with find() as call:
        (entry,) = (await call())["failures"]
    assert (entry["test_name"], entry["confidence"], entry["source"]) == ("sonar", "low", "check")


async def test_a_timed_out_job_is_not_invisible(scene, find):
    """Prevents: failed-only logs leave out the conclusion timed_out."""
    scene.job(scene.run(), "slow", "timed_out", log=b"still at it\n")
    async with find() as call:
        (entry,) = (await call())["failures"]
    assert (entry["check_name"], entry["kind"], entry["verdict"]) == ("slow", "timeout", "timed_out")


async def test_it_tells_how_long_a_run_took_from_its_jobs(scene, find):
    run = scene.run()
    scene.job(run, "unit", "failure", log=failing("a.py::test_a").encode())
    async with find() as call:
        info = (await call())["ci_info"]
    assert (info["workflow_name"], info["run_id"]) == ("CI", run.id)
    assert info["duration_seconds"] >= 0


@pytest.mark.contract
async def test_only_failed_jobs_are_read(scene, tmp_path):
    run = scene.run()
    for number in range(37):
        scene.job(run, f"a {number:02}", log=b"4 passed in 0.12s\n")
    for number in range(3):
        scene.job(run, f"b {number}", "failure", log=failing(f"t.py::test_{number}").encode())
    with serving("", scene.world) as served:
        settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        async with connect(make_app(tmp_path, settings, environ={"HUB_TOKEN": scene.world.token})) as client:
            result = await client.call_tool("get_failing_tests", {"pr": f"smith/lab#{scene.pull.number}"})
            asked = [one.path for one in served.double.asked]
    assert len(result.structured_content["failures"]) == 3
    assert sum(path.endswith("/logs") for path in asked) == 3
    assert len(asked) <= 16
