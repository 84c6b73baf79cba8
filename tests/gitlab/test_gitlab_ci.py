"""Pipelines, jobs, traces, reports and rules."""

import pytest
from gitlab_double.gitlab_server import NAME

from stithy_core.spi import NotFound, RepositoryRef, TestStatus, Unknown, Verdict
from stithy_gitlab.gitlab_traces import clean_trace

ANVIL = RepositoryRef("smith/tools", "anvil")
pytestmark = pytest.mark.anyio


@pytest.fixture
def home(server):
    made = server.world.add_project(NAME)
    server.world.add_merge_request(made, "Greet", "greet")
    return made


@pytest.fixture
def sha(home):
    return home.find_commit("greet")


@pytest.fixture
def pr(forge, home):
    return forge.names.create_pull_request_ref(ANVIL, 1)


async def read_verdicts(forge, sha, pr):
    return {one.name: (one.verdict, one.allowed_to_fail) for one in await forge.checks.list(ANVIL, sha, pr=pr)}


async def test_a_job_that_may_fail_is_marked_and_a_retried_one_is_left_out(server, forge, home, sha, pr):
    run = server.world.add_pipeline(home, sha, "success")
    server.world.add_job(home, run, "unit", "failed", retried=True)
    server.world.add_job(home, run, "unit", "success")
    server.world.add_job(home, run, "lint", "failed", allow_failure=True)
    found = await read_verdicts(forge, sha, pr)
    assert found == {"unit": (Verdict.PASSED, False), "lint": (Verdict.FAILED, True)}


async def test_of_two_pipelines_that_of_the_merge_request_decides(server, forge, home, sha, pr):
    detached = server.world.add_pipeline(home, sha, source="merge_request_event", ref="refs/merge-requests/1/head")
    server.world.add_job(home, detached, "unit", "success")
    server.world.add_job(home, server.world.add_pipeline(home, sha), "unit", "failed")
    assert await read_verdicts(forge, sha, pr) == {"unit": (Verdict.PASSED, False)}


async def test_a_pipeline_on_the_result_of_the_merge_decides(server, forge, home, sha, pr):
    merged = home.find_commit("main")
    run = server.world.add_pipeline(home, merged, source="merge_request_event", ref="refs/merge-requests/1/merge")
    server.world.add_job(home, run, "unit", "failed", failure_reason="job_execution_timeout")
    assert await read_verdicts(forge, sha, pr) == {"unit": (Verdict.TIMED_OUT, False)}


async def test_jobs_of_a_child_pipeline_are_listed_beside_their_bridge(server, forge, home, sha, pr):
    world = server.world
    run, child = world.add_pipeline(home, sha), world.add_pipeline(home, sha, source="parent_pipeline")
    world.add_job(home, child, "inner", "failed")
    world.add_job(home, run, "trigger", "failed", downstream=child)
    found = {one.name: (one.reported, bool(one.job)) for one in await forge.checks.list(ANVIL, sha, pr=pr)}
    assert found == {"trigger": (True, False), "trigger / inner": (False, True)}


async def test_a_job_in_a_fork_is_read_in_the_fork(server, forge, home, sha, pr):
    fork = server.world.add_project("bob/anvil", home)
    fork.bare, home.merges[1]["source"] = home.bare, fork
    job = server.world.add_job(fork, server.world.add_pipeline(fork, sha), "unit", trace=b"$ make\nno\n")
    (check,) = await forge.checks.list(ANVIL, sha, pr=pr)
    assert check.job == f"{fork.id}/{job['id']}"
    assert b"".join([piece async for piece in forge.checks.log(ANVIL, check.job)]) == b"$ make\nno\n"


async def test_a_pipeline_without_jobs_is_a_check_itself(server, forge, home, sha, pr):
    server.world.add_pipeline(home, sha, "failed", yaml_errors="jobs config should contain at least one visible job")
    (check,) = await forge.checks.list(ANVIL, sha, pr=pr)
    assert (check.kind, check.verdict) == ("run", Verdict.FAILED)


async def test_a_word_that_is_not_known_stays_unknown(server, forge, home, sha, pr):
    server.world.add_job(home, server.world.add_pipeline(home, sha), "unit", "levitating")
    (check,) = await forge.checks.list(ANVIL, sha, pr=pr)
    assert isinstance(check.verdict, Unknown)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"erased_at": "2026-01-05T11:00:00.000Z"}, "erased"),
        ({"status": "pending"}, "not begun"),
        ({}, "empty log"),
    ],
)
async def test_an_empty_trace_is_not_a_log(server, forge, home, fields, reason):
    run = server.world.add_pipeline(home, home.find_commit("greet"))
    job = server.world.add_job(home, run, "unit", **fields)
    with pytest.raises(NotFound, match=reason):
        [piece async for piece in forge.checks.log(ANVIL, str(job["id"]))]


async def test_a_test_of_two_jobs_of_one_name_belongs_to_neither(server, forge, home, sha):
    run = server.world.add_pipeline(home, sha)
    server.world.add_job(home, run, "once")
    case = {
        "status": "error",
        "name": "test",
        "classname": "C",
        "execution_time": 1.0,
        "system_output": {"message": "no"},
    }
    names = ("once", "twice")
    home.reports[run["id"]] = [{"name": name, "suite_error": None, "test_cases": [case]} for name in names]
    home.reports[run["id"]].append({"name": "bad", "suite_error": "JUnit XML parsing failed", "test_cases": []})
    report = await forge.checks.test_report(ANVIL, str(run["id"]))
    assert [(one.status, bool(one.job), one.message) for one in report.cases] == [
        (TestStatus.ERROR, True, "no"),
        (TestStatus.ERROR, False, "no"),
    ]
    assert "bad: JUnit XML parsing failed" in report.cut


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_a_trace_has_neither_sections_nor_times_however_it_is_cut(size):
    lines = [
        b"2026-01-21T09:47:05.094269Z 00O section_start:1560896352:step_script[collapsed=true]\r\x1b[0K$ make",
        b"2026-01-21T09:47:05.094270Z 00O one",
        b"2026-01-21T09:47:05.094271Z 00O+ and on",
        b"2026-01-21T09:47:05.094272Z 01E oh section_end:1560896353:step_script\r\x1b[0K",
        b"plain",
    ]
    trace = b"\n".join(lines) + b"\n"

    async def read_pieces():
        for start in range(0, len(trace), size):
            yield trace[start : start + size]

    assert b"".join([piece async for piece in clean_trace(read_pieces())]) == b"$ make\none and on\noh \nplain\n"


async def test_rules_that_the_community_edition_lacks_are_off(forge, home, pr):
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert (rules.required_approvals, rules.code_owners) == (0, False)
    assert [one.name.rpartition(" ")[2] for one in rules.evaluated] == ["commits_status"]


async def test_rules_that_the_enterprise_edition_does_not_report_are_unknown(server, forge, home, pr):
    server.world.enterprise = True
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert isinstance(rules.rejection_blocks, Unknown)
    assert (rules.required_approvals, rules.code_owners) == (0, False)  # only protected branches require code owners


async def test_settings_of_the_project_are_rules(forge, home, pr):
    home.settings |= {"only_allow_merge_if_all_discussions_are_resolved": True, "merge_method": "ff"}
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert (rules.resolved_threads, rules.all_checks, rules.up_to_date, rules.linear) == (True, False, True, True)


async def test_a_protected_pattern_that_nobody_may_merge_into_is_locked(forge, home, pr):
    home.protected.append({"id": 1, "name": "m*n", "merge_access_levels": [{"access_level": 0}]})
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    assert (rules.protected, rules.locked, rules.sources) == (True, True, ("protected branch m*n",))


async def test_merge_checks_are_rules_with_results(server, forge, home, pr):
    server.world.enterprise = True
    home.merges[1]["checks"] = {
        "TITLE_REGEX": "FAILED",
        "LOCKED_PATHS": "SUCCESS",
        "STATUS_CHECKS_MUST_PASS": "CHECKING",
        "JIRA_ASSOCIATION_MISSING": "INACTIVE",
        "CONFLICT": "FAILED",
    }
    rules = await forge.rules.get(ANVIL, "main", pr=pr)
    found = {one.name.rpartition(" ")[2]: one.met for one in rules.evaluated}
    assert isinstance(found.pop("status_checks_must_pass"), Unknown)
    assert found == {"title_regex": False, "locked_paths": True, "commits_status": True, "requested_changes": True}


async def test_files_that_gitlab_leaves_out_are_said(forge, home, pr):
    found = await forge.changes.files(pr)
    assert (len(found), found.cut) == (4, "")
    home.merges[1]["diff_refs"] = None
    assert "prepares" in (await forge.changes.files(pr)).cut
