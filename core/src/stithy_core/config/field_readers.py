"""Readers of settings that have rules of their own: addresses, paths, variables, commands, apps, patterns, stores."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from stithy_core.config.settings_errors import InvalidSetting, is_token
from stithy_core.config.settings_records import ForgeSettings, HttpSettings, TokenSource

Reader: TypeAlias = Callable[[Any], Any]

READER = "reader"
"""Key in the metadata of an attrs field: the function that reads its value, or raises `InvalidSetting`."""

_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")  # without dots, so that it differs from a host name
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_APP = re.compile(r"[A-Za-z0-9._-]+")
_ADDRESS = 'must be an address such as "https://git.example/sub"'
_STORE = 'must be "memory:", "sqlite:PATH" or an address such as "redis://host:6379/0"'


def list_special_readers(find_folder: Callable[[], Path]) -> Mapping[type, Mapping[str, Reader]]:
    """Return the readers that replace a field's type, by class and field.

    Args:
        find_folder: Returns the folder that relative paths start at.
    """

    def read_file_path(value: object) -> str:
        return str(read_path(value, find_folder()))

    def read_token_file(value: object) -> str:
        if isinstance(value, str) and is_token(value):
            raise InvalidSetting("must be a path, and never the token itself")
        return read_file_path(value)

    def read_private_key(value: object) -> TokenSource:
        return read_key_source(value, read_token_file)

    def read_store(value: object) -> str:
        return read_store_place(value, find_folder())

    app = {"app": read_app_id, "private_key": read_private_key, "installation": read_installation}
    return {
        ForgeSettings: {
            "kind": read_word,
            "url": read_address,
            "ca_file": read_file_path,
            "repositories": read_patterns,
        },
        TokenSource: {"env": read_variable, "file": read_token_file, "command": read_command, **app},
        HttpSettings: {"store": read_store},
    }


def read_text(value: object, must: str = "must be a text") -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise InvalidSetting(must, value)
    return value


def read_word(value: object) -> str:
    """Read a text that is not empty."""
    if not (word := read_text(value)):
        raise InvalidSetting("must not be empty")
    return word


def read_alias(value: str) -> str:
    """Read a forge's alias, which callers write before a colon."""
    if not _ALIAS.fullmatch(value):
        raise InvalidSetting("is an invalid alias: expected a letter or digit, then letters, digits, _ and -")
    return value


def read_address(value: object) -> str:
    """Read the address of a forge; slashes at its end are removed."""
    written = read_text(value, _ADDRESS)
    if not _is_address(written):
        raise InvalidSetting(_ADDRESS, written)
    if "@" in urlsplit(written).netloc:
        raise InvalidSetting(f"{_ADDRESS}, without a user or password in it")
    if set(written) & set("?#"):
        raise InvalidSetting(f"{_ADDRESS}, without a query or fragment")
    return written.rstrip("/")


def _is_address(written: str) -> bool:
    # urlsplit drops line breaks and tabs silently, and every client reads a backslash differently.
    if not written.isprintable() or set(written) & set(" \\"):
        return False
    try:
        parts = urlsplit(written)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def read_path(value: object, folder: Path) -> Path:
    """Read a path: ~ is the home, and a relative path starts at `folder`."""
    written = read_text(value, "must be a path")
    if not written or "\0" in written:
        raise InvalidSetting("must be a path")
    try:
        return folder / Path(written).expanduser()
    except RuntimeError:
        raise InvalidSetting("must begin with the home of a user that exists", written) from None


def read_variable(value: object) -> str:
    """Read the name of a variable, and refuse a token in its place."""
    if not isinstance(value, str) or not _VARIABLE.fullmatch(value) or is_token(value):
        raise InvalidSetting("must be the name of a variable, without $, and never the token itself")
    return value


def read_command(value: object) -> tuple[str, ...]:
    """Read a program and its arguments, and refuse a token among them."""
    if not isinstance(value, list) or not value or not all(isinstance(part, str) for part in value):
        raise InvalidSetting('must be a list of a program and its arguments, such as ["pass", "show", "work"]', value)
    if not value[0] or any("\0" in part or is_token(part) for part in value):
        raise InvalidSetting("must name a program that prints the token, and never the token itself")
    return tuple(value)


def read_patterns(value: object) -> tuple[str, ...]:
    """Read patterns of repositories. An empty list is refused: it would allow all, which its author cannot mean."""
    if not isinstance(value, list) or not all(isinstance(part, str) and part for part in value):
        raise InvalidSetting('must be a list of patterns such as "team/*"', value)
    if not value:
        raise InvalidSetting("must not be an empty list: leave it out to allow all repositories")
    return tuple(value)


def read_app_id(value: object) -> str:
    """Read the id of an app, and refuse a token in its place."""
    if not isinstance(value, str) or not _APP.fullmatch(value) or is_token(value):
        raise InvalidSetting('must be the id of an app in quotes, such as "12345"')
    return value


def read_installation(value: object) -> str:
    """Read the id of an app's installation."""
    if not isinstance(value, str) or not (value.isascii() and value.isdecimal()):
        raise InvalidSetting('must be the id of an installation in quotes, such as "678"')
    return value


def read_key_source(value: object, file: Reader) -> TokenSource:
    """Read the source of a private key, and refuse a key in its place.

    Args:
        value: The path of a file, or a table that names a variable.
        file: Reads the path.
    """
    if isinstance(value, dict) and list(value) == ["env"]:
        return TokenSource(env=read_variable(value["env"]))
    if not isinstance(value, str) or "-----BEGIN" in value:
        raise InvalidSetting('must be the path of a PEM file, or { env = "NAME" }, and never the key itself')
    return TokenSource(file=file(value))


def read_store_place(value: object, folder: Path) -> str:
    """Read the place of the store; the path of a database starts at `folder`, and a password is refused."""
    written = read_text(value, _STORE)
    if written == "memory:":
        return written
    if written.startswith("sqlite:") and written != "sqlite:":
        return f"sqlite:{read_path(written.removeprefix('sqlite:'), folder)}"
    store = read_store_url(written)
    parts = urlsplit(store)
    if parts.password or "password=" in parts.query:
        raise InvalidSetting(
            "must not have a password in it: it would be copied with the file; set STITHY_REDIS_URL instead"
        )
    return store


def read_store_url(value: str) -> str:
    """Read the URL of a shared store, such as Redis; it is never shown, since it may hold a password.

    Its scheme is not checked: that needs the plugins, which are loaded later.
    """
    try:
        parts = urlsplit(value)
        is_local = parts.scheme == "unix"
        fits = len(parts.path) > 1 if is_local else bool(parts.hostname) and parts.port != 0
        fits = fits and parts.scheme not in ("http", "https")  # a common slip
    except ValueError:
        fits = False
    if not fits or not value.isprintable():
        raise InvalidSetting(_STORE)
    return value
