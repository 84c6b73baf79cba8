"""Paths of the API, and what a number is: an issue, a pull request or nothing. Routes mix them up, and so do errors.

A number that is not there is a 404, and on some routes of Gitea a blank 500 (docs/forge-behaviour/gitea.md#errors).
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from stithy_core.spi import (
    Archived,
    Conflict,
    Forbidden,
    ForgeError,
    IssueRef,
    Locked,
    Moved,
    NotFound,
    PullRequestRef,
    Rejected,
    RepositoryRef,
    Unavailable,
    Unclear,
    raise_explained,
)
from stithy_gitea.addresses import API
from stithy_gitea.error_mapping import SCOPE

if TYPE_CHECKING:
    from stithy_core.spi import Forge

ABSENT = 404
ARCHIVED = 423
BLANK_FAULT = 500
BLOCKED = "user is blocked"
ISSUE, PULL_REQUEST = "issue", "pull request"
SWITCHES = {ISSUE: "has_issues", PULL_REQUEST: "has_pull_requests"}
"""The fields of a repository that say whether it has them."""
MOVED = re.compile(r"/repos/([^/]+)/([^/]+)/")


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


async def read_issue(forge: "Forge", issue: IssueRef, *, called: str = ISSUE) -> dict[str, Any]:
    """Read an issue's JSON, or a pull request's as the issue that it is, too.

    Raises:
        NotFound: It is absent, or its repository is; the two are told apart.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(issue_path(issue), shape=dict)
    except NotFound as error:
        details = error.details
    else:
        return raw
    await read_repository_with(forge, issue.repository, called)
    raise NotFound(
        f"{issue.repository} has no {called} {issue.number}", suggestion="Check the number.", details=details
    )


async def read_repository(forge: "Forge", repository: RepositoryRef) -> dict[str, Any]:
    """Read a repository's JSON.

    Raises:
        NotFound: It is absent, or hidden from this token.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(path_of(repository), shape=dict)
    except NotFound as error:
        raise NotFound(
            f"{forge.config.alias} has no repository {repository}, or the token may not see it",
            suggestion="Check the name, and that the token's user can read it.",
            details=error.details,
        ) from error
    return raw


async def read_repository_with(forge: "Forge", repository: RepositoryRef, kind: str) -> dict[str, Any]:
    """Read the JSON of a repository that has issues or pull requests.

    Raises:
        NotFound: It is absent, or hidden from this token, or its owner turned them off.
    """
    raw = await read_repository(forge, repository)
    if raw.get(SWITCHES[kind]) is False:
        remedy = "An administrator of the repository can turn them on in its settings."
        raise NotFound(f"{repository} has no {kind}s: they are turned off", suggestion=remedy)
    return raw


async def read_pull(forge: "Forge", pr: PullRequestRef) -> dict[str, Any]:
    """Read a pull request's JSON.

    Raises:
        NotFound: The repository is absent, the number, or only its being a pull request; the three are told apart.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(pull_path(pr), shape=dict)
    except NotFound as error:
        raise await missing_pull_request(forge, pr) from error
    return raw


async def missing_pull_request(forge: "Forge", pr: PullRequestRef) -> NotFound:
    """Return the error for a pull request that does not exist."""
    try:
        issue = await read_issue(forge, pr, called=PULL_REQUEST)
    except NotFound as error:
        return error
    if issue.get("pull_request") is None:
        remedy = "Use the tools for issues, or another number."
        return NotFound(f"{pr} is an issue, not a pull request", suggestion=remedy)
    # Seen right after the first push to a new repository (docs/forge-behaviour/gitea.md#errors).
    return NotFound(f"{pr} is not ready yet", suggestion="The server still prepares it: try again.", retry_after=2)


@asynccontextmanager
async def name_missing_subject(forge: "Forge", subject: IssueRef) -> AsyncIterator[None]:
    """Name the missing issue in the error of a route that only says that something is missing, or fails."""
    try:
        yield
    except (NotFound, Unavailable, Unclear) as error:
        if error.details.get("status") in (ABSENT, BLANK_FAULT):
            await read_issue(forge, subject)
        raise


@asynccontextmanager
async def explain_refused_write(forge: "Forge", subject: IssueRef) -> AsyncIterator[None]:
    """Raise the reason why a conversation rejects a write, where the servers' own messages are translated.

    Raises:
        Archived: The repository is archived.
        Locked: The conversation is locked.
        Moved: The repository has another name now.
    """
    try:
        yield
    except Moved as error:
        raise_explained(_explain_move(forge, subject, error), error)
    except Conflict as error:
        if error.details.get("status") != ARCHIVED:
            raise
        raise archived_error(subject, error.details) from error
    except Forbidden as error:
        raise_explained(await _explain_refusal(forge, subject, error), error)


def archived_error(subject: IssueRef, details: dict[str, Any] | None = None) -> Archived:
    """Return the error for an archived repository."""
    text = f"{subject.repository} is archived and takes no comments"
    return Archived(text, suggestion="Its owner can unarchive it.", details=details)


def locked_error(subject: IssueRef, details: dict[str, Any] | None = None) -> Locked:
    """Return the error for a locked conversation."""
    remedy = "Only people with write access to the repository may comment, or unlock it."
    return Locked(f"the conversation of {subject} is locked", suggestion=remedy, details=details)


def refuse_blank(body: str) -> None:
    """Check that a text is not blank. The servers refuse an empty one on some routes only, and a blank one never.

    Raises:
        Rejected: It is blank; nothing was sent.
    """
    if not body.strip():
        raise Rejected("a comment must not be blank; nothing was sent", suggestion="Write something in it.")


def _explain_move(forge: "Forge", subject: IssueRef, error: Moved) -> Moved:
    """Return the repository's present name from the URL that the server redirected to; empty for another host."""
    place = urlsplit(str(error.details.get("location") or ""))
    found = MOVED.search(place.path)
    if found is None or place.netloc != urlsplit(forge.config.url).netloc:
        return error
    present = RepositoryRef(*map(unquote, found.groups()))
    if str(present).lower() == str(subject.repository).lower():  # only the address of the forge is another
        return error
    text = f"{subject.repository} is called {present} now; nothing was written"
    return Moved(text, suggestion=f"Call again with {present}.", details=error.details)


async def _explain_refusal(forge: "Forge", subject: IssueRef, error: Forbidden) -> Forbidden:
    """Return why the token's user may not write: a scope or a block, which servers do not translate, or a lock."""
    message = str(error.details.get("message") or "")
    if SCOPE in message:
        return error
    if BLOCKED in message:
        remedy = "Ask the repository's owner, or the author of the first post, to unblock the token's user."
        return Forbidden(error.message, suggestion=remedy, details=error.details)
    try:
        issue = await read_issue(forge, subject)
    except ForgeError:  # the first refusal says more than the second
        return error
    return locked_error(subject, error.details) if issue.get("is_locked") else error
