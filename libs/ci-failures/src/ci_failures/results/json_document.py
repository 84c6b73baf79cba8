"""One JSON document, read as a whole up to a limit, and values of it whose type is not certain."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from ci_failures.results.tally import Tally, UnreadableFile
from ci_failures.results.text import Text

LARGEST = 64 << 20
"""Bytes at most, since a JSON document is in memory as a whole."""


def load_document(text: Text) -> object:
    """Return the document; if other output follows behind it, that is recorded in the text.

    Raises:
        UnreadableFile: It is not JSON, or too large.
    """
    text.limited(LARGEST)
    pieces = []
    while piece := text.read():
        pieces.append(piece)
    try:
        whole = "".join(pieces).lstrip("\ufeff \t\r\n")
        document, end = json.JSONDecoder().raw_decode(whole)
        text.has_excess = bool(whole[end:].strip())
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"its JSON is damaged: {error}") from error
    return cast("object", document)


def iterate_lines(text: Text) -> Iterator[Mapping[str, Any]]:
    """Iterate over the objects of a file that has one on each line; other lines are skipped."""
    for line in text.lines():
        if line.lstrip().startswith("{"):
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(event, Mapping):
                yield event


def check_verdict(tally: Tally, success: object) -> None:
    """Record a gap if a report says that the run failed, and no failure was read from it."""
    if success is False and not tally.found:
        tally.add_gap("it says that the run failed")


def as_mapping(value: object) -> Mapping[str, Any]:
    """Return a value that is an object; otherwise an empty one."""
    return value if isinstance(value, Mapping) else {}


def list_mappings(value: object) -> list[Mapping[str, Any]]:
    """Return the objects in a value that is an array."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return a value that is a text; otherwise an empty one."""
    return value if isinstance(value, str) else ""


def as_number(value: object) -> int | None:
    """Return a value that is a positive number, as lines are; otherwise None."""
    return value if isinstance(value, int) and value > 0 else None
