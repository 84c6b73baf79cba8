"""Errors of the settings: the messages for mistakes, and the file, line and key of each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from attrs import field, frozen

from stithy_core.errors import ConfigError

KeyPath: TypeAlias = tuple[str | int, ...]
"""Names of tables and keys, and indices of lists."""

REFERENCE_HINT = (
    "a token in a file gets copied and committed; write"
    ' token = { env = "NAME" }, token = { file = "PATH" } or token = { command = ["PROGRAM"] } instead'
)

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SECRET_KEY = re.compile(r"token|secret|passw|passphrase|credential|private|auth|key$|^pat$", re.IGNORECASE)
# What GitHub, GitLab, and Gitea and Forgejo (40 hexadecimal digits) hand out.
_TOKEN = re.compile(r"gh[a-z]_\w{16,}|github_pat_\w+|glpat-[\w-]+|[0-9a-f]{40}")
_LONGEST = 60
_NOTHING = object()


class InvalidSetting(ValueError):
    """A value is not valid. The message is formatted where the key is known, which decides what may be shown.

    Args:
        text: The words that follow the key: "must be true or false".
        value: The value, if it helps.
    """

    def __init__(self, text: str, value: object = _NOTHING) -> None:
        super().__init__(text)
        self.text = text
        self.value = value

    def format_message(self, path: KeyPath) -> str:
        """Return the message for an invalid value of this key."""
        return self.text if self.value is _NOTHING else f"{self.text}, not {_format_value(self.value, path)}"


def format_key(path: KeyPath) -> str:
    """Format a path as TOML writes it: forges.work.url, rules[0]."""
    key = ""
    for part in path:
        if isinstance(part, int):
            key += f"[{part}]"
        else:
            key += ("." if key else "") + (part if _BARE.fullmatch(part) else repr(part))
    return key


def is_token(text: str) -> bool:
    """Return whether a text looks like a forge's token."""
    return _TOKEN.fullmatch(text) is not None


def is_secret(path: KeyPath) -> bool:
    """Return whether the names in a path suggest a secret value; a forge's alias, free to choose, does not count."""
    names = path[2:] if path[:1] == ("forges",) else path
    return any(isinstance(name, str) and _SECRET_KEY.search(name) for name in names)


def find_similar(word: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that was probably meant; None where none is similar."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in allowed}
    return next((by_lower[match] for match in get_close_matches(word.lower(), by_lower, n=1)), None)


def format_unknown_key(path: KeyPath, subject: str, allowed: Sequence[str]) -> str:
    """Return the message for an unknown key."""
    message = f"is not a setting of {subject}; "
    if similar := find_similar(str(path[-1]), allowed):
        return f"{message}did you mean {similar}?"
    message += f"it has {', '.join(allowed)}"
    return f"{message}; {REFERENCE_HINT}" if is_secret(path) else message


def _format_value(value: object, path: KeyPath) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    if is_secret(path):
        return "the value that is written there"
    if isinstance(value, str):
        return _format_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > 64:  # noqa: PLR2004 - TOML's own limit
        return "a number of more than 64 bits"
    return str(value)


def _format_text(text: str) -> str:
    # An @ or a question mark in an address stands beside a password or a token.
    if is_token(text) or set(text) & set("@?#"):
        return "the value that is written there"
    return repr(text) if len(text) <= _LONGEST else f"a text of {len(text)} characters"


_MOST_ATTEMPTS = 1_000
"""Attempts to parse one statement; behind a statement that needs more, no lines are known."""
_DEEPEST = 32
"""Keys deeper than this share a line: every prefix is stored, which would be quadratic."""


def find_lines(text: str) -> dict[KeyPath, int]:
    """Return the line of the first mention of every key outside of inline tables: tomllib does not report lines.

    The text is valid TOML. A path has an index after the name of an array of tables: ("rules", 0, "name").
    """
    lines: dict[KeyPath, int] = {}
    arrays: dict[KeyPath, int] = {}
    base: KeyPath = ()
    for line, header, parts in _iterate_statements(text):
        if header:
            path = base = _resolve_header(parts, arrays, repeated=header == "[[")
        else:
            path = base + parts
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], line)
    return lines


def _iterate_statements(text: str) -> Iterator[tuple[int, str, KeyPath]]:
    """Iterate over the statements of a text: the first line, "[", "[[" or empty for a header, and the parts of the key.

    Each statement is valid TOML by itself, and none of its beginnings is.
    """
    import tomllib

    statement: list[str] = []
    attempts = 0
    for line, row in enumerate(text.split("\n"), 1):
        statement.append(row)
        if len(statement) > 1 and not re.search(r"[]}]|\"{3}|'{3}", row):
            continue  # only these end a value of several lines
        try:
            table = tomllib.loads("\n".join(statement))
        except (ValueError, RecursionError):
            attempts += 1
            if attempts == _MOST_ATTEMPTS:
                return
            continue
        if table:
            header = re.match(r"\s*(\[{0,2})", statement[0])
            yield line - len(statement) + 1, header[1] if header else "", _list_parts(table)
        statement.clear()
        attempts = 0


def _list_parts(table: object) -> KeyPath:
    """Return the parts of the key of a statement, which is the only key of its table."""
    parts: list[str] = []
    while isinstance(table, dict) and len(table) == 1 and len(parts) < _DEEPEST:
        ((part, table),) = table.items()
        parts.append(part)
    return tuple(parts)


def _resolve_header(parts: KeyPath, arrays: dict[KeyPath, int], *, repeated: bool) -> KeyPath:
    """Return the path that a header opens; the name of an array of tables stands for its last table."""
    path: KeyPath = ()
    for part in parts[:-1] if repeated else parts:
        path = (*path, part)
        if path in arrays:
            path = (*path, arrays[path])
    if repeated:
        path = path + parts[-1:]
        arrays[path] = arrays.get(path, -1) + 1
        path = (*path, arrays[path])
    return path


@frozen
class Mistake:
    """One mistake: the key, the words that follow it, and the line if it is known without a search."""

    path: KeyPath
    text: str
    line: int | None = None


@frozen(kw_only=True)
class Source:
    """The source of settings: a file, or the environment if it has no path.

    Args:
        path: The file.
        name: Its name in messages.
        text: Its content, for the lines of later errors.
    """

    path: Path | None = None
    name: str = ""
    text: str = field(default="", repr=False)

    @property
    def folder(self) -> Path:
        """What relative paths in it are relative to."""
        return self.path.parent if self.path else Path()

    def create_error(self, mistakes: Iterable[Mistake], suggestion: str = "") -> ConfigError:
        """Create one error that lists all mistakes, in the order of their lines.

        Args:
            mistakes: At least one.
            suggestion: What to do; by default to correct the source.
        """
        lines = find_lines(self.text)
        located = [(_find_line(lines, mistake), mistake) for mistake in mistakes]
        located.sort(key=lambda pair: pair[0] or 0)
        errors = [self._describe(line, mistake) for line, mistake in located]
        first = {name: errors[0][name] for name in ("file", "line", "key")}
        return ConfigError(
            "\n".join(entry["message"] for entry in errors),
            suggestion=suggestion or f"Correct {self.name or 'the variable'} and start again.",
            details={**first, "errors": errors},
        )

    def _describe(self, line: int | None, mistake: Mistake) -> dict[str, Any]:
        key = format_key(mistake.path)
        place = ":".join(str(part) for part in (self.name, line) if part)
        text = f"{key} {mistake.text}".strip()
        message = f"{place}: {text}" if place else text
        return {"file": str(self.path) if self.path else None, "line": line, "key": key or None, "message": message}


def _find_line(lines: dict[KeyPath, int], mistake: Mistake) -> int | None:
    """Return the line of the longest prefix of the key that is in the file."""
    if mistake.line is not None:
        return mistake.line
    prefixes = (mistake.path[:length] for length in range(len(mistake.path), 0, -1))
    return next((lines[prefix] for prefix in prefixes if prefix in lines), None)
