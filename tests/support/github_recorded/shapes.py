"""The objects in GitHub's responses that a mapper of the plugin reads, identified by their fields."""

from collections.abc import Callable
from typing import Any

from attrs import frozen

from github_recorded import code_models, conversation_models
from stithy_core.spi import Issue, IssueRef, PullRequest, PullRequestRef, RepositoryRef
from stithy_github.changes_mapping import to_commit, to_file, to_repository
from stithy_github.checks_mapping import to_annotation, to_check_run, to_status
from stithy_github.comments_mapping import to_comment, to_review, to_review_comment
from stithy_github.issues_mapping import to_issue, to_pull_request
from stithy_github.mapping import to_label, to_repository_ref, to_user
from stithy_github.timeline_mapping import to_events

ASKED = RepositoryRef("as", "asked")


@frozen
class Shape:
    """A kind of object: the fields that tell it, what reads it, and what has to come of it."""

    fields: frozenset[str]
    read: Callable[[dict[str, Any]], Any]
    expected: Callable[[dict[str, Any]], Any]


def _as_issue(row: dict[str, Any]) -> Issue:
    asked = RepositoryRef(*row["url"].split("/")[-4:-2])
    return to_issue(row, IssueRef(asked, row["number"]))


def _as_pull(row: dict[str, Any]) -> PullRequest:
    return to_pull_request(row, PullRequestRef(ASKED, row["number"]))


def _as_commented(row: dict[str, Any]) -> Any:
    return to_events([{"event": "commit-commented", "commit_id": row["commit_id"], "comments": [row]}])


def _shape(fields: str, read: Callable[[dict[str, Any]], Any], expected: Callable[[dict[str, Any]], Any]) -> Shape:
    return Shape(frozenset(fields.split()), read, expected)


SHAPES = {
    "pull request": _shape("number title head base merge_commit_sha", _as_pull, conversation_models.pull),
    "issue": _shape("number title state comments_url events_url", _as_issue, conversation_models.issue),
    "review comment": _shape("diff_hunk body path", to_review_comment, conversation_models.review_comment),
    "commit comment": _shape("commit_id body position line", _as_commented, conversation_models.commit_comment),
    "comment": _shape("issue_url body user", to_comment, conversation_models.comment),
    "review": _shape("state commit_id pull_request_url", to_review, conversation_models.review),
    "event": _shape("event actor commit_id", lambda row: to_events([row]), conversation_models.event),
    "repository": _shape("full_name default_branch", to_repository, code_models.repository),
    "repository's name": _shape("full_name", to_repository_ref, conversation_models.name),
    "commit": _shape("sha commit parents", to_commit, code_models.commit),
    "file": _shape("filename status additions", lambda row: to_file(row, patches=True), code_models.file),
    "status": _shape("context state target_url", to_status, code_models.status),
    "check run": _shape("conclusion output started_at", to_check_run, code_models.check_run),
    "annotation": _shape("annotation_level message", to_annotation, code_models.annotation),
    "label": _shape("color name default", to_label, conversation_models.label),
    "account": _shape("login id avatar_url", to_user, conversation_models.account),
}
"""What stands first is meant where the fields of several are there."""


def find_shape(row: dict[str, Any]) -> str:
    """Return the name of an object's shape; empty where no mapper reads such an object."""
    return next((name for name, shape in SHAPES.items() if shape.fields <= row.keys()), "")
