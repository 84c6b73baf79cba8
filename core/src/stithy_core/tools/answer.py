"""The answer to a call, and the notes that stand in it beside the tool's own fields."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from stithy_core.redaction import in_texts
from stithy_core.sanitize import clean, sendable
from stithy_core.spi import ToolCall


@frozen
class Answer:
    """An object for programs, and a short text that is enough to act on."""

    structured: Mapping[str, Any]
    text: str
    is_error: bool = False


def note_bytes(call: ToolCall) -> int:
    """Return how many bytes of the answer's budget the notes of a call take, with those that are reserved."""
    if not call.notes:
        return call.reserved
    from stithy_core.tools.shrink import json_bytes  # a start needs none of it

    return call.reserved + json_bytes(_fields(call)) + json_bytes(_lines(call))


def add_notes(answer: Answer, call: ToolCall) -> Answer:
    """Return an answer with the notes of its call."""
    text = f"{answer.text}\n{_lines(call)}"
    return evolve(answer, structured={**answer.structured, **_fields(call)}, text=text)


def _fields(call: ToolCall) -> dict[str, Any]:
    return {name: in_texts(value, lambda text: sendable(clean(text))) for name, (value, _) in call.notes.items()}


def _lines(call: ToolCall) -> str:
    return "\n".join(sendable(clean(line)) for _, line in call.notes.values() if line)
