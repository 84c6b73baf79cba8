"""Who the token speaks for, and what the forge says of it."""

from stithy_core.spi import Access, Forbidden, Identity, Unknown, User
from stithy_gitea.addresses import API
from stithy_gitea.mapping import to_user

SCOPES = Unknown(
    "Gitea and Forgejo do not tell the scopes of the token in use",
    "The token's owner finds them in the settings of the account, under Applications.",
)


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

    async def _ask(self) -> User:
        try:
            return to_user(await self.forge.http.get(f"{API}/user"))
        except Forbidden as error:
            raise Forbidden(
                f"{self.forge.link.alias} does not tell this token whose it is: {error.details.get('message') or 403}",
                suggestion="Give the token the scope read:user.",
                details=error.details,
            ) from error
