"""Finds tokens for Gitea and Forgejo, each for its own server."""

import logging
import re
from urllib.parse import urlsplit

from stithy_core.spi import Credentials, StithyError, Token, Unauthorized
from stithy_gitea.addresses import API, web_of
from stithy_gitea.tea import token_of

FLAVOURS = ("GITEA", "FORGEJO")
UNASKED = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GCM_INTERACTIVE": "never"}
TOKEN = re.compile(r"[\x21-\x7e]+")

log = logging.getLogger("stithy.gitea")


class GiteaCredentials(Credentials):
    """Tokens of environment variables, of `tea`, and of git's credential helper, in this order."""

    async def find(self) -> Token | None:
        """Return a token of the environment, the configuration of `tea`, or git's credential helper."""
        return self._of_environment() or token_of(self.environ, self._is_mine) or await self._of_git()

    def _is_mine(self, url: str) -> bool:
        return self.is_at(web_of(url))

    def _of_environment(self) -> Token | None:
        names = [f"{flavour}_TOKEN" for flavour in FLAVOURS if self._is_mine(self.environ.get(f"{flavour}_URL", ""))]
        return self.variable(*names)

    async def _of_git(self) -> Token | None:
        if not self.is_private():
            return None
        parts = urlsplit(self.config.url)
        path = f"path={parts.path.strip('/')}\n" if parts.path.strip("/") else ""
        printed = await self.ask(
            *("git", "-c", "credential.interactive=false", "credential", "fill"),
            given=f"protocol={parts.scheme}\nhost={parts.netloc}\n{path}\n",
            environ={**self.environ, **UNASKED},
        )
        fields = dict(line.partition("=")[::2] for line in printed.splitlines())
        token = Token(value=fields.get("password", ""), source="git credential helper")
        return token if TOKEN.fullmatch(token.value) and await self._takes(token) else None

    async def _takes(self, token: Token) -> bool:
        """Return whether the forge accepts a token: a helper may hold the account's password instead."""
        try:
            await self.connect(token).get(f"{self.config.url}{API}/user")
        except Unauthorized:
            log.warning("the password in git's credential helper for %s is not a token of the forge", self.config.url)
            return False
        except StithyError:  # which says nothing of the token, so that the forge will say it again
            return True
        return True
