"""Answers that gitlab.com gave from 2019 to 2024, read in place beside the project: none fails, and fields are kept."""

import json
from pathlib import Path

import pytest

from stithy_core.spi import RepositoryRef
from stithy_gitlab import GitLabNames
from stithy_gitlab.gitlab_changes import to_commit
from stithy_gitlab.gitlab_mapping import to_comment, to_issue, to_merge_request

RECORDED = Path(__file__).parents[3] / "shared/recordings/gitlab/recorded"
ANVIL = RepositoryRef("smith", "anvil")
pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="it needs ../shared/recordings beside the project")


def read_rows(*fields):
    """Return the objects of all answers that have these fields."""
    bodies = [json.loads(path.read_text()) for path in sorted(RECORDED.glob("get-200-*.json"))]
    rows = [row for body in bodies for row in (body if isinstance(body, list) else [body])]
    found = [row for row in rows if isinstance(row, dict) and set(fields) <= row.keys()]
    assert found
    return found


def test_merge_requests_are_read_with_their_heads_and_states():
    for raw in read_rows("source_branch", "iid", "created_at"):
        pull = to_merge_request(raw, ANVIL, GitLabNames(), head=None, archived=False)
        assert (pull.ref.number, pull.title, pull.url) == (raw["iid"], raw["title"], raw["web_url"])
        assert (pull.head.branch, pull.head.commit) == (raw["source_branch"], raw["sha"] or "")
        assert pull.merged is (raw["state"] == "merged")


def test_issues_are_read_with_their_labels():
    for raw in read_rows("confidential", "iid", "title"):
        issue = to_issue(raw, ANVIL)
        assert (issue.ref.number, issue.title, issue.author.login) == (
            raw["iid"],
            raw["title"],
            raw["author"]["username"],
        )
        assert [label.name for label in issue.labels] == raw["labels"]


def test_notes_are_read_as_comments():
    for raw in read_rows("noteable_id", "body"):
        comment = to_comment(raw, "https://gitlab.example/a/b/-/issues/1", "https://gitlab.example/notes")
        assert (comment.id, comment.body, comment.author.login) == (
            str(raw["id"]),
            raw["body"],
            raw["author"]["username"],
        )


def test_commits_are_read_with_their_parents():
    for raw in read_rows("parent_ids", "author_name", "committed_date"):
        commit = to_commit(raw)
        assert (commit.sha, commit.parents) == (raw["id"], tuple(raw["parent_ids"]))
