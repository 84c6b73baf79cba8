"""Where tokens of GitHub are found, each for its own host, and how an app gets one."""

from pathlib import Path
from urllib.parse import urlsplit

from stithy_core.spi import AppKey, ConfigError, Credentials, Token
from stithy_github.addresses import HOME, web_of

TOKEN_FILE = "/var/run/github/token"  # noqa: S105 -- a place, where whoever runs an agent may put the token
PLAIN = ("GITHUB_TOKEN", "GH_TOKEN")
ENTERPRISE = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
UNASKED = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1"}


class GitHubCredentials(Credentials):
    """The variables that GitHub's own programs read, then what `gh` keeps.

    A variable does not say which host its token is for. It belongs to the one that GITHUB_API_URL or GH_HOST names,
    else to github.com, and to no other; those for an Enterprise Server belong to the one that GH_HOST names.
    """

    async def find(self) -> Token | None:
        """Look in the environment, then ask `gh`."""
        return self._of_environment() or await self._of_gh()

    async def exchange(self, key: AppKey) -> Token:
        """Get a token for an installation of a GitHub App."""
        from stithy_github.apps import token_of

        return await token_of(key, self.config, self.connect)

    def _of_environment(self) -> Token | None:
        enterprise = self.variable(*ENTERPRISE) if self._server() else None
        if enterprise is not None and self.is_at(self._server()):
            return enterprise
        if not self.is_at(self._home(taken=enterprise is not None)):
            return None
        return self._of_file() or self.variable(*PLAIN)

    def _server(self) -> str:
        """Give the Enterprise Server that GH_HOST names, if it does."""
        host = self.environ.get("GH_HOST", "")
        return "" if host in ("", HOME) else f"https://{host}"

    def _home(self, *, taken: bool) -> str:
        """Give the place whose tokens the plain variables hold; `taken` where that server has variables of its own."""
        if api := self.environ.get("GITHUB_API_URL"):
            try:
                return web_of(api)
            except ValueError:  # it is no address, and so it is nobody's
                return ""
        return f"https://{HOME}" if taken else self._server() or f"https://{HOME}"

    def _of_file(self) -> Token | None:
        named = self.environ.get("GITHUB_TOKEN_FILE")
        path = named or TOKEN_FILE
        try:
            return Token(value=Path(path).read_text("utf-8-sig"), source=f"the file {path}", kept=False)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text"
        if not named:
            return None
        raise ConfigError(
            f"the token of the file {path} cannot be used: {reason}",
            suggestion="Let GITHUB_TOKEN_FILE name a file that holds the token and nothing else, or unset it.",
            details={"source": f"the file {path}"},
        )

    async def _of_gh(self) -> Token | None:
        if not self.is_private():
            return None
        # Of these it would repeat what is there, whichever host it is asked for.
        environ = {name: value for name, value in self.environ.items() if name not in (*PLAIN, *ENTERPRISE)} | UNASKED
        host = urlsplit(self.config.url).netloc
        printed = (await self.ask("gh", "auth", "token", "--hostname", host, environ=environ)).strip()
        return Token(value=printed, source="gh auth token") if printed else None
