"""Every mapper on all that real servers ever answered, in exchanges outside of the project (shared/recordings)."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from stithy_core.spi import BranchRules, Unknown, Verdict
from stithy_gitea.actions_mapping import to_artifact, to_job, to_run, to_unnamed_run
from stithy_gitea.changes_mapping import to_commit, to_file_change, to_repository
from stithy_gitea.checks_mapping import to_check
from stithy_gitea.rules import to_rules

RECORDINGS = Path(__file__).parents[3] / "shared" / "recordings"
SERVERS = ["gitea-1.25", "gitea-1.26", "gitea-1.27", "forgejo-14"]
URL = "https://forge.example"
NUMBER = r"/\d+"

pytestmark = pytest.mark.skipif(not RECORDINGS.is_dir(), reason="it needs ../shared/recordings beside the project")


@cache
def answers(server):
    """Give the path below a repository, and the JSON, of each success."""
    found = []
    for path in sorted((RECORDINGS / server).glob("*.yaml")):
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for row in yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]:
            place = re.search(r"/api/v1/repos/[^/]+/[^/?]+([^?]*)", row["request"]["uri"])
            if place and row["response"]["status"]["code"] in {200, 201}:
                try:
                    found.append((place[1], json.loads(row["response"]["body"]["string"] or "null")))
                except ValueError:  # a diff or a log
                    continue
    return found


def rows(server, pattern, field=""):
    """Give each thing that was read where a pattern matches."""
    for place, body in answers(server):
        if re.fullmatch(pattern, place):
            listed = body[field] if field else body
            yield from listed if isinstance(listed, list) else [listed] if listed else []


pytest_servers = pytest.mark.parametrize("server", SERVERS)


@pytest_servers
def test_repositories(server):
    found = [(to_repository(row), row) for row in rows(server, "")]
    assert found
    for read, row in found:
        assert (str(read.ref), read.default_branch, read.private) == (
            row["full_name"],
            row["default_branch"],
            row["private"],
        )


@pytest_servers
def test_files(server):
    found = [(to_file_change(row), row) for row in rows(server, rf"/pulls{NUMBER}/files")]
    assert found
    for read, row in found:
        assert (read.path, read.additions, read.deletions) == (row["filename"], row["additions"], row["deletions"])
        assert read.status in {"added", "modified", "deleted", "renamed", "copied"}


@pytest_servers
def test_commits(server):
    found = [(to_commit(row), row) for row in rows(server, rf"/pulls{NUMBER}/commits")]
    assert found
    for read, row in found:
        assert (read.sha, read.author_name) == (row["sha"], row["commit"]["author"]["name"])
        assert read.committed_at.utcoffset().total_seconds() == 0


@pytest_servers
def test_statuses(server):
    found = [
        (to_check(row, URL), row)
        for pattern, field in ((r"/commits/[^/]+/status", "statuses"), (r"/commits/[^/]+/statuses", ""))
        for row in rows(server, pattern, field)
    ]
    assert {row["status"] for _, row in found} >= {"pending", "success", "failure", "error", "warning"}
    for read, row in found:
        assert (read.name, read.id, read.raw) == (row["context"], str(row["id"]), row["status"])
        assert isinstance(read.verdict, Verdict) or row["status"] in {"", "banana"}


@pytest_servers
def test_runs(server):
    listed = [*rows(server, "/actions/runs", "workflow_runs"), *rows(server, rf"/actions/runs{NUMBER}")]
    assert listed
    for read, row in ((to_run(row), row) for row in listed):
        assert (read.id, read.name, read.commit) == (
            str(row["id"]),
            "tests.yml",
            row.get("head_sha") or row["commit_sha"],
        )
        assert isinstance(read.verdict, Verdict)
        assert read.started_at is None or read.started_at.year > 1970


@pytest_servers
def test_tasks(server):
    listed = list(rows(server, "/actions/tasks", "workflow_runs"))
    assert listed
    for read, row in ((to_unnamed_run(row), row) for row in listed):
        assert (read.id, read.number, read.commit) == ("", row["run_number"], row["head_sha"])
        assert isinstance(read.verdict, Unknown)


@pytest.mark.parametrize("server", SERVERS[:-1])
def test_jobs(server):
    listed = [*rows(server, rf"/actions/runs{NUMBER}/jobs", "jobs"), *rows(server, rf"/actions/jobs{NUMBER}")]
    assert listed
    for read, row in ((to_job(row, ""), row) for row in listed):
        assert (read.id, read.run, read.name) == (str(row["id"]), str(row["run_id"]), row["name"])
        assert len(read.steps) == len(row["steps"] or ())
        assert all(isinstance(step.verdict, Unknown) for step in read.steps)


@pytest_servers
def test_branches_and_their_rules(server):
    rules = list(rows(server, "/branch_protections"))
    branches = [to_rules(row, None) for row in rows(server, r"/branches/[^/]+")]
    assert rules
    assert branches
    assert all(isinstance(to_rules(row, row).binds_admins, bool) for row in rules)
    assert BranchRules.none() not in branches


def test_what_is_missing_or_new_breaks_no_mapper():
    assert to_artifact({"id": 1}).size == 0
    assert to_check({"context": None, "status": None, "creator": None}, URL).name == ""
    assert isinstance(to_run({"id": 1, "status": "completed", "conclusion": None}).verdict, Unknown)
    assert isinstance(to_job({"id": 1, "status": "levitating", "steps": None}, "7").verdict, Unknown)
    assert to_commit({"sha": "1", "commit": None, "author": None, "parents": None}).parents == ()
    assert to_file_change({"filename": "x", "status": "conjured"}).status == "conjured"
    assert to_repository({"full_name": "a/b", "permissions": None}).ref.name == "b"
