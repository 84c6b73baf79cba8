"""Gitea 1.25 tells the ids of runs to an owner of the repository only: what others are told of logs and of no CI.

And what everybody is told of a job that no runner takes.
"""

import pytest
from gitea_loopback import HEAD, ROOT, TIME
from loopback import Server, starting

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

HOME = {"full_name": "smith/anvil", "permissions": {"pull": True}}
PULL = {
    "number": 2,
    "state": "open",
    "user": {"id": 1, "login": "smith"},
    "created_at": TIME,
    "updated_at": TIME,
    "head": {"ref": "work", "sha": HEAD, "repo": HOME},
    "base": {"ref": "main", "sha": "b" * 40, "repo": HOME},
}
LOG = b"=== RUN TestOther\n--- FAIL: TestOther (0.00s)\n    other_test.go:5: boom\nFAIL\n"


def target(number):
    return f"/smith/anvil/actions/runs/{number}/jobs/0"


def status(number):
    return {
        "id": number,
        "status": "failure",
        "context": f"tests / go{number} (push)",
        "target_url": target(number),
        "description": "Failing after 1s",
        "created_at": TIME,
    }


def job(number, run):
    """A job of the run with the number `run`, as the server lists those of the run with the id `number`."""
    place = f"http://forge.example{target(run)}"
    return {"id": 70 + number, "run_id": number, "name": f"go{run}", "html_url": place, "conclusion": "failure"}


@pytest.fixture
async def forge(unproxied):
    """A Gitea 1.25 that refuses the list of runs to this token."""
    async with starting() as start:
        server = await start(Server())
        server.answer("GET /api/v1/version", 200, {"version": "1.25.5"})
        server.answer("GET /api/v1/settings/api", 200, {"max_response_items": 50})
        server.answer(f"GET {ROOT}", 200, HOME)
        server.answer(f"GET {ROOT}/pulls/2", 200, PULL)
        server.answer(f"GET {ROOT}/branches/main", 200, {"name": "main", "protected": False})
        server.answer(f"GET {ROOT}/actions/runs", 403, {"message": "user should be the owner of the repo"})
        server.answer(f"GET {ROOT}/actions/tasks", 200, {"workflow_runs": [], "total_count": 0})
        server.answer(f"GET {ROOT}/commits/{HEAD}/status", 200, {"statuses": []})
        yield server


async def ask(forge, folder, tool="get_failing_tests"):
    app = make_app(folder, f'[forges.work]\nkind = "gitea"\nurl = "{forge.url}"\n')
    async with connect(app) as client:
        result = await client.call_tool(tool, {"pr": "smith/anvil#2"})
    assert not result.is_error, result.content[0].text
    return result.structured_content | {"text": result.content[0].text}


def begin(forge, *numbers):
    tasks = [{"id": n, "run_number": n, "head_sha": HEAD, "workflow_id": "go.yml"} for n in numbers]
    forge.answer(f"GET {ROOT}/commits/{HEAD}/status", 200, {"statuses": [status(number) for number in numbers]})
    forge.answer(f"GET {ROOT}/actions/tasks", 200, {"workflow_runs": tasks, "total_count": len(tasks)})


async def test_a_log_that_only_owners_find_says_which_token_reads_it(forge, tmp_path):
    """The answer was a bare "Failing after 1s" (FIX-30)."""
    begin(forge, 9, 10)
    forge.answer(f"GET {ROOT}/actions/runs/9/jobs", 200, {"jobs": []})
    forge.answer(f"GET {ROOT}/actions/runs/10/jobs", 200, {"jobs": [job(10, run=2)]})
    found = await ask(forge, tmp_path)
    why = "only a token of an owner of the repository or of a site administrator finds it on this server"
    assert all(f"Its log was not read: {why}" in one["error_message"] for one in found["failures"])
    assert f"tests / go9 (push): {why}" in found["incomplete"]


async def test_jobs_of_other_runs_are_not_read(forge, tmp_path):
    """The number of every run was taken for its id."""
    begin(forge, 7, 8, 9, 10)
    forge.answer(f"GET {ROOT}/actions/runs/10/jobs", 200, {"jobs": [job(10, run=2)]})
    await ask(forge, tmp_path)
    asked = {target for target in forge.targets if "/jobs" in target}
    assert len(asked) == 1
    assert not any("/logs" in target for target in forge.targets)


async def test_logs_are_read_where_job_numbers_are_ids(forge, tmp_path):
    """In the first repository of a server both count alike (FIX-30)."""
    begin(forge, 1, 2)
    for number in (1, 2):
        forge.answer(f"GET {ROOT}/actions/runs/{number}/jobs", 200, {"jobs": [job(number, run=number)]})
        forge.answer(f"GET {ROOT}/actions/jobs/{70 + number}/logs", 200, LOG, content_type="text/plain")
    found = await ask(forge, tmp_path)
    assert {one["test_name"] for one in found["failures"]} == {"TestOther"}


async def test_without_workflow_files_no_ci_is_configured(forge, tmp_path):
    """Everybody but the owner was told that not all could be read (FIX-30)."""
    found = await ask(forge, tmp_path)
    assert found["message"] == "No CI checks configured"


async def test_with_workflow_files_runs_may_be_missing(forge, tmp_path):
    """A run that no runner took is seen by the owner only (FIX-30)."""
    forge.answer(f"GET {ROOT}/contents/.github/workflows", 200, [{"name": "ci.yml", "type": "file"}])
    found = await ask(forge, tmp_path)
    assert "runs that no runner has taken are missing" in found["message"]


@pytest.fixture
def anonymous(forge):
    """The same Gitea asked without a token: it says 401 of what only some may see, also of a public repository."""
    branch = {"name": "main", "protected": True, "required_approvals": 1, "effective_branch_protection_name": "main"}
    forge.answer(f"GET {ROOT}/branches/main", 200, branch | {"user_can_merge": False})
    for path in ("branch_protections", "actions/runs"):
        forge.answer(f"GET {ROOT}/{path}", 401, {"message": "token is required"})
    for path in ("pulls/2/reviews", "issues/2/dependencies"):
        forge.answer(f"GET {ROOT}/{path}", 200, [])
    return forge


async def test_anonymous_readiness_answers_what_is_public(anonymous, tmp_path):
    """It was a plain 401 (FIX-33)."""
    found = await ask(anonymous, tmp_path, "check_merge_readiness")
    assert {"approvals", "permission"} <= {one["category"] for one in found["blocking_issues"]}


async def test_anonymous_failing_tests_answer_what_is_public(anonymous, tmp_path):
    """The list of runs is refused with 401 as well (FIX-33)."""
    begin(anonymous, 9)
    found = await ask(anonymous, tmp_path)
    assert (found["status"], len(found["failures"])) == ("failed", 1)


@pytest.mark.parametrize(("word", "is_named"), [("queued", True), ("waiting", False)])
async def test_a_job_that_no_runner_takes_is_named_with_its_labels(forge, tmp_path, word, is_named):
    """It was under way for ever, and nothing said for what; Gitea's "waiting" is for other jobs (FIX-33)."""
    forge.answer(f"GET {ROOT}/commits/{HEAD}/status", 200, {"statuses": [status(3) | {"status": "pending"}]})
    run = {"id": 12, "run_number": 3, "status": "queued", "path": "go.yml", "event": "push", "head_sha": HEAD}
    place = "http://forge.example/smith/anvil/actions/runs/3"
    forge.answer(f"GET {ROOT}/actions/runs", 200, {"workflow_runs": [run | {"html_url": place}]})
    row = {"id": 9, "name": "go3", "status": word, "labels": ["gpu", "arm64"], "html_url": f"{place}/jobs/0"}
    forge.answer(f"GET {ROOT}/actions/runs/12/jobs", 200, {"jobs": [row]})
    found = await ask(forge, tmp_path)
    assert ("runner with these labels: go3 (gpu, arm64)" in found["poll_info"]["message"]) is is_named
