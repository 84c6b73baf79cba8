"""The rows of lists of issues and pull requests: short, since other tools read the rest by its number."""

from datetime import datetime
from typing import Any

from attrs import frozen

from stithy_comments.text_format import format_line, format_time
from stithy_core.spi import BranchRef, Issue, Maybe, Page, PullRequest, excerpt

MOST_TITLE = 120


@frozen(kw_only=True)
class IssueRow:
    """An issue in a list."""

    number: int
    title: str
    state: str
    author: str
    labels: tuple[str, ...]
    comments: Maybe[int]
    created_at: datetime
    updated_at: datetime
    url: str

    def format_line_with(self, facts: str) -> str:
        """Format the row as a line; `facts` is the part between title and dates."""
        marks = f" [{', '.join(self.labels)}]" if self.labels else ""
        comments = f", comments: {self.comments}" if isinstance(self.comments, int) and self.comments else ""
        title = excerpt(self.title, MOST_TITLE)
        return format_line(
            f"- #{self.number} {title}{marks}: {facts}{comments}, updated {format_time(self.updated_at)}"
        )


@frozen(kw_only=True)
class PullRequestRow(IssueRow):
    """A pull request in a list.

    Args:
        head: The head branch; from a fork, `owner:branch`.
        from_fork: Whether it comes from a fork, also from a deleted one.
        base: The base branch.
    """

    head: str
    from_fork: bool
    base: str
    draft: Maybe[bool]
    merged: bool

    def format_state(self) -> str:
        """Return the state in one or two words: `open draft`, `merged`."""
        state = "merged" if self.merged else self.state
        return f"{state} draft" if self.draft is True else state


def collect_issue_fields(issue: Issue) -> dict[str, Any]:
    """Return the fields of `Row` by name."""
    return {
        "number": issue.ref.number,
        "title": issue.title,
        "state": issue.state,
        "author": issue.author.login,
        "labels": tuple(label.name for label in issue.labels),
        "comments": issue.comment_count,
        "created_at": issue.created_at,
        "updated_at": issue.updated_at,
        "url": issue.url,
    }


def create_pull_request_row(pull: PullRequest) -> PullRequestRow:
    """Create the row of a pull request."""
    return PullRequestRow(
        **collect_issue_fields(pull),
        head=_branch(pull.head, pull),
        from_fork=pull.from_fork,
        base=pull.base.branch,
        draft=pull.draft,
        merged=pull.merged,
    )


def _branch(head: BranchRef, pull: PullRequest) -> str:
    return f"{head.repository.namespace}:{head.branch}" if pull.from_fork and head.repository else head.branch


def format_heading(rows: Page[Any], what: str, repository: str) -> str:
    """Format the first line of a list; `what` names the items, such as `open issues`."""
    what = what.removeprefix("all ")
    shown = sum(1 for _ in rows)
    if not shown:
        return f"No {'more ' if rows.total else ''}{what} in {repository}"
    whole = "" if rows.total is None else f" of {rows.total:,}"
    return f"{shown}{whole} {what} in {repository}, newest first"
