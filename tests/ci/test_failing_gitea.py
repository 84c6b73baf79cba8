"""get_failing_tests on real servers, whose workflow a runner really ran (tests/support/runner.py)."""

import base64

import pytest
from ci_play import failing
from runner import Runner
from worlds import pull_request_of

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

WORLD = "failing"
GITEA_ONLY = "the runner is Gitea's and was not tried on a Forgejo"
OURS, THEIRS, FILED = "tests/test_a.py::test_ours", "tests/test_a.py::test_theirs", "tests/test_f.py::test_filed"
JUNIT = (
    '<testsuite name="pytest" tests="1" failures="1"><testcase classname="tests.test_f" name="test_filed"'
    ' file="tests/test_f.py" line="3"><failure message="assert 1 == 2">E</failure></testcase></testsuite>'
)
WORKFLOW = """\
name: tests
on: pull_request
jobs:
  unit:
    runs-on: host
    steps:
      - run: |
          cat <<'LOG'
{log}
          LOG
          exit 1
  filed:
    runs-on: host
    steps:
      - run: |
          echo '{junit}' > "$ARTIFACT"
          exit 1
  lint:
    runs-on: host
    steps:
      - {{run: echo clean}}
  after:
    needs: unit
    runs-on: host
    steps:
      - {{run: echo never}}
"""


def workflow(*tests):
    log = "\n".join(f"          {line}" for line in failing(*tests).splitlines())
    return base64.b64encode(WORKFLOW.format(log=log, junit=JUNIT).encode()).decode()


def make(lab):
    """Let what fails on #2 fail on #1 before, which is merged as it was tested."""
    registration = lab.setup("POST", f"/repos/{lab.repository}/actions/runners/registration-token").json()["token"]
    runner, path = Runner(lab.url, registration), f"/repos/{lab.repository}/contents/.gitea/workflows/tests.yml"
    first = {"content": workflow(THEIRS), "message": "Test", "branch": "main", "new_branch": "first"}
    made = lab.setup("POST", path, first).json()
    pulls = f"/repos/{lab.repository}/pulls"
    lab.setup("POST", pulls, {"title": "Test", "head": "first", "base": "main"})
    runner.work(3)
    lab.setup("POST", f"{pulls}/1/merge", {"Do": "fast-forward-only"})
    second = {"content": workflow(OURS, THEIRS), "message": "Change", "branch": "main", "new_branch": "change"}
    lab.setup("PUT", path, second | {"sha": made["content"]["sha"]})
    lab.setup("POST", pulls, {"title": "Change", "head": "change", "base": "main"})
    runner.work(3)


async def find(world, **arguments):
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{world.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    app = make_app(world.folder, settings, environ={"LAB_TOKEN": world.token})
    async with connect(app) as client:
        given = {"pr": str(pull_request_of(world, 2))} | arguments
        result = await client.call_tool("get_failing_tests", given)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def test_what_failed_is_read_from_logs_and_result_files(world):
    found = await find(world)
    entries = {entry["test_name"]: entry for entry in found["failures"]}
    assert (found["status"], set(entries)) == ("failed", {OURS, THEIRS, FILED})
    assert entries[OURS]["source"] == "log"
    assert entries[OURS]["check_name"] == "tests / unit (pull_request)"
    assert (entries[FILED]["source"], entries[FILED]["file_path"]) == ("artifact", "tests/test_f.py")
    assert found["ci_info"]["workflow_name"] == "tests.yml"
    assert found["instructions"]["commands"] == [f"pytest {FILED} {OURS} {THEIRS}"]


async def test_what_failed_on_the_base_branch_is_marked(world):
    found = await find(world, compare_base=True)
    assert {entry["test_name"]: entry["pre_existing"] for entry in found["failures"]} == {
        FILED: True,
        OURS: False,
        THEIRS: True,
    }


async def test_a_job_that_was_skipped_fails_nothing(world):
    found = await find(world)
    assert found["checks"]["by_verdict"] == {"failed": 2, "passed": 1, "skipped": 1}
