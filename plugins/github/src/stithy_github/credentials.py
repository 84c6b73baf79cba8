"""Finds tokens for GitHub, each for its own host, and exchanges the key of a GitHub App for one.

GitHub's documentation: "Generating a JSON Web Token (JWT) for a GitHub App" and "Generating an installation access
token for a GitHub App".
"""

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

TOKEN_FILE = "/var/run/github/token"  # noqa: S105 -- a path where an agent's operator may put the token
PLAIN = ("GITHUB_TOKEN", "GH_TOKEN")
ENTERPRISE = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
NON_INTERACTIVE = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1"}

BACKDATING = timedelta(seconds=60)
"""How far a JWT is backdated, since clocks differ."""
LIFETIME = timedelta(minutes=9)
"""GitHub accepts at most ten minutes, counted from the backdated start."""
SKEW = timedelta(seconds=30)
MAX_NAMES = 20


class GitHubCredentials(Credentials):
    """Tokens of environment variables, of a file, and of `gh`, in this order.

    A variable does not say which host its token is for. It belongs to the host that GITHUB_API_URL or GH_HOST names,
    else to github.com, and to no other. The variables for an Enterprise Server belong to the host that GH_HOST names.
    """

    async def find(self) -> Token | None:
        """Return a token of the environment, or of `gh`."""
        return self._find_in_environment() or await self._ask_gh()

    async def exchange(self, key: AppKey) -> Token:
        """Return a token for an installation of a GitHub App."""
        return await exchange_app_key(key, self.config, self.connect)

    def _find_in_environment(self) -> Token | None:
        enterprise = self.variable(*ENTERPRISE) if self._enterprise_url() else None
        if enterprise is not None and self.is_at(self._enterprise_url()):
            return enterprise
        if not self.is_at(self._plain_url(has_enterprise=enterprise is not None)):
            return None
        return self._read_file() or self.variable(*PLAIN)

    def _enterprise_url(self) -> str:
        """Return the URL of the Enterprise Server that GH_HOST names, or an empty text."""
        host = self.environ.get("GH_HOST", "")
        return "" if host in ("", HOME) else f"https://{host}"

    def _plain_url(self, *, has_enterprise: bool) -> str:
        """Return the URL that the plain variables are for.

        Args:
            has_enterprise: Whether the Enterprise Server has variables of its own.
        """
        if api := self.environ.get("GITHUB_API_URL"):
            try:
                return to_web_url(api)
            except ValueError:  # an invalid URL matches no forge
                return ""
        return f"https://{HOME}" if has_enterprise else self._enterprise_url() or f"https://{HOME}"

    def _read_file(self) -> Token | None:
        configured = self.environ.get("GITHUB_TOKEN_FILE")
        path = configured or TOKEN_FILE
        try:
            return Token(value=Path(path).read_text("utf-8-sig"), source=f"the file {path}", kept=False)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text"
        if not configured:
            return None
        raise ConfigError(
            f"the token of the file {path} cannot be used: {reason}",
            suggestion="Set GITHUB_TOKEN_FILE to a file that holds the token and nothing else, or unset it.",
            details={"source": f"the file {path}"},
        )

    async def _ask_gh(self) -> Token | None:
        if not self.is_private():
            return None
        # gh would repeat the tokens of these variables, whichever host it is asked for.
        ignored = (*PLAIN, *ENTERPRISE)
        environ = {name: value for name, value in self.environ.items() if name not in ignored} | NON_INTERACTIVE
        host = urlsplit(self.config.url).netloc
        printed = (await self.ask("gh", "auth", "token", "--hostname", host, environ=environ)).strip()
        return Token(value=printed, source="gh auth token") if printed else None


async def exchange_app_key(key: AppKey, config: ForgeConfig, connect: Callable[[Token], Http]) -> Token:
    """Return a token for an installation of an app; it is valid for about an hour.

    Args:
        key: The app's key.
        config: The forge.
        connect: Returns a client of the forge that sends the JWT.

    Raises:
        ConfigError: The forge does not know the app, its key or its installation, or the installation is not configured
            and there is not exactly one.
        ForgeError: The forge did not answer, or limits the rate.
    """
    try:
        return await _request_token(key, connect)
    except (Unavailable, RateLimited):
        raise
    except Unclear as error:  # for the caller nothing was written, so nothing is unclear
        raise Unavailable(f"{config.alias} issued no token for the app {key.app}: {error.message}") from error
    except ForgeError as error:  # a 404 here is not about what the caller asked for
        raise ConfigError(
            f"{config.alias} issues no token for the app {key.app}: {error.message}",
            suggestion=f"Check app, private_key and installation in the token of [forges.{config.alias}].",
            details=error.details,
        ) from error


async def _request_token(key: AppKey, connect: Callable[[Token], Http]) -> Token:
    """Request a token, and once more by the server's clock if ours is wrong."""
    now = datetime.now(UTC)
    http = connect(_create_jwt(key, now))
    try:
        return await _request_installation_token(key, http)
    except Unauthorized:
        now, ours = http.now(), now
        if abs(now - ours) < SKEW:
            raise
    return await _request_installation_token(key, connect(_create_jwt(key, now)))


def _create_jwt(key: AppKey, now: datetime) -> Token:
    import jwt

    claims = {"iss": key.app, "iat": int((now - BACKDATING).timestamp()), "exp": int((now + LIFETIME).timestamp())}
    try:
        return Token(value=jwt.encode(claims, key.private_key, algorithm="RS256"), source=f"the app {key.app}")
    except (ValueError, TypeError, jwt.PyJWTError):
        text = f"the private key of the app {key.app} cannot be used: it is not an RSA key, or has a password"
    # Raised outside of the handler, so that no traceback holds the key.
    remedy = "Generate a private key in the settings of the app, and keep the file unchanged."
    raise ConfigError(text, suggestion=remedy)


async def _request_installation_token(key: AppKey, http: Http) -> Token:
    number = key.installation or await _find_only_installation(key, http)
    # Idempotent: a first token that was lost simply expires.
    answer = await http.send("POST", f"/app/installations/{number}/access_tokens", idempotent=True, shape=dict)
    return Token(
        value=answer["token"],
        source=f"the app {key.app}, installation {number}",
        account=f"app {key.app} installation {number}",
        expires_at=datetime.fromisoformat(answer["expires_at"]),
    )


async def _find_only_installation(key: AppKey, http: Http) -> str:
    installations = (await http.items("/app/installations", size=100)).items
    if len(installations) == 1:
        return str(installations[0]["id"])
    if not installations:
        remedy = "Install it on the account that owns the repositories."
        raise ConfigError(f"the app {key.app} has no installation", suggestion=remedy)
    names = sorted(f"{_format_account(row)} ({row['id']})" for row in installations)
    shown = ", ".join(names[:MAX_NAMES])
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    raise ConfigError(
        f"the app {key.app} has several installations: {shown}{more}",
        suggestion='Name one of them beside app and private_key: installation = "NUMBER".',
    )


def _format_account(row: dict[str, Any]) -> str:
    account = row.get("account") or {}
    return str(account.get("login") or account.get("slug") or "?")  # an enterprise has no login
