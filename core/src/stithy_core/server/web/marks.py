"""What is known of a request under way: its name in logs, and who sent it."""

from collections.abc import MutableMapping
from typing import Any
from uuid import uuid4

from attrs import define, field

KEY = "stithy"


@define(eq=False)
class Mark:
    """What is known of a request.

    Args:
        id: What names it in the log and in the answer.
        caller: What tells callers apart.
        route: The template of the path that answers it; empty where none does.
    """

    id: str = field(factory=lambda: uuid4().hex)
    caller: str = ""
    route: str = ""


def mark_of(scope: MutableMapping[str, Any]) -> Mark:
    """Give the mark of a request; it is made at the first question."""
    mark: Mark = scope.setdefault(KEY, Mark())
    return mark
