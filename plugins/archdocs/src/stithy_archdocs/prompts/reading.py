"""From a prompt's file to a template: JSON as ARCH-11 has it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from stithy_archdocs.prompts.records import Argument, Message, Template

LARGEST = 1_000_000
"""Bytes of a file."""
MOST = 50
"""Arguments, and messages."""
_NAME = re.compile(r"[a-z0-9-]{1,100}")
_VARIABLE = re.compile(r"[A-Za-z0-9_-]{1,100}")


class InvalidPrompt(Exception):
    """A file is no prompt; the message says why."""


def read(data: bytes, path: str) -> Template:
    """Read a prompt.

    Raises:
        InvalidPrompt: It is no JSON, or has not the form of a prompt.
    """
    if len(data) > LARGEST:
        raise InvalidPrompt(f"it has more than {LARGEST:,} bytes")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidPrompt(f"it is no JSON in UTF-8: {str(error)[:200]}") from error
    if not isinstance(raw, dict):
        raise InvalidPrompt("it is no JSON object")
    name = _text(raw, "name")
    if not _NAME.fullmatch(name):
        raise InvalidPrompt(f"{name[:50]!r} is no name: use small letters, digits and -")
    messages = tuple(map(_message, _rows(raw, "messages")))
    if not messages:
        raise InvalidPrompt("it has no messages")
    return Template(
        name=name,
        title=_text(raw, "title", ""),
        description=_text(raw, "description", ""),
        arguments=_arguments(raw),
        messages=messages,
        workflow=raw["workflow"] if isinstance(raw.get("workflow"), bool) else None,
        path=path,
    )


def _arguments(raw: Mapping[str, Any]) -> tuple[Argument, ...]:
    found: dict[str, Argument] = {}
    for row in _rows(raw, "arguments"):
        name = _text(row, "name")
        if not _VARIABLE.fullmatch(name) or name in found:
            raise InvalidPrompt(f"{name[:50]!r} is no name of an argument, or two have it")
        longest = row.get("maxLength", Argument(name=name).longest)
        if not isinstance(longest, int) or isinstance(longest, bool) or longest < 0:
            raise InvalidPrompt(f"maxLength of {name} is no number")
        found[name] = Argument(
            name=name,
            description=_text(row, "description", ""),
            required=row.get("required") is True,
            longest=longest,
        )
    return tuple(found.values())


def _message(row: Mapping[str, Any]) -> Message:
    role, content = row.get("role"), row.get("content")
    if role not in ("user", "assistant"):
        raise InvalidPrompt(f"{str(role)[:50]!r} is no role: write user or assistant")
    if isinstance(content, str):
        return Message(role=role, text=content)
    if not isinstance(content, dict) or content.get("type") != "text":
        raise InvalidPrompt('a message has no content of the form {"type": "text", "text": …}')
    return Message(role=role, text=_text(content, "text"))


def _rows(raw: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = raw.get(name) or []
    if not isinstance(rows, list) or len(rows) > MOST or not all(isinstance(row, dict) for row in rows):
        raise InvalidPrompt(f"{name} is no list of at most {MOST} objects")
    return rows


def _text(raw: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = raw.get(name, default)
    if not isinstance(value, str):
        raise InvalidPrompt(f"{name} is no text" if name in raw else f"{name} is missing")
    return value
