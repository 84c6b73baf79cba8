"""Errors within a GraphQL answer of status 200 (docs/forge-behaviour/github.md#errors)."""

from collections.abc import Mapping
from typing import Any

from stithy_core.spi import ErrorResponse, ForgeError, NotFound, Rejected, Unavailable, Unclear
from stithy_github.limits import spent
from stithy_github.obstacles import obstacle
from stithy_github.rights import forbidden

LIMITS = {"RATE_LIMITED", "RATE_LIMIT"}
RIGHTS = {"FORBIDDEN", "INSUFFICIENT_SCOPES"}
TOO_MUCH = "MAX_NODE_LIMIT_EXCEEDED"
TOO_HEAVY = "RESOURCE_LIMITS_EXCEEDED"
"""What the answer to one question may cost GitHub, whatever was asked before; it does not say how much that is.

Source: GitHub's changelog of 2025-09-01, "GraphQL API resource limits".
"""
FAULT = "something went wrong"
"""How GitHub begins what it says of a time-out or a fault of its own; such an error has no type."""


def from_graphql(refusal: ErrorResponse) -> ForgeError:
    """Tell by the types of the errors; what has no type is a fault of GitHub's, or of the question."""
    error = _meant(refusal)
    error.details["types"] = sorted(_types(refusal))
    return error


def _meant(refusal: ErrorResponse) -> ForgeError:
    types = _types(refusal)
    text = "GitHub's GraphQL says: " + "; ".join(_messages(refusal))
    if types & LIMITS:
        return spent(refusal)
    if refusal.writing and (state := obstacle(text)) is not None:
        return state
    if types & RIGHTS:
        return forbidden(refusal.headers, text)
    if "NOT_FOUND" in types:
        remedy = "Check the name, and that the token may read it: what is private looks absent to one that may not."
        return NotFound(text, suggestion=remedy)
    if FAULT in text.lower() or TOO_HEAVY in types:
        return Unclear(text) if refusal.writing else Unavailable(text, suggestion="Ask again, or ask for less at once.")
    return Rejected(text, suggestion="Ask for less at once." if TOO_MUCH in types else "Mend what it names.")


def _types(refusal: ErrorResponse) -> set[str]:
    return {str(error["type"]) for error in _errors(refusal) if error.get("type")}


def _messages(refusal: ErrorResponse) -> list[str]:
    return [str(error.get("message") or error.get("type") or "an error") for error in _errors(refusal)]


def _errors(refusal: ErrorResponse) -> list[Mapping[str, Any]]:
    listed = refusal.body.get("errors")
    return [error for error in listed if isinstance(error, dict)] if isinstance(listed, list) else []
