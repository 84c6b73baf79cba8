"""The objects in GitHub's answers that a mapper of the plugin reads, told by their fields."""

from attrs import frozen

from github_recorded import ran, said
from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
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

    fields: frozenset
    read: object
    expected: object


def _as_issue(row):
    asked = RepositoryRef(*row["url"].split("/")[-4:-2])
    return to_issue(row, IssueRef(asked, row["number"]))


def _as_pull(row):
    return to_pull_request(row, PullRequestRef(ASKED, row["number"]))


def _as_commented(row):
    return to_events([{"event": "commit-commented", "commit_id": row["commit_id"], "comments": [row]}])


def _shape(fields, read, expected):
    return Shape(frozenset(fields.split()), read, expected)


SHAPES = {
    "pull request": _shape("number title head base merge_commit_sha", _as_pull, said.pull),
    "issue": _shape("number title state comments_url events_url", _as_issue, said.issue),
    "review comment": _shape("diff_hunk body path", to_review_comment, said.review_comment),
    "commit comment": _shape("commit_id body position line", _as_commented, said.commit_comment),
    "comment": _shape("issue_url body user", to_comment, said.comment),
    "review": _shape("state commit_id pull_request_url", to_review, said.review),
    "event": _shape("event actor commit_id", lambda row: to_events([row]), said.event),
    "repository": _shape("full_name default_branch", to_repository, ran.repository),
    "repository's name": _shape("full_name", to_repository_ref, said.name),
    "commit": _shape("sha commit parents", to_commit, ran.commit),
    "file": _shape("filename status additions", lambda row: to_file(row, patches=True), ran.file),
    "status": _shape("context state target_url", to_status, ran.status),
    "check run": _shape("conclusion output started_at", to_check_run, ran.check_run),
    "annotation": _shape("annotation_level message", to_annotation, ran.annotation),
    "label": _shape("color name default", to_label, said.label),
    "account": _shape("login id avatar_url", to_user, said.account),
}
"""What stands first is meant where the fields of several are there."""


def find_shape(row):
    """Return the name of an object's shape; empty where no mapper reads such an object."""
    return next((name for name, shape in SHAPES.items() if shape.fields <= row.keys()), "")
