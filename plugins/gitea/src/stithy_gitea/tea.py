"""The logins that the `tea` command line keeps."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from stithy_core.spi import Token

PLACES = (
    ("XDG_CONFIG_HOME", "tea/config.yml"),
    ("HOME", ".config/tea/config.yml"),
    ("HOME", "Library/Application Support/tea/config.yml"),
    ("LOCALAPPDATA", "tea/config.yml"),
    ("HOME", ".tea/tea.yml"),
)


def find_login_token(config: Mapping[str, Any], is_mine: Callable[[str], bool]) -> Token | None:
    """Return the token of a login, of several the default one.

    Args:
        config: What `tea` keeps.
        is_mine: Returns whether the URL of a login is that of the forge.
    """
    logins = config.get("logins")
    rows = [login for login in (logins if isinstance(logins, list) else ()) if isinstance(login, dict)]
    usable = [login for login in rows if is_mine(str(login.get("url"))) and _has_token(login)]
    usable.sort(key=lambda login: login.get("default") is not True)
    if not usable:
        return None
    login = usable[0]
    return Token(value=login["token"], source=f"tea login {login.get('name')}", expires_at=_end(login))


def _has_token(login: Mapping[str, Any]) -> bool:
    """Return whether a login has a token that has not expired; only `tea` itself could renew it."""
    end = _end(login)
    token = login.get("token")
    return isinstance(token, str) and bool(token) and (end is None or end > datetime.now(UTC))


def _end(login: Mapping[str, Any]) -> datetime | None:
    """Read when a token of OAuth ends; 0 stands for one that does not."""
    seconds = login.get("token_expiry")
    try:
        return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int) and seconds > 0 else None
    except (OverflowError, OSError, ValueError):
        return None
