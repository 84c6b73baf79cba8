"""Issues, pull requests and what is said on them.

A pull request's conversation is that of the issue of the same number. Sources: `/swagger.v1.json` of Gitea 1.25 to
1.27 and Forgejo 14, and exchanges recorded from them (cassettes/README.md).
"""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from stithy_core.spi import (
    Archived,
    Comment,
    Comments,
    Conflict,
    Forbidden,
    ForgeError,
    Issue,
    IssueRef,
    Issues,
    Listing,
    Locked,
    NotFound,
    PullRequest,
    PullRequestRef,
    PullRequests,
    RepositoryRef,
    Unavailable,
    User,
    known,
)
from stithy_gitea.mapping import to_comment, to_issue, to_pull_request

if TYPE_CHECKING:
    from stithy_core.spi import Forge

API = "/api/v1"
ARCHIVED = 423
BLANK_FAULT = 500
# Times have whole seconds, and the server's clock is known from a header that has no finer ones.
MARGIN = timedelta(seconds=2)


def path_of(repository: RepositoryRef) -> str:
    """Write a repository as the path of its API."""
    return f"{API}/repos/{quote(repository.namespace, safe='')}/{quote(repository.name, safe='')}"


def issue_path(issue: IssueRef) -> str:
    """Write an issue, or a pull request as the issue that it is, too."""
    return f"{path_of(issue.repository)}/issues/{issue.number}"


class GiteaIssues(Issues):
    """Issues."""

    async def get(self, issue: IssueRef) -> Issue:
        """Read one issue."""
        return to_issue(await read_issue(self.forge, issue), issue)


class GiteaPullRequests(PullRequests):
    """Pull requests."""

    async def get(self, pr: PullRequestRef) -> PullRequest:
        """Read one pull request."""
        try:
            return to_pull_request(await self.forge.http.get(f"{path_of(pr.repository)}/pulls/{pr.number}"))
        except NotFound as error:
            raise await self._absent(pr) from error

    async def _absent(self, pr: PullRequestRef) -> NotFound:
        """Say what is absent: the repository, the number, or only its being a pull request."""
        issue = await read_issue(self.forge, pr, called="pull request")
        if issue.get("pull_request") is None:
            return NotFound(
                f"{pr} is an issue, not a pull request", suggestion="Use the tools for issues, or another number."
            )
        # Seen right after the first push to a new repository (field notes on the API, section 6).
        return NotFound(f"{pr} is not ready yet", suggestion="The server still prepares it: try again.", retry_after=2)


class GiteaComments(Comments):
    """Conversations. No way exists to read a part of one: the server ignores `page` and `limit` there."""

    async def of(self, subject: IssueRef, *, since: datetime | None = None) -> Listing[Comment]:
        """Read the whole conversation, oldest first; the server cuts `since` to whole seconds."""
        comments = await self._read(subject, since)
        return Listing(tuple(comments), len(comments))

    async def create(self, subject: IssueRef, body: str) -> Comment:
        """Add a comment; when the answer is lost, the conversation is read back."""
        return await self.forge.outbox.deliver(
            (str(subject).lower(), body),
            self.forge.http.now(),
            lambda: self._post(subject, body),
            lambda since: self._find(subject, body, since),
        )

    async def _read(self, subject: IssueRef, since: datetime | None = None) -> list[Comment]:
        query = {"since": f"{since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"} if since else {}
        try:
            rows = await self.forge.http.get(f"{issue_path(subject)}/comments", **query)
        except (NotFound, Unavailable) as error:
            if error.details.get("status") in (404, BLANK_FAULT):  # Gitea answers 500 for a number that is not there
                await read_issue(self.forge, subject)
            raise
        return [to_comment(row) for row in rows or ()]

    async def _post(self, subject: IssueRef, body: str) -> Comment:
        try:
            return to_comment(await self.forge.http.send("POST", f"{issue_path(subject)}/comments", {"body": body}))
        except Conflict as error:
            if error.details.get("status") != ARCHIVED:
                raise
            text = f"{subject.repository} is archived and takes no comments"
            raise Archived(text, suggestion="Its owner can unarchive it.", details=error.details) from error
        except Forbidden as error:
            raise await self._locked(subject, error) from error

    async def _locked(self, subject: IssueRef, error: Forbidden) -> Forbidden:
        """Tell a locked conversation from whatever else is forbidden: the servers' words for it are translated."""
        try:
            issue = await read_issue(self.forge, subject)
        except ForgeError:  # the first refusal says more than the second
            return error
        if not issue.get("is_locked"):
            return error
        remedy = "Only people with write access to the repository may comment, or unlock it."
        return Locked(f"the conversation of {subject} is locked", suggestion=remedy, details=error.details)

    async def _find(self, subject: IssueRef, body: str, since: datetime) -> Comment | None:
        """Look for a comment of ours with just that text, made since a time."""
        me = await known(self.forge.identity.me())
        earliest = since.replace(microsecond=0) - MARGIN
        for comment in await self._read(subject, earliest):
            ours = not isinstance(me, User) or comment.author.id == me.id
            if ours and comment.body == body and comment.created_at >= earliest:
                return comment
        return None


async def read_issue(forge: "Forge", issue: IssueRef, *, called: str = "issue") -> dict[str, Any]:
    """Read an issue's JSON.

    Raises:
        NotFound: It is absent, or its repository is; the two are told apart.
    """
    try:
        raw: dict[str, Any] = await forge.http.get(issue_path(issue))
    except NotFound as error:
        details = error.details
    else:
        return raw
    try:
        await forge.http.get(path_of(issue.repository))
    except NotFound as error:
        raise NotFound(
            f"{forge.link.alias} has no repository {issue.repository}, or the token may not see it",
            suggestion="Check the name, and that the token's user can read it.",
            details=error.details,
        ) from error
    raise NotFound(
        f"{issue.repository} has no {called} {issue.number}", suggestion="Check the number.", details=details
    )
