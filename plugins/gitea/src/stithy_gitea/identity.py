"""Who the token speaks for."""

from stithy_core.spi import Identity, User
from stithy_gitea.mapping import to_user

USER = "/api/v1/user"


class GiteaIdentity(Identity):
    """Who the token speaks for."""

    async def me(self) -> User:
        """Read the token's user; a token needs the scope read:user for it."""
        return await self.forge.once("me", self._ask)

    async def _ask(self) -> User:
        return to_user(await self.forge.http.get(USER))
