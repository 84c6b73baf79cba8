"""Errors of GitHub whose headers or body say more than the HTTP status (docs/forge-behaviour/github.md#errors).

The order is GitHub's own: rate limits come first, since 403 stands for rate limits and for missing permissions alike
(docs/forge-behaviour/github.md#rate-limits).
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

LIMIT_STATUSES = (403, 429)
TOO_MANY = 429
INVALID = 422
SECONDARY = ("secondary rate limit", "abuse")
TOO_QUICK = "submitted too quickly"
DEFAULT_WAIT = 60.0
"""Seconds to wait where GitHub does not say how many; its documentation asks for no less."""

ARCHIVED = "archived so is read-only"
LOCKED = re.compile(r"\block(ed)?\b", re.IGNORECASE)
PENDING = "one pending review"
TOO_LARGE = "too_large"
TOO_LONG = "is too long"

LIMIT_TYPES = {"RATE_LIMITED", "RATE_LIMIT"}
PERMISSION_TYPES = {"FORBIDDEN", "INSUFFICIENT_SCOPES"}
TOO_MANY_NODES = "MAX_NODE_LIMIT_EXCEEDED"
TOO_HEAVY = "RESOURCE_LIMITS_EXCEEDED"
"""The limit on what a single query may cost GitHub, whatever was sent before; GitHub does not publish the figure.

Source: GitHub's changelog of 2025-09-01, "GraphQL API resource limits".
"""
SERVER_FAULT = "something went wrong"
"""The beginning of GitHub's message about a timeout or a fault of its own; such an error has no type."""


def map_error(refusal: ErrorResponse) -> ForgeError | None:
    """Return the error that a response means; None leaves it to the status."""
    if (limit := map_rate_limit(refusal)) is not None:
        return limit
    create = BY_STATUS.get(refusal.status)
    # A body that is not an object is not the API's, but a proxy's page, for example.
    return create(refusal) if create is not None and isinstance(refusal.body, dict) else None


def map_rate_limit(refusal: ErrorResponse) -> RateLimited | None:
    """Return the error of a rate limit; None if the response means something else."""
    if refusal.status == INVALID and TOO_QUICK in str(refusal.body):
        return _map_secondary_limit(refusal, DEFAULT_WAIT)
    if refusal.status not in LIMIT_STATUSES:
        return None
    if "retry-after" in refusal.headers:
        return _map_secondary_limit(refusal, None)  # the client reads the header, in both of its forms
    if refusal.headers.get("x-ratelimit-remaining") == "0":
        return _map_primary_limit(refusal)
    if refusal.status == TOO_MANY or any(words in refusal.message.lower() for words in SECONDARY):
        return _map_secondary_limit(refusal, DEFAULT_WAIT)
    return None


def _map_primary_limit(refusal: ErrorResponse) -> RateLimited:
    """Return the error of an exhausted hourly rate limit, with the seconds until it resets."""
    resource = refusal.headers.get("x-ratelimit-resource", "")
    suffix = f" for {resource}" if resource else ""
    limit = refusal.headers.get("x-ratelimit-limit", "all")
    text = f"GitHub's rate limit of {limit} requests an hour{suffix} is exhausted"
    remedy = "Wait until it resets; without a token it is small, so set one if there is none."
    return RateLimited(text, suggestion=remedy, retry_after=_seconds_until_reset(refusal.headers))


def _map_secondary_limit(refusal: ErrorResponse, wait: float | None) -> RateLimited:
    text = f"GitHub's secondary rate limit was reached ({refusal.status}: {refusal.message})"
    return RateLimited(text, suggestion="Wait as long as retry_after says, then send fewer requests.", retry_after=wait)


def _seconds_until_reset(headers: Mapping[str, str]) -> float:
    """Return the seconds until the rate limit resets by the server's own clock, plus one."""
    try:
        reset = datetime.fromtimestamp(int(headers["x-ratelimit-reset"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return DEFAULT_WAIT
    try:
        now = parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        now = datetime.now(UTC)
    return max(0.0, (reset - now.astimezone(UTC)).total_seconds()) + 1.0


def map_graphql_errors(refusal: ErrorResponse) -> ForgeError:
    """Return the error of a GraphQL response of status 200, by the types of its errors.

    An error without a type is a fault of GitHub's or of the query.
    """
    error = _map_types(refusal)
    error.details["types"] = sorted(_list_types(refusal))
    return error


def _map_types(refusal: ErrorResponse) -> ForgeError:
    types = _list_types(refusal)
    text = "GitHub's GraphQL API answered: " + "; ".join(_list_messages(refusal))
    if types & LIMIT_TYPES:
        return _map_primary_limit(refusal)
    if refusal.writing and (blocked := _map_blocked_write(text)) is not None:
        return blocked
    if types & PERMISSION_TYPES:
        return create_forbidden(refusal.headers, text)
    if "NOT_FOUND" in types:
        return _create_error(NotFound, text)
    if SERVER_FAULT in text.lower() or TOO_HEAVY in types:
        remedy = "Try again, or ask for less at once."
        return _create_error(Unclear, text) if refusal.writing else Unavailable(text, suggestion=remedy)
    return _create_error(Rejected, text, TooLarge.remedy if TOO_MANY_NODES in types else "")


def _list_types(refusal: ErrorResponse) -> set[str]:
    return {str(error["type"]) for error in _list_errors(refusal) if error.get("type")}


def _list_messages(refusal: ErrorResponse) -> list[str]:
    return [str(error.get("message") or error.get("type") or "an error") for error in _list_errors(refusal)]


def _list_errors(refusal: ErrorResponse) -> list[Mapping[str, Any]]:
    errors = refusal.body.get("errors")
    return [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []


def _map_blocked_write(text: str) -> ForgeError | None:
    """Return the error of an archived repository, a locked conversation or a pending review; else None."""
    if ARCHIVED in text:
        return Archived(text, suggestion="Its owner can unarchive it.")
    if PENDING in text:
        remedy = "Submit or discard the pending review on the pull request's page, then repeat the call."
        return Conflict(f"{text} (the token's user has a pending review)", suggestion=remedy)
    if LOCKED.search(text):
        remedy = "Only people with write access to the repository may comment, or unlock it."
        return Locked(text, suggestion=remedy)
    return None


def _format_response(refusal: ErrorResponse) -> str:
    """Format a response: its status, its message, and what is wrong with each field."""
    errors = refusal.body.get("errors")
    texts = [refusal.message, *(_format_field_error(error) for error in (errors if isinstance(errors, list) else ()))]
    return f"GitHub answered {refusal.status}: " + "; ".join(text for text in texts if text)


def _format_field_error(error: Mapping[str, Any] | str) -> str:
    """Format what is wrong with one field; GitHub sends a text, or an object that may hold one."""
    if isinstance(error, str):
        return error
    place = ".".join(error[key] for key in ("resource", "field") if error.get(key))
    text = error.get("message") or str(error.get("code") or "").replace("_", " ")
    return f"{place}: {text}" if place else str(text)


def _create_error(kind: type[ForgeError], text: str, suggestion: str = "") -> ForgeError:
    return kind(text, suggestion=suggestion or kind.remedy)


def _map_forbidden(refusal: ErrorResponse) -> ForgeError:
    text = _format_response(refusal)
    return (_map_blocked_write(text) if refusal.writing else None) or create_forbidden(refusal.headers, text)


def _map_too_large(refusal: ErrorResponse) -> ForgeError | None:
    if TOO_LARGE not in str(refusal.body.get("errors")):
        return None
    return TooLarge(_format_response(refusal), suggestion="Read the changed files one by one, with their patches.")


def _map_gone(refusal: ErrorResponse) -> ForgeError:
    return NotFound(_format_response(refusal), suggestion="It was deleted, or the repository has this disabled.")


def _map_invalid(refusal: ErrorResponse) -> ForgeError:
    text = _format_response(refusal)
    remedy = "Shorten the text, or post it in parts." if TOO_LONG in text else ""
    return (_map_blocked_write(text) if refusal.writing else None) or _create_error(Rejected, text, remedy)


def _map_legal_block(refusal: ErrorResponse) -> ForgeError:
    page = (refusal.body.get("block") or {}).get("html_url")
    more = f" GitHub's notice: {page}." if page else ""
    remedy = f"It is blocked for legal reasons, for every token.{more}"
    return Forbidden(_format_response(refusal), suggestion=remedy)


BY_STATUS: dict[int, Callable[[ErrorResponse], ForgeError | None]] = {
    200: map_graphql_errors,
    400: _map_invalid,
    401: lambda refusal: _create_error(Unauthorized, _format_response(refusal)),
    403: _map_forbidden,
    404: lambda refusal: _create_error(NotFound, _format_response(refusal)),
    406: _map_too_large,
    409: lambda refusal: _create_error(Conflict, _format_response(refusal)),
    410: _map_gone,
    422: _map_invalid,
    451: _map_legal_block,
}
