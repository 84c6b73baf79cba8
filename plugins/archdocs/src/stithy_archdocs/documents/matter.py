"""Front matter: YAML that is read as text alone, with limits, and never costs the document."""

import re
from typing import Any

import yaml
from attrs import field, frozen

LARGEST = 64 * 1024
"""Characters of front matter that are read as YAML."""

_MOST_EVENTS = 10_000
_DEEPEST = 20
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FENCED = re.compile(r"\A(?:[ \t]*\n)*---[ \t]*\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_PLAIN = re.compile(r"^([A-Za-z][\w .-]*?)[ \t]*:(?:[ \t]+(.*))?$")
_QUOTED = re.compile(r"""^(["'])(.*)\1$""")
_COMMENT = re.compile(r"(?:^|[ \t]+)#.*$")


@frozen
class Matter:
    """What stands before a document.

    Args:
        values: Its keys, as plain JSON values: texts, lists and mappings. Nothing is taken for a date, a number or a
            truth value, so that `status: no` stays what was written.
        lines: The line of every key.
        last: The last line of it; 0 where there is none.
        fault: Why it is no YAML; then the values are those of its plain lines.
        fault_line: Where.
    """

    values: dict[str, object] = field(factory=dict)
    lines: dict[str, int] = field(factory=dict)
    last: int = 0
    fault: str = ""
    fault_line: int | None = None


def front_matter(text: str) -> Matter:
    """Read what stands between `---` at the beginning of a document."""
    if not text.lstrip(" \t\n").startswith("---"):
        return Matter()
    found = _FENCED.match(text[: LARGEST + 16])
    if found is None or ":" not in found[1]:
        return Matter()
    before = text.count("\n", 0, found.start(1))
    return read(found[1], before=before, last=text.count("\n", 0, found.end()) + (not found[0].endswith("\n")))


def read(text: str, *, before: int = 0, last: int = 0) -> Matter:
    """Read a mapping.

    Args:
        text: YAML.
        before: How many lines stand above it.
        last: The last line of what it is in.
    """
    plain, lines = _plain(text, before)
    try:
        values = _built(text)
        if isinstance(values, dict):
            return Matter({key.strip().lower(): value for key, value in values.items()}, lines, last)
        fault, line = "it is no mapping", before + 1
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        fault, line = str(error.problem or "it cannot be read"), before + 1 + (mark.line if mark else 0)
    except (yaml.YAMLError, ValueError) as error:
        fault, line = str(error), before + 1
    return Matter(plain, lines, last, fault, line)


def _plain(text: str, before: int) -> tuple[dict[str, object], dict[str, int]]:
    """Match lines alone."""
    values: dict[str, object] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), before + 1):
        if (found := _PLAIN.match(line)) and (key := found[1].strip().lower()) not in values:
            value = _COMMENT.sub("", found[2] or "").strip()
            quoted = _QUOTED.match(value)
            values[key], lines[key] = (quoted[2] if quoted else value), number
    return values, lines


def _built(text: str) -> object:
    """Build plain values of YAML's events, without recursion.

    PyYAML's own builders go as deep as the text says, and libyaml's ends the process there.

    Raises:
        ValueError: It is too large or too deep.
        YAMLError: It is no YAML, it has aliases, or a key is no text.
    """
    open_: list[tuple[bool, list[object]]] = [(False, [])]
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        if count > _MOST_EVENTS or len(open_) > _DEEPEST:
            raise ValueError("it is too large, or nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not followed")
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append((isinstance(event, yaml.MappingStartEvent), []))
        elif isinstance(event, yaml.CollectionEndEvent):
            is_mapping, parts = open_.pop()
            open_[-1][1].append(_mapping(parts) if is_mapping else parts)
        elif isinstance(event, yaml.ScalarEvent):
            open_[-1][1].append("" if event.implicit[0] and event.value in ("~", "null") else event.value)
    return open_[0][1][0] if open_[0][1] else None


def _mapping(parts: list[object]) -> dict[str, object]:
    pairs = zip(parts[::2], parts[1::2], strict=True)
    made: dict[str, object] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise yaml.YAMLError("a key is no text")
        made[key] = value
    return made
