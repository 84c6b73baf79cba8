"""Paths of the API. Names are quoted; the HTTP client adds a subpath of the server's URL."""

from urllib.parse import quote

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
from stithy_gitea.addresses import API


def path_of(repository: RepositoryRef) -> str:
    """Return the path of a repository."""
    return f"{API}/repos/{quote(repository.namespace, safe='')}/{quote(repository.name, safe='')}"


def issue_path(issue: IssueRef) -> str:
    """Return the path of an issue, or of the issue that backs a pull request."""
    return f"{path_of(issue.repository)}/issues/{issue.number}"


def comment_path(repository: RepositoryRef, comment: str | int) -> str:
    """Return the path of a comment; it does not contain the number of the issue."""
    return f"{path_of(repository)}/issues/comments/{comment}"


def resolve_path(pr: PullRequestRef, comment: str, verb: str) -> str:
    """Return the path that resolves or unresolves the thread of an inline comment."""
    return f"{path_of(pr.repository)}/pulls/comments/{comment}/{verb}"


def pull_path(pr: PullRequestRef) -> str:
    """Return the path of a pull request."""
    return f"{path_of(pr.repository)}/pulls/{pr.number}"


def review_path(pr: PullRequestRef, review: str | int) -> str:
    """Return the path of a review."""
    return f"{pull_path(pr)}/reviews/{review}"
