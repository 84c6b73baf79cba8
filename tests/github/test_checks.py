"""The checks of a commit as one list (docs/forge-behaviour/github.md#checks)."""

import pytest
from github_double.world import World

from stithy_core.spi import Forbidden, NotFound, RepositoryRef, Unknown, Verdict

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
SHA = "a" * 40
R = "GET /repos/smith/lab"
RUNS, STATUS, ACTIONS = f"{R}/commits/{SHA}/check-runs", f"{R}/commits/{SHA}/status", f"{R}/actions/runs"
CONCLUSIONS = {word: word for word in ("neutral", "cancelled", "skipped", "timed_out", "action_required")}
CONCLUSIONS |= {"success": "passed", "failure": "failed", "stale": "stale", "startup_failure": "startup_failure"}
WAITING = dict.fromkeys(("queued", "waiting", "requested", "pending"), "pending") | {"in_progress": "running"}
REFUSED = 403, {}, {"message": "Resource not accessible by personal access token"}


@pytest.fixture
def world():
    made = World()
    made.add_repository("lab")
    return made


def check(number, name="build", *, suite=1, app="github-actions", **fields):
    """Create a check run in REST's form; its page is that of the job with its number in run 7."""
    page = f"https://github.com/smith/lab/actions/runs/7/job/{number}"
    done = {"status": "completed", "conclusion": "success", "details_url": page, "html_url": page}
    return done | {"id": number, "name": name, "check_suite": {"id": suite}, "app": {"slug": app}} | fields


def run(number, workflow, *, suite, event="push"):
    created = f"2026-01-05T09:00:{number:02}Z"
    shown = {"id": number, "name": f"workflow {workflow}", "workflow_id": workflow, "event": event, "html_url": ""}
    return shown | {"check_suite_id": suite, "status": "completed", "conclusion": "success", "created_at": created}


def job(number, name, **fields):
    done = {"status": "completed", "conclusion": "failure"}
    return {"id": number, "run_id": 7, "name": name, "html_url": "https://github.com/x"} | done | fields


@pytest.fixture
def commit(hub):
    """A function that sets GitHub's lists about a commit: rows, or a whole answer."""

    def set_lists(*, runs=(), statuses=(), actions=()):
        lists = ((RUNS, "check_runs", runs), (STATUS, "statuses", statuses), (ACTIONS, "workflow_runs", actions))
        for what, name, rows in lists:
            whole = isinstance(rows, tuple) and rows[:1] == (403,)
            hub.answers[what] = rows if whole else {"state": "pending", "total_count": len(rows), name: list(rows)}
        return hub.url

    return set_lists


async def test_check_runs_and_statuses_are_one_list_by_name(world, lab, head, in_world):
    world.add_check(lab, head, "unit", "failure")
    world.add_check(lab, head, "audit", "neutral", app="auditor")
    world.add_status(lab, head, "deploy", "pending", "waits")
    async with in_world(world) as forge:
        checks = await forge.checks.list(LAB, head)
    assert [(one.name, one.kind, one.source, one.verdict) for one in checks] == [
        ("audit", "check_run", "auditor", Verdict.NEUTRAL),
        ("deploy", "status", "", Verdict.PENDING),
        ("unit", "check_run", "github-actions", Verdict.FAILED),
    ]
    assert (checks.total, checks.cut) == (3, "")


async def test_every_conclusion_has_its_verdict(world, lab, head, in_world):
    for word in CONCLUSIONS:
        world.add_check(lab, head, word, word)
    async with in_world(world) as forge:
        checks = await forge.checks.list(LAB, head)
    assert {one.name: one.verdict.value for one in checks} == CONCLUSIONS
    assert [one.raw for one in checks] == [one.name for one in checks]


async def test_an_incomplete_check_is_pending_or_running(world, lab, head, in_world):
    for word in WAITING:
        world.add_check(lab, head, word, status=word)
    async with in_world(world) as forge:
        checks = await forge.checks.list(LAB, head)
    assert {one.name: one.verdict.value for one in checks} == WAITING


@pytest.mark.parametrize("fields", [{"conclusion": "mystery"}, {"status": "dreaming", "conclusion": None}])
async def test_an_unknown_state_gives_an_unknown_verdict(commit, github, fields):
    async with github(commit(runs=[check(1, **fields)])) as forge:
        (found,) = await forge.checks.list(LAB, SHA)
    assert isinstance(found.verdict, Unknown)
    assert found.raw in found.verdict.reason


async def test_completed_without_a_conclusion_is_not_passed(commit, github):
    async with github(commit(runs=[check(1, conclusion=None)])) as forge:
        (found,) = await forge.checks.list(LAB, SHA)
    assert isinstance(found.verdict, Unknown)


async def test_a_commit_without_statuses_has_no_checks_although_github_reports_pending(world, head, in_world):
    async with in_world(world) as forge:
        checks = await forge.checks.list(LAB, head)
    assert (len(checks), checks.total, checks.cut) == (0, 0, "")


async def test_the_latest_status_of_a_context_counts(world, lab, head, in_world):
    world.add_status(lab, head, "build", "failure")
    world.add_status(lab, head, "build", "success")
    async with in_world(world) as forge:
        (found,) = await forge.checks.list(LAB, head)
    assert found.verdict is Verdict.PASSED


async def test_a_failed_check_on_a_later_page_is_found(world, lab, head, in_world):
    world.add_check(lab, head, "zz", "timed_out")
    world.add_status(lab, head, "zz", "error")
    for number in range(101):
        world.add_check(lab, head, f"check {number}")
        world.add_status(lab, head, f"status {number}", "success")
    async with in_world(world) as forge:
        checks = await forge.checks.list(LAB, head)
    assert len(checks) == 204
    assert {one.verdict for one in checks if one.name == "zz"} == {Verdict.TIMED_OUT, Verdict.FAILED}


async def test_a_page_that_fails_is_an_error_and_not_the_end(commit, hub, github):
    url = commit()
    more = f'<{hub.url}/api/v3/repos/smith/lab/commits/{SHA}/check-runs?page=2>; rel="next"'
    first = 200, {"Link": more}, {"total_count": 101, "check_runs": [check(1)]}
    hub.answers[RUNS] = lambda query: (410, {}, {"message": "Gone"}) if "page" in query else first
    hub.answers[R] = {}
    async with github(url) as forge:
        with pytest.raises(NotFound):
            await forge.checks.list(LAB, SHA)


async def test_a_list_that_is_shorter_than_github_counts_says_so(commit, hub, github):
    url = commit()
    hub.answers[RUNS] = {"total_count": 1_200, "check_runs": [check(1)]}
    async with github(url) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert (checks.total, checks.cut) == (None, "GitHub lists only 1 of the 1,200 check runs of the commit")


async def test_a_list_of_a_thousand_suites_says_that_it_is_cut(commit, github):
    rows = [check(number, f"check {number}", suite=number) for number in range(1_000)]
    async with github(commit(runs=rows)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert (len(checks), checks.cut) == (1_000, "GitHub lists the check runs of the 1,000 newest check suites only")


async def test_a_check_run_of_actions_names_its_run_and_job(commit, github):
    rows = [check(456), check(457, "audit", app="auditor")]
    async with github(commit(runs=rows)) as forge:
        audit, build = await forge.checks.list(LAB, SHA)
    assert (build.run, build.job) == ("7", "456")
    assert (audit.run, audit.job) == ("", "")


async def test_jobs_with_the_same_name_in_two_workflows_both_count(commit, github):
    rows = [check(1, suite=10, conclusion="failure"), check(2, suite=20)]
    actions = [run(1, 100, suite=10), run(2, 200, suite=20)]
    async with github(commit(runs=rows, actions=actions)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert [one.verdict for one in checks] == [Verdict.FAILED, Verdict.PASSED]


async def test_only_the_latest_run_of_a_workflow_counts(commit, github):
    rows = [check(2, suite=20), check(1, suite=10, conclusion="failure")]
    actions = [run(1, 100, suite=10), run(2, 100, suite=20)]
    async with github(commit(runs=rows, actions=actions)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert [(one.id, one.verdict) for one in checks] == [("2", Verdict.PASSED)]


async def test_all_jobs_count_if_their_workflows_are_unknown(commit, github):
    rows = [check(1, suite=10, conclusion="failure"), check(2, suite=20)]
    async with github(commit(runs=rows, actions=REFUSED)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert [one.verdict for one in checks] == [Verdict.FAILED, Verdict.PASSED]


async def test_check_runs_of_two_apps_with_the_same_name_both_count(commit, github):
    rows = [check(1, app="one", conclusion="failure"), check(2, app="two")]
    async with github(commit(runs=rows)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert [(one.source, one.verdict) for one in checks] == [("one", Verdict.FAILED), ("two", Verdict.PASSED)]


async def test_jobs_replace_check_runs_that_a_token_may_not_read(commit, hub, github):
    url = commit(runs=REFUSED, statuses=[{"context": "lint", "state": "success"}], actions=[run(7, 1, suite=1)])
    hub.answers[f"{ACTIONS}/7/jobs"] = {"total_count": 1, "jobs": [job(9, "unit")]}
    async with github(url) as forge:
        checks = await forge.checks.list(LAB, SHA)
    found = [(one.name, one.kind, one.verdict, one.job) for one in checks]
    assert found == [("lint", "status", Verdict.PASSED, ""), ("unit", "job", Verdict.FAILED, "9")]
    assert "may not read check runs" in checks.cut
    assert "Resource not accessible" in checks.cut


async def test_a_run_without_jobs_is_a_check(commit, hub, github):
    started = run(7, 1, suite=1) | {"conclusion": "startup_failure"}
    url = commit(runs=REFUSED, actions=[started, run(6, 1, suite=2)])
    hub.answers[f"{ACTIONS}/7/jobs"] = {"total_count": 0, "jobs": []}
    async with github(url) as forge:
        (found,) = await forge.checks.list(LAB, SHA)
    assert (found.name, found.run, found.verdict) == ("workflow 1", "7", Verdict.STARTUP_FAILURE)


async def test_a_list_names_the_statuses_that_a_token_may_not_read(commit, github):
    async with github(commit(runs=[check(1)], statuses=REFUSED)) as forge:
        checks = await forge.checks.list(LAB, SHA)
    assert [one.name for one in checks] == ["build"]
    assert checks.cut.startswith("the token may not read commit statuses")


async def test_a_token_that_may_read_no_checks_is_refused(commit, github):
    async with github(commit(runs=REFUSED, statuses=REFUSED, actions=REFUSED)) as forge:
        with pytest.raises(Forbidden, match="Resource not accessible"):
            await forge.checks.list(LAB, SHA)


@pytest.mark.parametrize("status", [404, 422])
async def test_a_missing_commit_is_named(commit, hub, github, status):
    url = commit()
    hub.answers |= {R: {}, RUNS: (status, {}, {"message": "Not Found" if status == 404 else "No commit found for SHA"})}
    async with github(url) as forge:
        with pytest.raises(NotFound, match=f"smith/lab has no commit {SHA}"):
            await forge.checks.list(LAB, SHA)


async def test_a_missing_repository_is_named(world, in_world):
    async with in_world(world) as forge:
        with pytest.raises(NotFound, match="hub has no repository smith/lib"):
            await forge.checks.list(RepositoryRef("smith", "lib"), SHA)
