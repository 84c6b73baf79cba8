"""Finds tokens for Gitea and Forgejo, each for its own server."""

from typing import Any

from stithy_core.spi import Credentials, Token
from stithy_gitea.addresses import API, web_of
from stithy_gitea.tea import PLACES, find_login_token

FLAVOURS = ("GITEA", "FORGEJO")


class GiteaCredentials(Credentials):
    """Tokens of environment variables, of `tea`, and of git's credential helper, in this order."""

    async def find(self) -> Token | None:
        """Return a token of the environment, the configuration of `tea`, or git's credential helper."""
        kept = self._of_environment() or find_login_token(self.read_config(PLACES, _parse_yaml), self._is_mine)
        return kept or await self.ask_git(f"{self.config.url}{API}/user")

    def _is_mine(self, url: str) -> bool:
        return self.is_at(web_of(url))

    def _of_environment(self) -> Token | None:
        names = [f"{flavour}_TOKEN" for flavour in FLAVOURS if self._is_mine(self.environ.get(f"{flavour}_URL", ""))]
        return self.variable(*names)


def _parse_yaml(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)
