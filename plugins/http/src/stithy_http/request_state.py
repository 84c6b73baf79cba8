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
        identity: What tells apart whose forge tokens are used.
        route: The template of the path that answers; empty where none does.
        refused: The word for why the server did not go on with it; empty where it did.
    """

    id: str = field(factory=lambda: uuid4().hex)
    caller: str = ""
    identity: str = ""
    route: str = ""
    refused: str = ""


def mark_of(scope: MutableMapping[str, Any]) -> Mark:
    """Give the mark of a request; it is made at the first question."""
    if KEY not in scope:
        scope[KEY] = Mark()
    mark: Mark = scope[KEY]
    return mark
