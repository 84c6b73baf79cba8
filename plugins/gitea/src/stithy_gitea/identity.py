"""The token's user, and the permissions of accounts."""

from urllib.parse import quote

from stithy_core.spi import Access, Forbidden, Identity, RepositoryRef, Unknown, User
from stithy_gitea.addresses import API
from stithy_gitea.mapping import to_user
from stithy_gitea.subjects import path_of

SCOPES = Unknown(
    "Gitea and Forgejo do not report the scopes of the token",
    "The token's owner finds them in the settings of the account, under Applications.",
)
PUSHING = ("write", "admin", "owner")


class GiteaIdentity(Identity):
    """The token's user. Neither server has rate limits that it reports."""

    async def me(self) -> User:
        """Return the token's user.

        Raises:
            Forbidden: The token lacks the scope read:user; it may have all others.
        """
        return await self.forge.once("me", self._ask)

    async def access(self) -> Access:
        """Return unknown scopes: neither server reports them. The error of a refused request names the missing one."""
        return Access(scopes=SCOPES)

    async def may_push(self, repository: RepositoryRef, login: str) -> bool:
        """Return whether an account can push; a collaborator may have read access only.

        Raises:
            Forbidden: The token's user is not an administrator and asks about another account.
            NotFound: The account or the repository does not exist.
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
