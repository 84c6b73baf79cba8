"""Where tokens of GitHub are found, each for its own host, and how an app gets one."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from stithy_core.spi import (
    AppKey,
    ConfigError,
    Credentials,
    ForgeConfig,
    ForgeError,
    Http,
    RateLimited,
    Token,
    Unauthorized,
    Unavailable,
    Unclear,
)
from stithy_github.addresses import HOME, to_web_url

TOKEN_FILE = "/var/run/github/token"  # noqa: S105 -- a place, where whoever runs an agent may put the token
PLAIN = ("GITHUB_TOKEN", "GH_TOKEN")
ENTERPRISE = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
NON_INTERACTIVE = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1"}


class GitHubCredentials(Credentials):
    """The variables that GitHub's own programs read, then what `gh` keeps.

    A variable does not say which host its token is for. It belongs to the one that GITHUB_API_URL or GH_HOST names,
    else to github.com, and to no other; those for an Enterprise Server belong to the one that GH_HOST names.
    """

    async def find(self) -> Token | None:
        """Look in the environment, then ask `gh`."""
        return self._find_in_environment() or await self._ask_gh()

    async def exchange(self, key: AppKey) -> Token:
        """Get a token for an installation of a GitHub App."""
        return await exchange_app_key(key, self.config, self.connect)

    def _find_in_environment(self) -> Token | None:
        enterprise = self.variable(*ENTERPRISE) if self._enterprise_url() else None
        if enterprise is not None and self.is_at(self._enterprise_url()):
            return enterprise
        if not self.is_at(self._plain_url(taken=enterprise is not None)):
            return None
        return self._read_file() or self.variable(*PLAIN)

    def _enterprise_url(self) -> str:
        """Give the Enterprise Server that GH_HOST names, if it does."""
        host = self.environ.get("GH_HOST", "")
        return "" if host in ("", HOME) else f"https://{host}"

    def _plain_url(self, *, taken: bool) -> str:
        """Give the place whose tokens the plain variables hold; `taken` where that server has variables of its own."""
        if api := self.environ.get("GITHUB_API_URL"):
            try:
                return to_web_url(api)
            except ValueError:  # it is no address, and so it is nobody's
                return ""
        return f"https://{HOME}" if taken else self._enterprise_url() or f"https://{HOME}"

    def _read_file(self) -> Token | None:
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

    async def _ask_gh(self) -> Token | None:
        if not self.is_private():
            return None
        # Of these it would repeat what is there, whichever host it is asked for.
        environ = {
            name: value for name, value in self.environ.items() if name not in (*PLAIN, *ENTERPRISE)
        } | NON_INTERACTIVE
        host = urlsplit(self.config.url).netloc
        printed = (await self.ask("gh", "auth", "token", "--hostname", host, environ=environ)).strip()
        return Token(value=printed, source="gh auth token") if printed else None


BACKDATING = timedelta(seconds=60)
"""How far back a JWT is dated, since clocks differ."""
LIFETIME = timedelta(minutes=9)
"""GitHub takes none that is valid for more than ten minutes, which the earlier date counts towards."""
SKEW = timedelta(seconds=30)
MOST_NAMED = 20


async def exchange_app_key(key: AppKey, config: ForgeConfig, connect: Callable[[Token], Http]) -> Token:
    """Get a token for an installation; it lasts for about an hour.

    Args:
        key: What the app proves itself with.
        config: The forge.
        connect: Gives a way to it that carries the JWT.

    Raises:
        ConfigError: The forge does not know the app, its key or its installation, or the installation is not named
            and there is not exactly one.
        ForgeError: The forge did not answer, or has no time.
    """
    try:
        return await _request_token(key, connect)
    except (Unavailable, RateLimited):
        raise
    except Unclear as error:  # nothing that a caller wrote is unclear
        raise Unavailable(f"{config.alias} gave the app {key.app} no token: {error.message}") from error
    except ForgeError as error:  # a 404 here says nothing of what a caller asked for
        raise ConfigError(
            f"{config.alias} gives the app {key.app} no token: {error.message}",
            suggestion=f"Check app, private_key and installation in the token of [forges.{config.alias}].",
            details=error.details,
        ) from error


async def _request_token(key: AppKey, connect: Callable[[Token], Http]) -> Token:
    now = datetime.now(UTC)
    http = connect(_create_jwt(key, now))
    try:
        return await _request_installation_token(key, http)
    except Unauthorized:
        now, ours = http.now(), now
        if abs(now - ours) < SKEW:
            raise
    # Our clock goes wrong; the refusal told what time it is there.
    return await _request_installation_token(key, connect(_create_jwt(key, now)))


def _create_jwt(key: AppKey, now: datetime) -> Token:
    import jwt

    claims = {"iss": key.app, "iat": int((now - BACKDATING).timestamp()), "exp": int((now + LIFETIME).timestamp())}
    try:
        return Token(value=jwt.encode(claims, key.private_key, algorithm="RS256"), source=f"the app {key.app}")
    except (ValueError, TypeError, jwt.PyJWTError):
        text = f"the private key of the app {key.app} cannot be used: it is no RSA key, or has a password"
    # Raised outside of the handler, so that no traceback leads to the key.
    raise ConfigError(text, suggestion="Generate a private key in the settings of the app, and keep it as it comes.")


async def _request_installation_token(key: AppKey, http: Http) -> Token:
    number = key.installation or await _find_only_installation(key, http)
    # Asking twice does no harm: the first token ends by itself.
    answer = await http.send("POST", f"/app/installations/{number}/access_tokens", idempotent=True, shape=dict)
    return Token(
        value=answer["token"],
        source=f"the app {key.app}, installation {number}",
        account=f"app {key.app} installation {number}",
        expires_at=datetime.fromisoformat(answer["expires_at"]),
    )


async def _find_only_installation(key: AppKey, http: Http) -> str:
    found = (await http.items("/app/installations", size=100)).items
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        remedy = "Install it on the account whose repositories it is for."
        raise ConfigError(f"the app {key.app} is installed nowhere", suggestion=remedy)
    names = sorted(f"{_format_account(row)} ({row['id']})" for row in found)
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    raise ConfigError(
        f"the app {key.app} has several installations: {shown}{more}",
        suggestion='Name one of them beside app and private_key: installation = "NUMBER".',
    )


def _format_account(row: dict[str, Any]) -> str:
    account = row.get("account") or {}
    return str(account.get("login") or account.get("slug") or "?")  # an enterprise has no login
