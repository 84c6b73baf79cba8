"""How a GitHub App gets a token: it proves itself with a JWT, for one of its installations.

GitHub's documentation: "Generating a JSON Web Token (JWT) for a GitHub App" and "Generating an installation access
token for a GitHub App".
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from stithy_core.spi import (
    AppKey,
    ConfigError,
    ForgeConfig,
    ForgeError,
    Http,
    RateLimited,
    Token,
    Unauthorized,
    Unavailable,
    Unclear,
)

EARLIER = timedelta(seconds=60)
"""How far back a JWT is dated, since clocks differ."""
LIFE = timedelta(minutes=9)
"""GitHub takes none that is valid for more than ten minutes, which the earlier date counts towards."""
SKEW = timedelta(seconds=30)
MOST_NAMED = 20


async def token_of(key: AppKey, config: ForgeConfig, connect: Callable[[Token], Http]) -> Token:
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
        return await _by_its_clock(key, connect)
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


async def _by_its_clock(key: AppKey, connect: Callable[[Token], Http]) -> Token:
    now = datetime.now(UTC)
    http = connect(_proof(key, now))
    try:
        return await _installation_token(key, http)
    except Unauthorized:
        now, ours = http.now(), now
        if abs(now - ours) < SKEW:
            raise
    # Our clock goes wrong; the refusal told what time it is there.
    return await _installation_token(key, connect(_proof(key, now)))


def _proof(key: AppKey, now: datetime) -> Token:
    import jwt

    claims = {"iss": key.app, "iat": int((now - EARLIER).timestamp()), "exp": int((now + LIFE).timestamp())}
    try:
        return Token(value=jwt.encode(claims, key.private_key, algorithm="RS256"), source=f"the app {key.app}")
    except (ValueError, TypeError, jwt.PyJWTError):
        text = f"the private key of the app {key.app} cannot be used: it is no RSA key, or has a password"
    # Raised outside of the handler, so that no traceback leads to the key.
    raise ConfigError(text, suggestion="Generate a private key in the settings of the app, and keep it as it comes.")


async def _installation_token(key: AppKey, http: Http) -> Token:
    number = key.installation or await _only_installation(key, http)
    # Asking twice does no harm: the first token ends by itself.
    answer = await http.send("POST", f"/app/installations/{number}/access_tokens", idempotent=True, shape=dict)
    return Token(
        value=answer["token"],
        source=f"the app {key.app}, installation {number}",
        account=f"app {key.app} installation {number}",
        expires_at=datetime.fromisoformat(answer["expires_at"]),
    )


async def _only_installation(key: AppKey, http: Http) -> str:
    found = (await http.items("/app/installations", size=100)).items
    if len(found) == 1:
        return str(found[0]["id"])
    if not found:
        remedy = "Install it on the account whose repositories it is for."
        raise ConfigError(f"the app {key.app} is installed nowhere", suggestion=remedy)
    names = sorted(f"{_account(row)} ({row['id']})" for row in found)
    shown = ", ".join(names[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    raise ConfigError(
        f"the app {key.app} has several installations: {shown}{more}",
        suggestion='Name one of them beside app and private_key: installation = "NUMBER".',
    )


def _account(row: dict[str, Any]) -> str:
    account = row.get("account") or {}
    return str(account.get("login") or account.get("slug") or "?")  # an enterprise has no login
