"""Whether object and text of an answer have the same facts: some hosts get the text alone, programs read the object."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

MARK = re.compile(r"\[\d+ chars\]")
SHORT_SHA = re.compile(r"\b[0-9a-f]{7,40}\b")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
SHORTEST = 3
"""Characters of a value that can be recognised in a line; shorter ones stand in any text by chance."""


def lines_beyond(structured: Mapping[str, Any], text: str) -> list[str]:
    """Return the lines of a text that say what its object does not.

    A line is covered if the object's `note` has it. Otherwise it must show at least one value of the object, and every
    number in it must be a number of the object, part of one of its texts, or the length of one of its lists; a
    shortened SHA counts for the whole one. A line that begins with `…` or a fence speaks of the text alone, and so does
    the mark `[40000 chars]` of a shortened one.
    """
    noted = set(str(structured.get("note", "")).split("\n"))
    values = list(_values(structured))
    texts = [_plain(value) for value in values if isinstance(value, str)]
    numbers = {_digits(number) for value in values for number in NUMBER.findall(str(value))} | {"0"}
    return [
        line
        for line in text.split("\n")
        if line.strip(" -`")
        and not line.lstrip().startswith(("…", "```"))
        and line not in noted
        and not _is_covered(_plain(MARK.sub("", line)), texts, numbers)
    ]


def _is_covered(line: str, texts: Sequence[str], numbers: set[str]) -> bool:
    for sha in SHORT_SHA.findall(line):  # cut within a number, it ends with another one than the whole SHA has there
        if whole := next((text for text in texts if text.startswith(sha)), ""):
            line = line.replace(sha, whole)
    found = {_digits(number) for number in NUMBER.findall(line)}
    shows_text = any(len(text) >= SHORTEST and (text in line or line in text) for text in texts)
    shows_part = any(len(part) > SHORTEST for text in texts for part in _parts(text) if part in line)
    return found <= numbers and (bool(found) or shows_text or shows_part)


def _parts(text: str) -> Iterator[str]:
    """Iterate over the beginnings that `excerpt` leaves of a long text, and over its lines."""
    yield text[:40]
    yield from text.split(" ")[:1]


def _values(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield len(value)
        for key, inner in value.items():
            yield str(key)
            yield from _values(inner)
    elif isinstance(value, list):
        yield len(value)
        for inner in value:
            yield from _values(inner)
    elif value is not None and not isinstance(value, bool):
        yield value


def _plain(text: str) -> str:
    return " ".join(text.replace("_", " ").split()).lower()


def _digits(number: str) -> str:
    return number.replace(",", "").rstrip(".")


SHOWN = 60
"""Characters of a long text that must be in the text of the answer: its beginning identifies it."""
COMMIT = re.compile(r"[0-9a-f]{40}")
SHORT = 10
"""Characters of a commit that identify it."""
GUTTER = re.compile(r"^ *\| ?|^ +", re.MULTILINE)


def facts_beyond(structured: Mapping[str, Any], text: str, known: Container[str] = ()) -> dict[str, Any]:
    """Return the values of an object that its text does not have, the first of each field.

    A commit may be shortened, a long text cut, and the URL of an item replaced with a pattern in which ID stands for
    its id. Not compared are 0 and empty values, which say nothing, and true and false, which a text says in words.

    Args:
        structured: The object.
        text: The text.
        known: Fields that only the object has, such as `runs[].url`.
    """
    seen = _plain(GUTTER.sub("", text))
    numbers = {_digits(number) for number in NUMBER.findall(text)}
    missing: dict[str, Any] = {}
    for path, value in _leaves(structured, ""):
        if path not in known and not _is_shown(value, seen, numbers):
            missing.setdefault(path, value)
    return missing


def _is_shown(value: Any, text: str, numbers: Container[str]) -> bool:
    if value in (None, "", 0) or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return _digits(f"{value:g}" if isinstance(value, float) else str(value)) in numbers
    plain = _plain(GUTTER.sub("", value))
    if plain in text or (plain[:SHOWN] in text and len(plain) > SHOWN):
        return True
    if COMMIT.fullmatch(plain):
        return plain[:SHORT] in text
    return plain.startswith("http") and any(
        url in text or f"#{url.partition('#')[2]}" in text
        for url in (re.sub(r"(?<=discussion r)\w+$", "id", plain), re.sub(r"[^/#-]+$", "id", plain))
    )


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, f"{path}[]")
    else:
        yield path, value
