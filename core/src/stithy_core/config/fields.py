"""The settings that have rules of their own: addresses, paths, variables, commands, apps, patterns, stores."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from stithy_core.config.records import ForgeSettings, HttpSettings, TokenSource
from stithy_core.config.wording import Misfit, is_token

Reader: TypeAlias = Callable[[Any], Any]

READER = "reader"
"""Key in the metadata of an attrs field: the function that reads its value; it raises `Misfit`."""

_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")  # without dots, so that an alias is told from a host
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_APP = re.compile(r"[A-Za-z0-9._-]+")
_ADDRESS = 'must be an address such as "https://git.example/sub"'
_STORE = 'must be "memory:", "sqlite:PATH" or an address such as "redis://host:6379/0"'


def special(folder: Path) -> Mapping[type, Mapping[str, Reader]]:
    """Return the readers that replace a field's type, by class and field.

    Args:
        folder: What relative paths are relative to.
    """

    def file(value: object) -> str:
        return str(path(value, folder))

    def token_file(value: object) -> str:
        if isinstance(value, str) and is_token(value):
            raise Misfit("must be a path, and never the token itself")
        return file(value)

    def private_key(value: object) -> TokenSource:
        return key_source(value, token_file)

    def store(value: object) -> str:
        return place_of_store(value, folder)

    app = {"app": app_id, "private_key": private_key, "installation": installation}
    return {
        ForgeSettings: {"kind": word, "url": address, "ca_file": file, "repositories": patterns},
        TokenSource: {"env": variable, "file": token_file, "command": command, **app},
        HttpSettings: {"store": store},
    }


def text(value: object, must: str = "must be a text") -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise Misfit(must, value)
    return value


def word(value: object) -> str:
    """Read a text that is not empty."""
    if not text(value):
        raise Misfit("must not be empty")
    return text(value)


def alias(value: str) -> str:
    """Read a forge's alias: callers write it before a colon."""
    if not _ALIAS.fullmatch(value):
        raise Misfit("is no alias: it begins with a letter or digit and has only letters, digits, _ and -")
    return value


def address(value: object) -> str:
    """Read the address of a forge; a slash at its end is taken off."""
    written = text(value, _ADDRESS)
    if not _is_address(written):
        raise Misfit(_ADDRESS, written)
    if "@" in urlsplit(written).netloc:
        raise Misfit(f"{_ADDRESS}, without a user or password in it")
    if set(written) & set("?#"):
        raise Misfit(f"{_ADDRESS}, without a query or fragment")
    return written.rstrip("/")


def _is_address(written: str) -> bool:
    # urlsplit drops line breaks and tabs without a word, and a backslash is read differently by every client.
    if not written.isprintable() or set(written) & set(" \\"):
        return False
    try:
        parts = urlsplit(written)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def path(value: object, folder: Path) -> Path:
    """Read a path: ~ is the home, and a relative one is relative to `folder`."""
    written = text(value, "must be a path")
    if not written or "\0" in written:
        raise Misfit("must be a path")
    try:
        return folder / Path(written).expanduser()
    except RuntimeError:
        raise Misfit("begins with a home that nobody has", written) from None


def variable(value: object) -> str:
    """Read the name of a variable, and refuse a token in its place."""
    if not isinstance(value, str) or not _VARIABLE.fullmatch(value) or is_token(value):
        raise Misfit("must be the name of a variable, without $, and never the token itself")
    return value


def command(value: object) -> tuple[str, ...]:
    """Read a program and its arguments, and refuse a token among them."""
    if not isinstance(value, list) or not value or not all(isinstance(part, str) for part in value):
        raise Misfit('must be a list of a program and its arguments, such as ["pass", "show", "work"]', value)
    if not value[0] or any("\0" in part or is_token(part) for part in value):
        raise Misfit("must name a program that prints the token, and never the token itself")
    return tuple(value)


def patterns(value: object) -> tuple[str, ...]:
    """Read patterns of repositories; a list of none would allow all, which nobody means who writes it."""
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise Misfit('must be a list of patterns such as "team/*"', value)
    if not value:
        raise Misfit("must not be an empty list: leave it out to allow all repositories")
    return tuple(value)


def app_id(value: object) -> str:
    """Read the id of an app, and refuse a token in its place."""
    if not isinstance(value, str) or not _APP.fullmatch(value) or is_token(value):
        raise Misfit('must be the id of an app in quotes, such as "12345"')
    return value


def installation(value: object) -> str:
    """Read the id of an app's installation."""
    if not isinstance(value, str) or not (value.isascii() and value.isdecimal()):
        raise Misfit('must be the id of an installation in quotes, such as "678"')
    return value


def key_source(value: object, file: Reader) -> TokenSource:
    """Read where a private key is, and refuse a key in its place.

    Args:
        value: The path of a file, or a table that names a variable.
        file: Reads the path.
    """
    if isinstance(value, dict) and list(value) == ["env"]:
        return TokenSource(env=variable(value["env"]))
    if not isinstance(value, str) or "-----BEGIN" in value:
        raise Misfit('must be the path of a PEM file, or { env = "NAME" }, and never the key itself')
    return TokenSource(file=file(value))


def place_of_store(value: object, folder: Path) -> str:
    """Read where answers are kept; the path of a database is relative to `folder`, and a password is refused."""
    written = text(value, _STORE)
    if written == "memory:":
        return written
    if written.startswith("sqlite:") and written != "sqlite:":
        return f"sqlite:{path(written.removeprefix('sqlite:'), folder)}"
    store = shared_store(written)
    parts = urlsplit(store)
    if parts.password or "password=" in parts.query:
        raise Misfit("must not have a password in it: it would be copied with the file; set STITHY_REDIS_URL instead")
    return store


def shared_store(value: str) -> str:
    """Read the URL of a shared store, such as Redis; it is never shown, since it may hold a password.

    Which schemes there are depends on the plugins, which are not loaded yet.
    """
    try:
        parts = urlsplit(value)
        is_local = parts.scheme == "unix"
        fits = len(parts.path) > 1 if is_local else bool(parts.hostname) and parts.port != 0
        fits = fits and parts.scheme not in ("http", "https")  # a common slip, and no store
    except ValueError:
        fits = False
    if not fits or not value.isprintable():
        raise Misfit(_STORE)
    return value
