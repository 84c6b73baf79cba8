"""Front matter: YAML that is parsed as text, with limits.

A fault in it never makes the document unreadable.
"""

import re
from typing import Any

import yaml
from attrs import field, frozen

LARGEST = 64 * 1024
"""Maximum number of characters that are parsed as YAML."""

_MOST_EVENTS = 10_000
_DEEPEST = 20
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FENCED = re.compile(r"\A(?:[ \t]*\n)*---[ \t]*\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_PLAIN = re.compile(r"^([A-Za-z](?:[ ]*+[\w.-]++)*+)[ \t]*+:(?:[ \t]+(.*))?$")
_QUOTED = re.compile(r"""^(["'])(.*)\1$""")
_COMMENT = re.compile(r"(?:^|(?<![ \t])[ \t]++)#.*$")


@frozen
class FrontMatter:
    """The front matter of a document.

    Args:
        values: Plain JSON values: texts, lists and mappings. Nothing becomes a date, number or boolean, so that
            `status: no` stays as written.
        lines: The line number of each key.
        last: Its last line; 0 without one.
        fault: Why it is invalid YAML; then `values` has only those of its `key: value` lines.
        fault_line: Line number of the fault.
    """

    values: dict[str, object] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    last: int = 0
    fault: str = ""
    fault_line: int | None = None


def parse_front_matter(text: str) -> FrontMatter:
    """Parse the front matter between `---` lines at the start of a document."""
    if not text.lstrip(" \t\n").startswith("---"):
        return FrontMatter()
    found = _FENCED.match(text[: LARGEST + 16])
    if found is None or ":" not in found[1]:
        return FrontMatter()
    before = text.count("\n", 0, found.start(1))
    return parse_mapping(found[1], before=before, last=text.count("\n", 0, found.end()) + (not found[0].endswith("\n")))


def parse_mapping(text: str, *, before: int = 0, last: int = 0) -> FrontMatter:
    """Parse a mapping.

    Args:
        text: The YAML text.
        before: Number of lines above it.
        last: Last line of the enclosing block.
    """
    plain, lines = _parse_plain_lines(text, before)
    try:
        values = _build_values(text)
        if isinstance(values, dict):
            return FrontMatter({key.strip().lower(): value for key, value in values.items()}, lines, last)
        fault, line = "not a mapping", before + 1
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        fault, line = str(error.problem or "invalid YAML"), before + 1 + (mark.line if mark else 0)
    except (yaml.YAMLError, ValueError) as error:
        fault, line = str(error), before + 1
    return FrontMatter(plain, lines, last, fault, line)


def _parse_plain_lines(text: str, before: int) -> tuple[dict[str, object], dict[str, int]]:
    """Parse `key: value` lines only, for front matter that is invalid YAML."""
    values: dict[str, object] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), before + 1):
        if (found := _PLAIN.match(line)) and (key := found[1].strip().lower()) not in values:
            value = _COMMENT.sub("", found[2] or "").strip()
            quoted = _QUOTED.match(value)
            values[key], lines[key] = (quoted[2] if quoted else value), number
    return values, lines


def _build_values(text: str) -> object:
    """Build plain values from YAML events, without recursion.

    PyYAML's own constructors recurse as deep as the text nests, and libyaml's then crashes the process.

    Raises:
        ValueError: The text is too large or nested too deeply.
        YAMLError: The text is invalid YAML, has aliases, or has a key that is not text.
    """
    open_: list[tuple[bool, list[object]]] = [(False, [])]
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        if count > _MOST_EVENTS or len(open_) > _DEEPEST:
            raise ValueError("too large or nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not supported")
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append((isinstance(event, yaml.MappingStartEvent), []))
        elif isinstance(event, yaml.CollectionEndEvent):
            is_mapping, parts = open_.pop()
            open_[-1][1].append(_build_mapping(parts) if is_mapping else parts)
        elif isinstance(event, yaml.ScalarEvent):
            open_[-1][1].append("" if event.implicit[0] and event.value in ("~", "null") else event.value)
    return open_[0][1][0] if open_[0][1] else None


def _build_mapping(parts: list[object]) -> dict[str, object]:
    pairs = zip(parts[::2], parts[1::2], strict=True)
    made: dict[str, object] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise yaml.YAMLError("a key is not a scalar")
        made[key] = value
    return made
