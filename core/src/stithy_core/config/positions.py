"""On which line of a TOML text each key stands: tomllib does not tell.

The text has been parsed before, so that this scan may trust it.
"""

import re
import tomllib
from collections.abc import Iterator

from stithy_core.config.wording import KeyPath

_BASIC = r'"(?:[^"\\\n]|\\.)*"'
_LITERAL = r"'[^'\n]*'"
_PIECE = re.compile(
    rf'"""(?:[^\\]|\\.)*?"""(?:"{{0,2}})|\'\'\'.*?\'\'\'\'{{0,2}}|{_BASIC}|{_LITERAL}'
    r"|#[^\n]*|[\[\]{}\n]|[^\[\]{}\n\"'#]+|.",
    re.DOTALL,
)
_KEY = rf"(?:[A-Za-z0-9_-]+|{_BASIC}|{_LITERAL})"
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_HEADER = re.compile(rf"\s*(\[\[?)[ \t]*({_DOTTED})")
_ENTRY = re.compile(rf"\s*({_DOTTED})[ \t]*=")
_ONE_KEY = re.compile(_KEY)
_DEEPEST = 32
"""Keys deeper than this share a line: every prefix is stored, which would be quadratic."""


def lines_of(text: str) -> dict[KeyPath, int]:
    """Return the line of the first mention of every key outside of inline tables.

    A key's path has an index behind the name of an array of tables: ("rules", 0, "name").
    """
    lines: dict[KeyPath, int] = {}
    arrays: dict[KeyPath, int] = {}
    base: KeyPath = ()
    for line, statement in _statements(text):
        if header := _HEADER.match(statement):
            path = base = _table(_parts(header[2]), arrays, repeated=header[1] == "[[")
        elif entry := _ENTRY.match(statement):
            path = base + _parts(entry[1])
        else:
            continue
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], line)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Iterate over headers and whole `key = value` statements of any number of lines, each with its first line."""
    depth, line, start, held = 0, 1, 1, list[str]()
    for piece in _PIECE.findall(text):
        depth += (piece in "[{") - (piece in "]}")
        line += piece.count("\n")
        if piece == "\n" and depth == 0:
            yield start, "".join(held)
            start, held = line, []
        elif not piece.startswith("#"):
            held.append(piece)
    yield start, "".join(held)


def _parts(key: str) -> KeyPath:
    """Split a dotted key; tomllib knows how to unquote it."""
    parts: list[str] = []
    shallow = ".".join(_ONE_KEY.findall(key)[:_DEEPEST])
    table = tomllib.loads(f"{shallow} = 0")
    while isinstance(table, dict):
        ((name, table),) = table.items()
        parts.append(name)
    return tuple(parts)


def _table(parts: KeyPath, arrays: dict[KeyPath, int], *, repeated: bool) -> KeyPath:
    """Return the path that a header opens: the name of an array of tables means its latest table."""
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
