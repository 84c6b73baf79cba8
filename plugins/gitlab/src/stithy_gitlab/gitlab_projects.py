"""Paths of the API, and requests about projects, issues and merge requests, with errors that name what is missing."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from stithy_core.spi import (
    Archived,
    Forbidden,
    ForgeError,
    IssueRef,
    Listing,
    Locked,
    Maybe,
    Moved,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    Unauthorized,
    Unknown,
    Unsupported,
    map_concurrently,
    or_unknown,
    raise_explained,
)
from stithy_gitlab.gitlab_account import explain_unauthorized
from stithy_gitlab.gitlab_mapping import Json, is_merge_request, to_repository_ref

if TYPE_CHECKING:
    from stithy_core.spi import Forge

T = TypeVar("T")

PAGE = 100
"""The largest page that GitLab returns."""
NO_PROJECT = "Project Not Found"


def project_path(repository: RepositoryRef) -> str:
    """Return the path of a project: its whole name is one quoted segment."""
    return f"/projects/{quote(str(repository), safe='')}"


def subject_path(subject: IssueRef) -> str:
    """Return the path of an issue or a merge request."""
    kind = "merge_requests" if is_merge_request(subject) else "issues"
    return f"{project_path(subject.repository)}/{kind}/{subject.number}"


def describe_subject(subject: IssueRef) -> str:
    """Return the words for an issue or a merge request within its project."""
    return f"{'merge request' if is_merge_request(subject) else 'issue'} {subject.number}"


def missing_project(forge: "Forge", repository: RepositoryRef, error: NotFound) -> NotFound:
    """Return the error for a project that is absent, or that the token may not see: GitLab answers both alike."""
    return NotFound(
        f"{forge.config.alias} has no repository {repository}, or the token may not see it",
        suggestion="Check the name, and that the token's user is a member of the project if it is private.",
        details=error.details,
    )


@asynccontextmanager
async def name_missing(forge: "Forge", repository: RepositoryRef, what: str = "") -> AsyncIterator[None]:
    """Name what is missing in the error of a 404: the project, or `what` within it; and what a job's token lacks."""
    try:
        yield
    except Unauthorized as error:
        raise_explained(await explain_unauthorized(forge, error), error)
    except NotFound as error:
        if NO_PROJECT in str(error.details.get("message")) or not what:
            raise missing_project(forge, repository, error) from error
        remedy = "Check the number, and that the token may see it."
        raise NotFound(f"{repository} has no {what}", suggestion=remedy, details=error.details) from error


async def read_project(forge: "Forge", repository: RepositoryRef) -> Json:
    """Read a project's JSON; a moved one is followed.

    Raises:
        NotFound: It is absent, or hidden from this token.
    """
    async with name_missing(forge, repository):
        raw: Json = await forge.http.get(project_path(repository), shape=dict)
    return raw


async def read_if_allowed(read: Awaitable[T]) -> Maybe[T]:
    """Return what was read, or why it could not be; public projects refuse some lists to readers without a token."""
    return await or_unknown(read, on=(Unsupported, Forbidden, NotFound, Unauthorized))


async def find_project_name(forge: "Forge", number: int | None) -> RepositoryRef | None:
    """Return the name of a project by its number; None if it was deleted, or the token may not see it."""
    if number is None:
        return None
    read = or_unknown(forge.once(("project", number), lambda: forge.http.get(f"/projects/{number}", shape=dict)))
    raw = await read
    return None if isinstance(raw, Unknown) else to_repository_ref(raw["path_with_namespace"])


async def read_subject(forge: "Forge", subject: IssueRef, **query: Any) -> Json:
    """Read the JSON of an issue or a merge request.

    Raises:
        NotFound: The project or the number is absent; the message says which.
    """
    async with name_missing(forge, subject.repository, describe_subject(subject)):
        raw: Json = await forge.http.get(subject_path(subject), shape=dict, **query)
    return raw


async def list_subject_rows(forge: "Forge", subject: IssueRef, below: str, **query: Any) -> Listing[Any]:
    """Read a list below an issue or a merge request, on all pages."""
    async with name_missing(forge, subject.repository, describe_subject(subject)):
        return await forge.http.items(f"{subject_path(subject)}/{below}", size=PAGE, **page_query(), **query)


async def read_together(*reads: Callable[[], Awaitable[Any]]) -> Sequence[Any]:
    """Return the results of several reads that run concurrently, in their order."""
    return await map_concurrently(reads, _call)


def _call(read: Callable[[], Awaitable[Any]]) -> Awaitable[Any]:
    return read()


def page_query() -> dict[str, Any]:
    """Return the query for full pages."""
    return {"per_page": PAGE}


async def read_metadata(forge: "Forge") -> Json:
    """Read the version and the edition; servers before 15.2 have only the version."""
    try:
        raw: Json = await forge.once("metadata", lambda: forge.http.get("/metadata", shape=dict), by_token=False)
    except NotFound:
        return await forge.once("old version", lambda: forge.http.get("/version", shape=dict), by_token=False)
    return raw


async def is_enterprise(forge: "Forge") -> Maybe[bool]:
    """Return whether the server runs the Enterprise Edition; unknown to anonymous readers and before 15.6."""
    raw = await or_unknown(read_metadata(forge), on=(NotFound, Forbidden, Unauthorized))
    if isinstance(raw, Unknown):
        return raw
    found = raw.get("enterprise")
    return found if isinstance(found, bool) else Unknown("this version of GitLab does not report its edition")


@asynccontextmanager
async def explain_refused_write(forge: "Forge", subject: IssueRef) -> AsyncIterator[None]:
    """Raise the reason why a conversation rejects a write: GitLab answers 403 for an archive, a lock and a role alike.

    Raises:
        Archived: The project is archived.
        Locked: The conversation is locked.
        Moved: The project has another name now; nothing was written.
    """
    try:
        yield
    except Moved as error:
        project = await or_unknown(read_project(forge, subject.repository))
        if isinstance(project, Unknown):
            raise
        present = project["path_with_namespace"]
        if present == str(subject.repository):  # the answer led elsewhere, such as to another host
            raise
        text = f"{subject.repository} is called {present} now; nothing was written"
        raise Moved(text, suggestion=f"Call again with {present}.", details=error.details) from error
    except Unauthorized as error:
        raise_explained(await explain_unauthorized(forge, error), error)
    except Forbidden as error:
        raise_explained(await _explain_refusal(forge, subject, error), error)


async def _explain_refusal(forge: "Forge", subject: IssueRef, error: Forbidden) -> ForgeError:
    if "scope" in error.message:
        return error
    project = await or_unknown(read_project(forge, subject.repository))
    if not isinstance(project, Unknown) and project.get("archived") is True:
        return archived_error(subject, error.details)
    raw = await or_unknown(read_subject(forge, subject))
    if not isinstance(raw, Unknown) and raw.get("discussion_locked") is True:
        remedy = "Only members of the project may comment, or unlock it."
        return Locked(f"the conversation of {subject} is locked", suggestion=remedy, details=error.details)
    return error


def archived_error(subject: IssueRef, details: dict[str, Any] | None = None) -> Archived:
    """Return the error for an archived project."""
    text = f"{subject.repository} is archived and takes no comments"
    return Archived(text, suggestion="Its owner can unarchive it.", details=details)


def refuse_blank(body: str) -> None:
    """Check that a text is not blank.

    Raises:
        Rejected: It is blank; nothing was sent.
    """
    if not body.strip():
        raise Rejected("a comment must not be blank; nothing was sent", suggestion="Write something in it.")


async def read_merge_request(forge: "Forge", pr: PullRequestRef, **query: Any) -> Json:
    """Read a merge request's JSON; reading it also makes the server check for conflicts."""
    return await read_subject(forge, pr, **query)
