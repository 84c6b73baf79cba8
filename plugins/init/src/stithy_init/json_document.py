"""Edit JSON with comments and trailing commas; everything else in the text stays as it is."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from stithy_init.plain_data import nest_value

# What has no end reaches to the end of the text; otherwise each later mark would be searched for its end.
_STRING = r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)'
_COMMENT = re.compile(rf"{_STRING}|(//[^\r\n]*|/\*.*?\*/)|/\*.*", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_STRING}|(,)(?=\s*[}}\]])", re.DOTALL)
_SPACE = re.compile(r"\s*")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_DECODER = json.JSONDecoder()


@frozen
class _Member:
    """One member of an object, by positions in the text: its key, and the beginning and end of its value."""

    name: str
    start: int
    value: int
    end: int


def parse(text: str) -> Any:
    """Parse JSON with comments and trailing commas.

    Raises:
        ValueError: It is something else.
    """
    plain = _blank(_TRAILING_COMMA, _blank(_COMMENT, text))
    return json.loads(plain) if plain.strip() else {}


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value at a path of keys. New members come first, so that no existing line changes."""
    newline = "\r\n" if "\r\n" in text else "\n"
    bare = _blank(_COMMENT, text)
    plain = _blank(_TRAILING_COMMA, bare)
    if not plain.strip():
        return f"{text}{_format(nest_value(path, value), '  ', newline, '')}{newline}"
    start, members = _find_object(plain, path[:-1])
    if start is None:
        depth = next(n for n in range(len(path)) if _find_object(plain, path[: n + 1])[0] is None)
        return set_value(text, path[: depth + 1], nest_value(path[depth + 1 :], value))
    own = [member for member in members if member.name == path[-1]]
    if own:
        written = _format(value, _find_unit(plain), newline, _line_indent(plain, own[-1].start))
        return text[: own[-1].value] + written + text[own[-1].end :]
    return _insert(text, plain, (start, members), (path[-1], value))


def _insert(text: str, plain: str, found: tuple[int, Sequence[_Member]], member: tuple[str, Any]) -> str:
    """Insert a member as the first one of the object that begins at a position and has these members."""
    start, members = found
    key, value = json.dumps(member[0], ensure_ascii=False), member[1]
    unit, newline = _find_unit(plain), "\r\n" if "\r\n" in text else "\n"
    line_end = next(n for n in range(start + 1, len(plain)) if not plain[n].isspace() or plain[n] in "\r\n")
    outer = _line_indent(plain, start)
    if plain[line_end] in "\r\n":
        inner = _line_indent(plain, members[0].start) if members else outer + unit
        added = f"{newline}{inner}{key}: {_format(value, unit, newline, inner)}{',' if members else ''}"
        return text[:line_end] + added + text[line_end:]
    if members:
        first = members[0].start
        return f"{text[:first]}{key}: {json.dumps(value, ensure_ascii=False)}, {text[first:]}"
    added = f"{newline}{outer}{unit}{key}: {_format(value, unit, newline, outer + unit)}{newline}{outer}"
    return text[: start + 1] + added + text[start + 1 :].lstrip(" \t")


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the member at a path, and without its comma; unchanged if there is none."""
    bare = _blank(_COMMENT, text)
    parent, members = _find_object(_blank(_TRAILING_COMMA, bare), path[:-1])
    number = next((n for n, member in enumerate(members) if member.name == path[-1]), None)
    if number is None:
        return text
    start, end = members[number].start, members[number].end
    after = _skip_space(bare, end)
    if bare[after] == ",":
        end = after + 1
    elif number:
        comma = bare.index(",", members[number - 1].end)
        text, bare = text[:comma] + text[comma + 1 :], bare[:comma] + bare[comma + 1 :]
        start, end = start - 1, end - 1
    cut = _remove_span(text, start, end)
    if (
        parent is not None
        and not cut[parent + 1 : (close := _skip_space(cut, parent + 1))].strip()
        and cut[close] == "}"
    ):
        cut = cut[: parent + 1] + cut[close:]
    return remove_value(cut, path)  # a name may stand twice


def _remove_span(text: str, start: int, end: int) -> str:
    """Remove a span; a line of which only white space is left goes as well."""
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t")
    if before.endswith(("\n", "\r")) and after.startswith(("\n", "\r")):
        return before.removesuffix("\n").removesuffix("\r") + after
    return text[:start] + after


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace what the first group matches with spaces, so that all positions stay the same."""
    return pattern.sub(lambda match: " " * len(match[0]) if match[1] else match[0], text)


def _find_object(plain: str, path: Sequence[str]) -> tuple[int | None, Sequence[_Member]]:
    """Return the position of the object at a path, and its members; None and nothing if there is no such object.

    Raises:
        ValueError: A value on the way is of another type.
    """
    start = _skip_space(plain, 0)
    members = _read_members(plain, start)
    for name in path:
        found = [member for member in members if member.name == name]
        if not found:
            return None, ()
        start = found[-1].value
        members = _read_members(plain, start)
    return start, members


def _read_members(plain: str, start: int) -> Sequence[_Member]:
    if plain[start] != "{":
        raise ValueError("expected an object")
    members = []
    position = _skip_space(plain, start + 1)
    while plain[position] != "}":
        name, end = _DECODER.raw_decode(plain, position)
        value = _skip_space(plain, _skip_space(plain, end) + 1)
        _, end = _DECODER.raw_decode(plain, value)
        members.append(_Member(name, position, value, end))
        position = _skip_space(plain, end)
        if plain[position] == ",":
            position = _skip_space(plain, position + 1)
    return members


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _line_indent(plain: str, position: int) -> str:
    line = re.split(r"[\r\n]", plain[:position])[-1]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _find_unit(plain: str) -> str:
    """Return the white space of one level, as far as the first indented line shows it."""
    return match[1] if (match := _INDENT.search(plain)) else "  "


def _format(value: Any, unit: str, newline: str, indent: str) -> str:
    """Format a value whose first line is indented already; short lists stay in one line."""
    if not isinstance(value, Mapping) or not value:
        return json.dumps(value, ensure_ascii=False)
    rows = [
        f"{indent}{unit}{json.dumps(name, ensure_ascii=False)}: {_format(each, unit, newline, indent + unit)}"
        for name, each in value.items()
    ]
    return "{" + newline + f",{newline}".join(rows) + f"{newline}{indent}" + "}"
