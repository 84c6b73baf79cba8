"""get_failing_tests on a Forgejo 14, which gives neither jobs nor logs, from exchanges that a real one had."""

from urllib.parse import urlsplit

import pytest
import yaml
from lab import CASSETTES

from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

RECORDING = CASSETTES / "forgejo-14" / "99-a-workflow-that-fails.yaml"

NO_ROWS = '{"statuses": [], "workflow_runs": []}'
"""A page behind the last one."""


def answer(body, status=200):
    return {"status": {"code": status}, "headers": {"Content-Type": ["application/json"]}, "body": {"string": body}}


def tape_of():
    """Return the last answer at each path, for our queries; another client asked there, with other pages."""
    rows = yaml.safe_load(RECORDING.read_text(encoding="utf-8"))["interactions"]
    last = {urlsplit(row["request"]["uri"]).path: row["response"] for row in rows}
    commit = next(path for path in last if path.endswith("/status")).split("/")[-2]
    queries = {"/status": "?page=1", "/actions/runs": f"?page=1&head_sha={commit}"}
    tape = Tape()
    for path, response in last.items():
        query = next((query for end, query in queries.items() if path.endswith(end)), "")
        tape.add({"method": "GET", "uri": path + query, "body": ""}, response)
        if query:
            tape.add({"method": "GET", "uri": path + query.replace("page=1", "page=2"), "body": ""}, answer(NO_ROWS))
    tape.add({"method": "GET", "uri": "/api/forgejo/v1/version", "body": ""}, answer('{"version": "14.0.0"}'))
    tape.add({"method": "GET", "uri": "/api/v1/settings/api", "body": ""}, answer("{}"))
    home = next(path for path in last if path.endswith("/pulls/1")).removesuffix("/pulls/1")
    forbidden = answer('{"message": "must be a repository administrator"}', 403)
    for path in ("/branches/main", "/branch_protections"):
        tape.add({"method": "GET", "uri": home + path, "body": ""}, forbidden)
    return tape, home.removeprefix("/api/v1/repos/")


async def test_failed_jobs_have_their_names_and_it_is_said_that_there_are_no_logs(tmp_path):
    tape, repository = tape_of()
    with playback(tape) as url:
        app = make_app(tmp_path, f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')
        async with connect(app) as client:
            result = await client.call_tool("get_failing_tests", {"pr": f"{repository}#1"})
    found = result.structured_content
    assert not result.is_error, result.content[0].text
    assert not tape.missed
    assert found["status"] == "failed"
    assert [(entry["test_name"], entry["confidence"]) for entry in found["failures"]] == [
        ("tests / unit (pull_request)", "low"),
        ("tests / unit (push)", "low"),
    ]
    assert "forgejo 14.0.0 does not have it" in found["incomplete"][0]
    assert {row["verdict"] for row in found["runs"]} == {"failed"}
