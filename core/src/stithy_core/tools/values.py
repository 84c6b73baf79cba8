"""From texts to values: command lines and the arguments of prompts have only texts."""

import json
from collections.abc import Mapping
from typing import Any


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """Read what somebody typed: as it is where a text is wanted, else as JSON, if it is any."""
    if schema.get("type") == "string":
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
