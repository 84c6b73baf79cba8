"""What a call is answered with."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen


@frozen
class Answer:
    """An object for programs, and a short text that is enough to act on."""

    structured: Mapping[str, Any]
    text: str
    is_error: bool = False
