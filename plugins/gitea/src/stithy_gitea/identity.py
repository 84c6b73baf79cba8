"""Who the token speaks for, what the forge says of it, and what others may do."""

from urllib.parse import quote

from stithy_core.spi import Access, Forbidden, Identity, RepositoryRef, Unknown, User
from stithy_gitea.addresses import API
from stithy_gitea.mapping import to_user
from stithy_gitea.paths import path_of

SCOPES = Unknown(
    "Gitea and Forgejo do not tell the scopes of the token in use",
    "The token's owner finds them in the settings of the account, under Applications.",
)
PUSHING = ("write", "admin", "owner")


class GiteaIdentity(Identity):
    """Who the token speaks for. Neither server keeps a budget of requests."""

    async def me(self) -> User:
        """Read the token's user.

        Raises:
            Forbidden: The token lacks the scope read:user; it may well be good for all else.
        """
        return await self.forge.once("me", self._ask)

    async def access(self) -> Access:
        """Say that the scopes are not to be had; a refusal names the one that was missing."""
        return Access(scopes=SCOPES)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Say whether an account may push; a collaborator may also be one who only reads.

        Raises:
            Forbidden: The token's user administers neither the repository nor the server, and asks of somebody else.
            NotFound: There is no such account, or no such repository.
        """
        path = f"{path_of(repository)}/collaborators/{quote(login, safe='')}/permission"
        return (await self.forge.http.get(path, shape=dict))["permission"] in PUSHING

    async def _ask(self) -> User:
        try:
            return to_user(await self.forge.http.get(f"{API}/user", shape=dict))
        except Forbidden as error:
            raise Forbidden(
                f"{self.forge.config.alias} does not show the token its user: {error.details.get('message') or 403}",
                suggestion="Give the token the scope read:user.",
                details=error.details,
            ) from error
