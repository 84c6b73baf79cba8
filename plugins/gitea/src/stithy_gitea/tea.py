"""The logins that the `tea` command line keeps."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stithy_core.spi import Token

PLACES = (
    ("XDG_CONFIG_HOME", "tea/config.yml"),
    ("HOME", ".config/tea/config.yml"),
    ("HOME", "Library/Application Support/tea/config.yml"),
    ("LOCALAPPDATA", "tea/config.yml"),
    ("HOME", ".tea/tea.yml"),
)


def token_of(environ: Mapping[str, str], is_mine: Callable[[str], bool]) -> Token | None:
    """Return the token of a login, of several the default one; None if the file is missing or malformed.

    Args:
        environ: Where the user's configuration is.
        is_mine: Says of the URL of a login whether it is the one wanted.
    """
    usable = [login for login in _logins(environ) if is_mine(str(login.get("url"))) and _has_token(login)]
    usable.sort(key=lambda login: login.get("default") is not True)
    if not usable:
        return None
    login = usable[0]
    return Token(value=login["token"], source=f"tea login {login.get('name')}", expires_at=_end(login))


def _logins(environ: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    paths = [Path(environ[variable], below) for variable, below in PLACES if environ.get(variable)]
    path = next((path for path in paths if os.path.isfile(path)), None)  # noqa: PTH113 -- this one never raises
    if path is None:
        return
    import yaml

    try:
        config = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return
    logins = config.get("logins") if isinstance(config, dict) else None
    yield from (login for login in (logins if isinstance(logins, list) else ()) if isinstance(login, dict))


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
