"""How a token is sent to a forge: the headers that carry it, ready for the schemes that forges use."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from stithy_core.errors import ConfigError

if TYPE_CHECKING:
    from stithy_core.spi.dialect import Token

AUTHORIZATION = "Authorization"
BASIC = "Basic"

Authorization = Callable[["Token"], Mapping[str, str]]
"""Returns the headers that carry a token, by name. They are secret."""


def token_header(name: str = AUTHORIZATION, scheme: str = "") -> Authorization:
    """Return an authorization that sends the token in one header.

    Args:
        name: The header: `PRIVATE-TOKEN` or `JOB-TOKEN` for GitLab.
        scheme: The word before the token: `token` for Gitea; none by default.
    """
    prefix = f"{scheme} " if scheme else ""
    return lambda token: {name: f"{prefix}{token.value}"}


bearer = token_header(scheme="Bearer")
"""Send the token as `Authorization: Bearer TOKEN` (RFC 6750)."""


def basic(token: "Token", user: str | None = None) -> Mapping[str, str]:
    """Send the token as `Authorization: Basic …` (RFC 7617).

    Args:
        token: Its value is `user:secret`, or the secret alone if `user` is set.
        user: The user of a token that has none; "" for a forge that expects none. None requires one in the token.

    Raises:
        ConfigError: The token has no user, and this forge needs one.
    """
    pair = token.value
    if ":" not in pair:  # RFC 7617 allows none in a user
        if user is None:
            raise ConfigError(
                f"the token of {token.source} has no user",
                suggestion="This forge expects a user and a secret: set the token to USER:SECRET.",
            )
        pair = f"{user}:{pair}"
    return {AUTHORIZATION: f"{BASIC} {b64encode(pair.encode()).decode()}"}


def split_basic(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the user and the secret of headers that `basic` made; None for headers of another scheme."""
    scheme, _, encoded = headers.get(AUTHORIZATION, "").partition(" ")
    if scheme != BASIC:
        return None
    user, _, secret = b64decode(encoded).decode().partition(":")
    return user, secret
