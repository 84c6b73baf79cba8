"""A tool in words, from its live schema, in the form of ARCH-10."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from stithy_core.spi import ToolInfo

_SAID = re.compile(r"\s*\((?:optional|e\.g\.[^()]*)\)$")
"""What the description of an argument says by the way, and the line says by itself or has no room for."""


def described(card: ToolInfo) -> str:
    """Describe a tool."""
    return "\n".join(_lines(card))


def _lines(card: ToolInfo) -> Iterator[str]:
    yield f"Tool: {card.name}"
    first = card.description.strip().partition("\n")[0]
    yield f"Description: {first}"
    yield "Parameters:"
    required = card.input.get("required", ())
    for name, schema in card.input.get("properties", {}).items():
        need = "required" if name in required else "optional"
        told = " ".join(part for part in (_SAID.sub("", schema.get("description", "")), _limits(schema)) if part)
        yield f"  - {name} ({need}): {told}".rstrip(" :")


def _limits(schema: Mapping[str, Any]) -> str:
    plain = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if plain.get("type") == "string" and "maxLength" in plain and plain["maxLength"] >= _WORTH_SAYING:
        return f"(max {plain['maxLength']} chars)"
    if "enum" in plain:
        return f"({', '.join(map(str, plain['enum']))})"
    if "minimum" in plain and "maximum" in plain:
        return f"({plain['minimum']} to {plain['maximum']})"
    return ""


_WORTH_SAYING = 501
"""Limits up to this many characters are those of names, which nobody reaches."""
