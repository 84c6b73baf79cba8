"""What a GraphQL answer means: a success may carry errors."""

import re
from functools import lru_cache
from typing import Any

import httpx

from stithy_core.http.faults import Faults

MOST_ERRORS = 10
# Strings and comments may hold anything, braces as well.
_WORDS = re.compile(r'"""(?:\\"""|(?!""").)*"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[{}()]|\w+', re.DOTALL)


@lru_cache(maxsize=256)
def is_mutation(document: str) -> bool:
    """Say whether a document has an operation that changes something, whatever its caller says of it."""
    depth = 0
    for word in _WORDS.findall(document):
        depth += (word in "{(") - (word in ")}")
        if depth == 0 and word == "mutation":
            return True
    return False


def data_of(faults: Faults, response: httpx.Response, body: Any, *, writes: bool) -> Any:
    """Give the data of an answer of status 200.

    Args:
        faults: Say what a failure means.
        response: The answer.
        body: Its JSON, as `GraphQLAnswer` expects it.
        writes: Whether something was to be changed.

    Raises:
        ForgeError: It carries errors; what data came beside them is in `details["data"]`.
    """
    if errors := body.get("errors"):
        listed = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
        said = str(listed[0].get("message") or "") if listed else ""
        error = faults.meant(response, body, said, writing=writes)
        error.details.setdefault("errors", listed[:MOST_ERRORS])
        if body.get("data") is not None:
            error.details.setdefault("data", body["data"])
        raise error
    return body["data"]
