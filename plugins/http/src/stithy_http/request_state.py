"""What is known of a request in progress: its id, its caller, and what became of it."""

from collections.abc import MutableMapping
from typing import Any
from uuid import uuid4

from attrs import define, field

KEY = "stithy"
"""Key of the state in the ASGI scope."""


@define(eq=False)
class RequestState:
    """What is known of a request.

    Args:
        id: Identifies it in the log and in the answer.
        caller: The name or the address of the caller.
        identity: A hash of the caller's forge tokens; empty if it sent none.
        route: The path template of the endpoint that answers; empty for an unknown path.
        refused: The error code, if the server refused the request; otherwise empty.
    """

    id: str = field(factory=lambda: uuid4().hex)
    caller: str = ""
    identity: str = ""
    route: str = ""
    refused: str = ""


def get_request_state(scope: MutableMapping[str, Any]) -> RequestState:
    """Return the state of a request; the first call creates it."""
    if KEY not in scope:
        scope[KEY] = RequestState()
    state: RequestState = scope[KEY]
    return state
