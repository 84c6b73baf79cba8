"""A section of the demo: a merge request on GitLab, on the contract double of the tests, on the loopback."""

import sys
import tempfile
from pathlib import Path

from demo.host import Host, run_server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from conformance_history import write_conformance_history
from git_forge import Workshop
from gitlab_double.gitlab_server import NAME, GitLabServer, serve_gitlab
from gitlab_double.gitlab_world import SMITH_TOKEN, USERS

TRACE = b"$ pytest\nFAILED tests/test_bell.py::test_ring - assert 1 == 2\n1 failed in 0.01s\n"
REMARK = "Does it ring twice?"


async def show_merge_request(host: Host) -> None:
    """Read a merge request: what is unresolved, which test fails, and what the merge waits for."""
    host.title("A merge request on GitLab: its open thread, its failing test, and what the merge waits for")
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        folder = Path(name)
        write_conformance_history(Workshop(folder, NAME))
        with serve_gitlab(folder) as served:
            page = build(served)
            text = f'[forges.work]\nkind = "gitlab"\nurl = "{served.url}"\ntoken = {{ env = "WORK_TOKEN" }}\n'
            (folder / "stithy.toml").write_text(text, encoding="utf-8")
            environ = {"STITHY_CONFIG": str(folder / "stithy.toml"), "WORK_TOKEN": SMITH_TOKEN}
            async with run_server(environ, folder) as server:
                left = await server.call("find_unresolved_comments", pr=page)
                failing = await server.call("get_failing_tests", pr=page)
                ready = await server.call("check_merge_readiness", pr=page)
    bodies = [row["body"] for row in left.data.get("comments", ()) if row["type"] == "review_comment"]
    host.expect(bodies == [REMARK], "the open thread is found")
    names = [row.get("test_name") for row in failing.data.get("failures", ())]
    host.expect(names == ["tests/test_bell.py::test_ring"], "the trace of the job has the test's own name")
    blockers = {row["category"] for row in ready.data.get("blocking_issues", ())}
    host.expect({"conversations", "checks_failing", "approvals"} <= blockers, "each blocker is named")


def build(served: GitLabServer) -> str:
    """Create a merge request that a thread, a failed job and a missing approval block; return its URL."""
    world = served.world
    world.enterprise = True
    home = world.add_project(NAME)
    home.settings |= {"only_allow_merge_if_pipeline_succeeds": True}
    home.settings |= {"only_allow_merge_if_all_discussions_are_resolved": True}
    merge = world.add_merge_request(home, "Greet", "greet", approvals_required=1, reviewers=[USERS["bob"]])
    merge["reviewer_states"] = [{"user": USERS["bob"], "state": "unreviewed", "created_at": merge["created_at"]}]
    world.add_note(merge, REMARK, "bob", position=world.place(merge, "hello.py", 2))
    run = world.add_pipeline(home, merge["sha"], source="merge_request_event", ref="refs/merge-requests/1/head")
    world.add_job(home, run, "unit tests", trace=TRACE, failure_reason="script_failure")
    return f"{served.url}/{NAME}/-/merge_requests/1"
