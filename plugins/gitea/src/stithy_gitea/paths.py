"""Where things stand in the API. Names are quoted, and a subpath of the server's own URL is the client's business."""

from urllib.parse import quote

from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
from stithy_gitea.addresses import API


def path_of(repository: RepositoryRef) -> str:
    """Write a repository as the path of its API."""
    return f"{API}/repos/{quote(repository.namespace, safe='')}/{quote(repository.name, safe='')}"


def issue_path(issue: IssueRef) -> str:
    """Write an issue, or a pull request as the issue that it is, too."""
    return f"{path_of(issue.repository)}/issues/{issue.number}"


def comment_path(repository: RepositoryRef, comment: str | int) -> str:
    """Write a comment of a conversation: its number is in no part of it."""
    return f"{path_of(repository)}/issues/comments/{comment}"


def resolve_path(pr: PullRequestRef, comment: str, verb: str) -> str:
    """Write what marks an inline comment: `resolve` or `unresolve`."""
    return f"{path_of(pr.repository)}/pulls/comments/{comment}/{verb}"


def pull_path(pr: PullRequestRef) -> str:
    """Write a pull request."""
    return f"{path_of(pr.repository)}/pulls/{pr.number}"


def review_path(pr: PullRequestRef, review: str | int) -> str:
    """Write a review."""
    return f"{pull_path(pr)}/reviews/{review}"
