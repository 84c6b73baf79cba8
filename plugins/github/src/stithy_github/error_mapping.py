"""Map error responses of GitHub to errors (docs/forge-behaviour/github.md#rate-limits).

The order is GitHub's own: a limit before anything else, since 403 stands for limits and for missing rights alike.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from stithy_core.spi import (
    Archived,
    Conflict,
    ErrorResponse,
    Forbidden,
    ForgeError,
    Locked,
    NotFound,
    RateLimited,
    Rejected,
    TooLarge,
    Unauthorized,
    Unavailable,
    Unclear,
)
from stithy_github.missing_permissions import create_forbidden

TOO_LARGE = "too_large"
TOO_LONG = "is too long"


def map_error(refusal: ErrorResponse) -> ForgeError | None:
    """Tell what is wrong from GitHub's headers and words; None leaves it to the status."""
    if (limit := map_rate_limit(refusal)) is not None:
        return limit
    meaning = BY_STATUS.get(refusal.status)
    # What is no object is not the API's: a proxy's page, say.
    return meaning(refusal) if meaning is not None and isinstance(refusal.body, dict) else None


def format_response(refusal: ErrorResponse) -> str:
    """Quote the answer: its status, its message, and what is wrong with each field."""
    complaints = refusal.body.get("errors")
    texts = [
        refusal.message,
        *(_format_field_error(error) for error in (complaints if isinstance(complaints, list) else ())),
    ]
    return f"GitHub answered {refusal.status}: " + "; ".join(text for text in texts if text)


def _format_field_error(error: Mapping[str, Any] | str) -> str:
    """Read what is wrong with one field: a text, or an object that may hold one."""
    if isinstance(error, str):
        return error
    place = ".".join(error[key] for key in ("resource", "field") if error.get(key))
    text = error.get("message") or str(error.get("code") or "").replace("_", " ")
    return f"{place}: {text}" if place else str(text)


def _map_unauthorized(refusal: ErrorResponse) -> ForgeError:
    remedy = "Check the token of this forge, or set one: `stithy doctor` says where it is read from."
    return Unauthorized(format_response(refusal), suggestion=remedy)


def _map_forbidden(refusal: ErrorResponse) -> ForgeError:
    text = format_response(refusal)
    return (map_blocked_write(text) if refusal.writing else None) or create_forbidden(refusal.headers, text)


def _map_not_found(refusal: ErrorResponse) -> ForgeError:
    remedy = "Check the name, and that the token may read it: what is private looks absent to one that may not."
    return NotFound(format_response(refusal), suggestion=remedy)


def _map_too_large(refusal: ErrorResponse) -> ForgeError | None:
    if TOO_LARGE not in str(refusal.body.get("errors")):
        return None
    return TooLarge(format_response(refusal), suggestion="Read the changed files one by one, with their patches.")


def _map_conflict(refusal: ErrorResponse) -> ForgeError:
    return Conflict(
        format_response(refusal), suggestion="Read it again: it changed, or it does not allow this as it is."
    )


def _map_gone(refusal: ErrorResponse) -> ForgeError:
    return NotFound(format_response(refusal), suggestion="It was deleted, or the repository has this switched off.")


def _map_invalid(refusal: ErrorResponse) -> ForgeError:
    text = format_response(refusal)
    remedy = "Shorten the text, or post it in parts." if TOO_LONG in text else "Mend what it names."
    return (map_blocked_write(text) if refusal.writing else None) or Rejected(text, suggestion=remedy)


def _map_legal_block(refusal: ErrorResponse) -> ForgeError:
    page = (refusal.body.get("block") or {}).get("html_url")
    more = f" GitHub says more at {page}." if page else ""
    return Forbidden(
        format_response(refusal), suggestion=f"It is blocked for legal reasons; no token changes that.{more}"
    )


LIMIT_STATUSES = (403, 429)
TOO_MANY = 429
INVALID = 422
SECONDARY = ("secondary rate limit", "abuse")
TOO_QUICK = "submitted too quickly"
DEFAULT_WAIT = 60.0
"""Seconds to wait where GitHub does not say how many; its documentation asks for no less."""


def map_rate_limit(refusal: ErrorResponse) -> RateLimited | None:
    """Tell a limit from everything else that has the same status."""
    if refusal.status == INVALID and TOO_QUICK in str(refusal.body):
        return _map_secondary_limit(refusal, DEFAULT_WAIT)
    if refusal.status not in LIMIT_STATUSES:
        return None
    if "retry-after" in refusal.headers:
        return _map_secondary_limit(refusal, None)  # the client reads the header, in both of its forms
    if refusal.headers.get("x-ratelimit-remaining") == "0":
        return map_spent_budget(refusal)
    if refusal.status == TOO_MANY or any(words in refusal.message.lower() for words in SECONDARY):
        return _map_secondary_limit(refusal, DEFAULT_WAIT)
    return None


def map_spent_budget(refusal: ErrorResponse) -> RateLimited:
    """Say that the budget of an hour is spent, and when the next begins."""
    resource = refusal.headers.get("x-ratelimit-resource", "")
    of = f" for {resource}" if resource else ""
    text = f"GitHub's budget of {refusal.headers.get('x-ratelimit-limit', 'all')} requests an hour{of} is spent"
    remedy = "Wait until it is full again; without a token it is small, so set one if there is none."
    return RateLimited(text, suggestion=remedy, retry_after=_seconds_until_reset(refusal.headers))


def _map_secondary_limit(refusal: ErrorResponse, wait: float | None) -> RateLimited:
    text = f"GitHub wants fewer requests at a time ({refusal.status}: {refusal.message})"
    return RateLimited(text, suggestion="Wait as long as it says, and ask for less at once.", retry_after=wait)


def _seconds_until_reset(headers: Mapping[str, str]) -> float:
    """Count the seconds by the server's own clock, and one more."""
    try:
        reset = datetime.fromtimestamp(int(headers["x-ratelimit-reset"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return DEFAULT_WAIT
    try:
        now = parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        now = datetime.now(UTC)
    return max(0.0, (reset - now.astimezone(UTC)).total_seconds()) + 1.0


ARCHIVED = "archived so is read-only"
LOCKED = re.compile(r"\block(ed)?\b", re.IGNORECASE)
PENDING = "one pending review"


def map_blocked_write(text: str) -> ForgeError | None:
    """Find an archived repository, a locked conversation or a review that was begun and not sent."""
    if ARCHIVED in text:
        return Archived(text, suggestion="Its owner can unarchive it.")
    if PENDING in text:
        remedy = "Submit or discard the pending review on the pull request's page, then repeat the call."
        return Conflict(f"{text} (the token's user has begun a review and not sent it)", suggestion=remedy)
    if LOCKED.search(text):
        remedy = "Only people with write access to the repository may comment, or unlock it."
        return Locked(text, suggestion=remedy)
    return None


LIMIT_TYPES = {"RATE_LIMITED", "RATE_LIMIT"}
RIGHT_TYPES = {"FORBIDDEN", "INSUFFICIENT_SCOPES"}
TOO_MANY_NODES = "MAX_NODE_LIMIT_EXCEEDED"
TOO_HEAVY = "RESOURCE_LIMITS_EXCEEDED"
"""What the answer to one question may cost GitHub, whatever was asked before; it does not say how much that is.

Source: GitHub's changelog of 2025-09-01, "GraphQL API resource limits".
"""
SERVER_FAULT = "something went wrong"
"""How GitHub begins what it says of a time-out or a fault of its own; such an error has no type."""


def map_graphql_errors(refusal: ErrorResponse) -> ForgeError:
    """Tell by the types of the errors; what has no type is a fault of GitHub's, or of the question."""
    error = _map_types(refusal)
    error.details["types"] = sorted(_types(refusal))
    return error


def _map_types(refusal: ErrorResponse) -> ForgeError:
    types = _types(refusal)
    text = "GitHub's GraphQL says: " + "; ".join(_messages(refusal))
    if types & LIMIT_TYPES:
        return map_spent_budget(refusal)
    if refusal.writing and (state := map_blocked_write(text)) is not None:
        return state
    if types & RIGHT_TYPES:
        return create_forbidden(refusal.headers, text)
    if "NOT_FOUND" in types:
        remedy = "Check the name, and that the token may read it: what is private looks absent to one that may not."
        return NotFound(text, suggestion=remedy)
    if SERVER_FAULT in text.lower() or TOO_HEAVY in types:
        return Unclear(text) if refusal.writing else Unavailable(text, suggestion="Ask again, or ask for less at once.")
    return Rejected(text, suggestion="Ask for less at once." if TOO_MANY_NODES in types else "Mend what it names.")


def _types(refusal: ErrorResponse) -> set[str]:
    return {str(error["type"]) for error in _errors(refusal) if error.get("type")}


def _messages(refusal: ErrorResponse) -> list[str]:
    return [str(error.get("message") or error.get("type") or "an error") for error in _errors(refusal)]


def _errors(refusal: ErrorResponse) -> list[Mapping[str, Any]]:
    listed = refusal.body.get("errors")
    return [error for error in listed if isinstance(error, dict)] if isinstance(listed, list) else []


BY_STATUS: dict[int, Callable[[ErrorResponse], ForgeError | None]] = {
    200: map_graphql_errors,
    400: _map_invalid,
    401: _map_unauthorized,
    403: _map_forbidden,
    404: _map_not_found,
    406: _map_too_large,
    409: _map_conflict,
    410: _map_gone,
    422: _map_invalid,
    451: _map_legal_block,
}
