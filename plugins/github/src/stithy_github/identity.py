"""The token's user, scopes and rate limits, and permissions of accounts (docs/forge-behaviour/github.md#tokens)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from stithy_core.spi import Access, Forbidden, Identity, Maybe, NotFound, RateLimitStatus, RepositoryRef, Unknown, User
from stithy_github.mapping import repository_path, to_time, to_user

SCOPES = "x-oauth-scopes"
EXPIRY = "github-authentication-token-expiration"
SCOPES_NOT_LISTED = Unknown(
    "GitHub lists scopes for classic tokens only; fine-grained tokens and apps have permissions instead",
    "Read them in the token's or the app's settings; the error of a refused request names the missing one.",
)
PUSH_PERMISSIONS = ("write", "admin")
"""Of the four values of `permission`; GitHub reports `maintain` as write and `triage` as read."""
VIEWER = "query Viewer { viewer { __typename login databaseId } }"


class GitHubIdentity(Identity):
    """The token's user and permissions."""

    async def me(self) -> User:
        """Return the token's user; the user of an app's installation is a bot."""
        return await self.forge.once("me", self._read_user)

    async def access(self) -> Access:
        """Return scopes, expiry and rate limits, by one request that does not count towards a rate limit."""
        try:
            answer = await self.forge.http.fetch("/rate_limit", shape=dict)
        except NotFound:  # an Enterprise Server without rate limits
            answer = await self.forge.http.fetch("/", shape=dict)
        return Access(
            scopes=_parse_scopes(answer.headers),
            expires_at=_parse_expiry(answer.headers.get(EXPIRY, "")),
            quotas=to_quotas(answer.body.get("resources") or {}),
        )

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account can push; `author_association` does not show it, since a member may only read.

        Raises:
            Forbidden: The token's user cannot push either, and so may not ask.
            NotFound: The account or the repository does not exist; an app is not an account.
        """
        path = f"{repository_path(repository)}/collaborators/{quote(login, safe='')}/permission"
        return (await self.forge.http.get(path, shape=dict))["permission"] in PUSH_PERMISSIONS

    async def _read_user(self) -> User:
        try:
            return to_user(await self.forge.http.get("/user", shape=dict))
        except Forbidden:  # REST refuses this to apps, GraphQL does not
            return to_user((await self.forge.http.graphql(VIEWER, {}))["viewer"])


def to_quotas(resources: Mapping[str, Any]) -> tuple[RateLimitStatus, ...]:
    """Map the rate limits, sorted by name."""
    return tuple(
        RateLimitStatus(
            name=name,
            limit=row["limit"],
            left=row["remaining"],
            resets_at=datetime.fromtimestamp(row["reset"], UTC),
        )
        for name, row in sorted(resources.items())
    )


def _parse_scopes(headers: Mapping[str, str]) -> Maybe[tuple[str, ...]]:
    if SCOPES not in headers:
        return SCOPES_NOT_LISTED
    return tuple(scope.strip() for scope in headers[SCOPES].split(",") if scope.strip())


def _parse_expiry(text: str) -> datetime | None:
    """Parse `2024-05-01 12:00:00 UTC`, or the same with an offset such as `-0300`; None if it has another form."""
    if not text:
        return None
    day, clock, offset = (*text.split(" "), "UTC")[:3]
    try:
        return to_time(f"{day}T{clock}{'+0000' if offset in ('UTC', 'GMT') else offset}")
    except ValueError:
        return None
