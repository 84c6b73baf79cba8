"""What is absent, where GitHub says no more than 404: the repository, the number, or only its being what was meant."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

from stithy_core.spi import ForgeError, IssueRef, NotFound, RepositoryRef
from stithy_github.mapping import issue_path, repository_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge

ISSUE = "issue"
PULL_REQUEST = "pull request"
NOT_FOUND = 404

T = TypeVar("T")


async def read_issue(forge: "Forge", subject: IssueRef, *, called: str = ISSUE) -> dict[str, Any]:
    """Read the JSON of an issue, or of a pull request as the issue that it is, too.

    Args:
        forge: Where it is.
        subject: Which.
        called: What the caller takes it for.

    Raises:
        NotFound: It is absent, or its repository is; the two are told apart.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(issue_path(subject), shape=dict)
    except NotFound as error:
        raise await missing_issue(forge, subject, error, called=called) from error
    return raw


async def missing_issue(forge: "Forge", subject: IssueRef, error: NotFound, *, called: str = ISSUE) -> NotFound:
    """Tell a missing repository from a missing number."""
    if not has_status_404(error):
        return error
    named = f"{called} {subject.number}"
    return await missing_in_repository(forge, subject.repository, named, error, remedy="Check the number.")


def has_status_404(error: NotFound) -> bool:
    """Say whether GitHub answered 404, which says nothing; of what is gone or switched off it says so itself."""
    return error.details.get("status") == NOT_FOUND


async def missing_in_repository(
    forge: "Forge", repository: RepositoryRef, named: str, error: ForgeError, *, remedy: str
) -> NotFound:
    """Tell a missing repository from something that it does not have."""
    try:
        await forge.http.get(repository_path(repository), shape=dict)
    except NotFound as missing:
        return missing_repository(forge, repository, missing)
    return NotFound(f"{repository} has no {named}", suggestion=remedy, details=error.details)


def missing_repository(forge: "Forge", repository: RepositoryRef, error: NotFound) -> NotFound:
    """Say that a repository is absent, or hidden: GitHub answers the same for both."""
    return NotFound(
        f"{forge.config.alias} has no repository {repository}, or the token may not see it",
        suggestion="Check the name, and that the token's user, and the token itself, may read it.",
        details=error.details,
    )


async def read_from_pull_request(forge: "Forge", pr: IssueRef, reading: Awaitable[T]) -> T:
    """Read something of a pull request.

    Raises:
        NotFound: It is absent, or its repository is, or the number is an issue's; they are told apart.
    """
    try:
        return await reading
    except NotFound as error:
        raise await missing_pull_request(forge, pr, error) from error


async def missing_pull_request(forge: "Forge", pr: IssueRef, error: NotFound) -> NotFound:
    """Say why there is no pull request of a number: it may be an issue's."""
    try:
        issue = await read_issue(forge, pr, called=PULL_REQUEST)
    except NotFound as missing:
        return missing
    if "pull_request" not in issue:
        remedy = "Use the tools for issues, or another number."
        return NotFound(f"{pr} is an issue, not a pull request", suggestion=remedy, details=error.details)
    # What was just made may be absent for a moment (docs/forge-behaviour/github.md#errors).
    return NotFound(f"{pr} is not ready yet", suggestion="Try again.", retry_after=2, details=error.details)
