"""The arguments of a call as the log may have them (ARCH-19): no secret, no text that somebody wrote, nothing long."""

from collections.abc import Mapping
from typing import Any

from stithy_core.redaction import MASK, redact
from stithy_core.spi.fields import WORKFLOW_ARGUMENT

SHOWN = 100
"""Characters of a text that are shown."""
BITS = 1_024
WRITTEN = frozenset({"body", "code", "content", "description", "message", "text", "title"})
"""What people write stands in arguments of these names, however short it is; so do texts of several lines."""


def logged(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Shorten arguments: who knows a handle may use its workflow."""
    return _each(arguments) | ({WORKFLOW_ARGUMENT: MASK} if WORKFLOW_ARGUMENT in arguments else {})


def _each(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {_shorten(key): _sized(value) if key in WRITTEN else _shorten(value) for key, value in arguments.items()}


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return _each(value)
    if isinstance(value, int) and value.bit_length() > BITS:
        return f"[a number of {value.bit_length()} bits]"  # Python may be unwilling to write it
    return [_shorten(item) for item in value] if isinstance(value, list) else value


def _text(value: str) -> str:
    if "\n" in value:
        return _size(value)
    text = redact(value)
    return text if len(value) <= SHOWN else f"{text[:SHOWN]}… {_size(value)}"


def _sized(value: Any) -> Any:
    return _size(value) if isinstance(value, str) else _shorten(value)


def _size(value: str) -> str:
    return f"[{len(value)} chars]"
