"""What a GraphQL answer means: a success may carry errors."""

from typing import Any

import httpx

from stithy_core.http.faults import Faults

MOST_ERRORS = 10


def data_of(faults: Faults, response: httpx.Response, body: Any, *, writes: bool) -> Any:
    """Give the data of an answer of status 200.

    Args:
        faults: Say what a failure means.
        response: The answer.
        body: Its JSON.
        writes: Whether something was to be changed.

    Raises:
        ForgeError: It carries errors; what data came beside them is in `details["data"]`.
    """
    answer = body if isinstance(body, dict) else {}
    if errors := answer.get("errors"):
        listed = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
        said = str(listed[0].get("message") or "") if listed else ""
        error = faults.meant(response, body, said, writing=writes)
        error.details.setdefault("errors", listed[:MOST_ERRORS])
        if answer.get("data") is not None:
            error.details.setdefault("data", answer["data"])
        raise error
    if "data" not in answer:
        raise faults.unreadable(response.status_code, "its body has neither data nor errors", writing=writes)
    return answer["data"]
