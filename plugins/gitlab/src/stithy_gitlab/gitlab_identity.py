"""The token's user and scopes, and the permissions of accounts."""

from collections.abc import Mapping
from datetime import UTC, datetime

from stithy_core.spi import (
    Access,
    Forbidden,
    Identity,
    NotFound,
    RateLimitStatus,
    Rejected,
    RepositoryRef,
    Unauthorized,
    Unknown,
    User,
    parse_count,
)
from stithy_gitlab.gitlab_account import JOB, JOB_REACH, JOB_REMEDY, OAUTH, name_kind, read_account
from stithy_gitlab.gitlab_projects import name_missing, project_path

DEVELOPER = 30
OF_JOB = Unknown(JOB_REACH, JOB_REMEDY)
SCOPES = Unknown("GitLab reports scopes of personal, project and group access tokens only")
SELF = "/personal_access_tokens/self"


class GitLabIdentity(Identity):
    """The token's user."""

    async def me(self) -> User:
        """Return the token's user; for the token of a job, the user that started the job."""
        return (await read_account(self.forge)).user

    async def access(self) -> Access:
        """Return the kind, scopes, expiry and the rate limit; OAuth tokens and those of jobs report none of these."""
        try:
            answer = await self.forge.http.fetch(SELF, shape=dict)
        except (NotFound, Forbidden, Unauthorized, Rejected, KeyError):
            account = await read_account(self.forge)
            return Access(kind=JOB, scopes=OF_JOB) if account.is_job else Access(kind=OAUTH, scopes=SCOPES)
        ends = answer.body.get("expires_at")
        return Access(
            kind=name_kind((await read_account(self.forge)).user),
            scopes=tuple(answer.body["scopes"]),
            expires_at=datetime.fromisoformat(ends).replace(tzinfo=UTC) if ends else None,
            quotas=_read_quotas(answer.headers),
        )

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account is at least a developer, directly or by a group; administrators are not seen."""
        rows = await self.forge.http.get("/users", shape=list, username=login)
        if not rows:
            raise NotFound(f"{self.forge.config.alias} has no user {login!r}", suggestion="Check the name.")
        path = f"{project_path(repository)}/members/all/{rows[0]['id']}"
        try:
            async with name_missing(self.forge, repository, f"member {login}"):
                raw = await self.forge.http.get(path, shape=dict)
        except NotFound as error:
            if "has no member" in error.message:
                return False
            raise
        return bool(raw["access_level"] >= DEVELOPER)


def _read_quotas(headers: Mapping[str, str]) -> tuple[RateLimitStatus, ...]:
    """Read the server-wide limit, which is per minute; those of single endpoints are not in the headers."""
    limit, left, reset = (parse_count(headers.get(f"ratelimit-{name}")) for name in ("limit", "remaining", "reset"))
    if limit is None or left is None or reset is None:
        return ()
    name = headers.get("ratelimit-name") or "requests"
    return (RateLimitStatus(name=name, limit=limit, left=left, resets_at=datetime.fromtimestamp(reset, UTC)),)
