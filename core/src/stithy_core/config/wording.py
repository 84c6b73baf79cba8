"""The words of configuration errors: keys as one writes them, values as far as they may be shown."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str | int, ...]
"""Names of tables and keys, and the indices of lists."""

ELSEWHERE = (
    "a token in a file gets copied and committed; write"
    ' token = { env = "NAME" }, token = { file = "PATH" } or token = { command = ["PROGRAM"] } instead'
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SECRET_KEY = re.compile(r"token|secret|passw|passphrase|credential|private|auth|key$|^pat$", re.IGNORECASE)
# What GitHub, GitLab, and Gitea and Forgejo (40 hexadecimal digits) hand out.
_TOKEN = re.compile(r"gh[a-z]_\w{16,}|github_pat_\w+|glpat-[\w-]+|[0-9a-f]{40}")
_LONGEST = 60
_NOTHING = object()


class Misfit(ValueError):
    """A value does not fit. It is rendered where its key is known, which decides what may be shown.

    Args:
        text: The words that follow the key: "must be true or false".
        given: What stood there, if that helps.
    """

    def __init__(self, text: str, given: object = _NOTHING) -> None:
        super().__init__(text)
        self.text = text
        self.given = given

    def at(self, path: KeyPath) -> str:
        """Return the message for an invalid value of this key."""
        return self.text if self.given is _NOTHING else f"{self.text}, not {_shown(self.given, path)}"


def dotted(path: KeyPath) -> str:
    """Write a path as TOML writes it: forges.work.url, rules[0]."""
    said = ""
    for part in path:
        if isinstance(part, int):
            said += f"[{part}]"
        else:
            said += ("." if said else "") + (part if _BARE.fullmatch(part) else repr(part))
    return said


def is_token(text: str) -> bool:
    """Return whether a text looks like a forge's token."""
    return _TOKEN.fullmatch(text) is not None


def is_secret(path: KeyPath) -> bool:
    """Return whether the names in a path suggest a secret value; a forge's alias, free to choose, does not count."""
    names = path[2:] if path[:1] == ("forges",) else path
    return any(isinstance(name, str) and _SECRET_KEY.search(name) for name in names)


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that was probably meant."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in allowed}
    return next((by_lower[match] for match in get_close_matches(word.lower(), by_lower, n=1)), None)


def unknown(path: KeyPath, subject: str, allowed: Sequence[str]) -> str:
    """Return the message for an unknown key."""
    said = f"is not a setting of {subject}; "
    if near := nearest(str(path[-1]), allowed):
        return f"{said}did you mean {near}?"
    said += f"it has {', '.join(allowed)}"
    return f"{said}; {ELSEWHERE}" if is_secret(path) else said


def _shown(value: object, path: KeyPath) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if is_secret(path):
        return "what stands there"
    if isinstance(value, str):
        return _shown_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 64:  # noqa: PLR2004 - TOML's own limit
        return "a number of more than 64 bits"
    return str(value)


def _shown_text(text: str) -> str:
    # An @ or a question mark in an address stands beside a password or a token.
    if is_token(text) or set(text) & set("@?#"):
        return "what stands there"
    return repr(text) if len(text) <= _LONGEST else f"a text of {len(text)} characters"
