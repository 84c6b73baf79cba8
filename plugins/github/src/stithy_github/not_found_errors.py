"""Errors that say what is missing: GitHub answers 404 for a repository, a number and a part of it alike."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from stithy_core.spi import ForgeError, IssueRef, NotFound, RepositoryRef, raise_explained
from stithy_github.mapping import issue_path, repository_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge

ISSUE = "issue"
PULL_REQUEST = "pull request"
NOT_FOUND = 404

T = TypeVar("T")


async def read_issue(forge: "Forge", subject: IssueRef, *, kind: str = ISSUE) -> dict[str, Any]:
    """Return the JSON of an issue; for a pull request's number, of the issue that backs it.

    Args:
        forge: The forge.
        subject: The issue.
        kind: What the caller expects: "issue" or "pull request".

    Raises:
        NotFound: The issue or its repository is missing; the error says which.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(issue_path(subject), shape=dict)
    except NotFound as error:
        raise_explained(await missing_issue(forge, subject, error, kind=kind), error)
    return raw


async def missing_issue(forge: "Forge", subject: IssueRef, error: NotFound, *, kind: str = ISSUE) -> NotFound:
    """Return the error of a missing issue or of a missing repository."""
    if not has_status_404(error):
        return error
    name = f"{kind} {subject.number}"
    return await missing_in_repository(forge, subject.repository, name, error, remedy="Check the number.")


def has_status_404(error: NotFound) -> bool:
    """Return whether GitHub answered 404, without a reason; for a deleted or disabled target it gives one."""
    return error.details.get("status") == NOT_FOUND


async def missing_in_repository(
    forge: "Forge", repository: RepositoryRef, name: str, error: ForgeError, *, remedy: str
) -> NotFound:
    """Return the error of a missing repository, or of something that the repository lacks."""
    try:
        await forge.http.get(repository_path(repository), shape=dict)
    except NotFound as missing:
        return missing_repository(forge, repository, missing)
    return NotFound(f"{repository} has no {name}", suggestion=remedy, details=error.details)


def missing_repository(forge: "Forge", repository: RepositoryRef, error: NotFound) -> NotFound:
    """Return the error of a missing or hidden repository: GitHub does not distinguish them."""
    return NotFound(
        f"{forge.config.alias} has no repository {repository}, or the token may not see it",
        suggestion="Check the name, and that the token's user, and the token itself, can read it.",
        details=error.details,
    )


async def read_from_pull_request(forge: "Forge", pr: IssueRef, reading: Awaitable[T]) -> T:
    """Await a read of a part of a pull request.

    Raises:
        NotFound: The pull request or its repository is missing, or the number is an issue's; the error says which.
    """
    try:
        return await reading
    except NotFound as error:
        raise await missing_pull_request(forge, pr, error) from error


async def missing_pull_request(forge: "Forge", pr: IssueRef, error: NotFound) -> NotFound:
    """Return the error of a missing pull request; its number may be an issue's."""
    try:
        issue = await read_issue(forge, pr, kind=PULL_REQUEST)
    except NotFound as missing:
        return missing
    if "pull_request" not in issue:
        remedy = "Use the tools for issues, or another number."
        return NotFound(f"{pr} is an issue, not a pull request", suggestion=remedy, details=error.details)
    # A pull request that was just created may be missing for a moment (docs/forge-behaviour/github.md#errors).
    return NotFound(f"{pr} is not ready yet", suggestion="Try again.", retry_after=2, details=error.details)
