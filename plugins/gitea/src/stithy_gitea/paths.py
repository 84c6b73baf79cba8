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


def pull_path(pr: PullRequestRef) -> str:
    """Write a pull request."""
    return f"{path_of(pr.repository)}/pulls/{pr.number}"
