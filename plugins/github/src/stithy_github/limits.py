"""GitHub's limits, in the order in which it wants them read (docs/forge-behaviour/github.md#rate-limits)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from stithy_core.spi import ErrorResponse, RateLimited

LIMITING = (403, 429)
TOO_MANY = 429
INVALID = 422
SECONDARY = ("secondary rate limit", "abuse")
HASTY = "submitted too quickly"
LONG = 60.0
"""Seconds to wait where GitHub does not say how many; its documentation asks for no less."""


def limited(refusal: ErrorResponse) -> RateLimited | None:
    """Tell a limit from everything else that has the same status."""
    if refusal.status == INVALID and HASTY in str(refusal.body):
        return _secondary(refusal, LONG)
    if refusal.status not in LIMITING:
        return None
    if "retry-after" in refusal.headers:
        return _secondary(refusal, None)  # the client reads the header, in both of its forms
    if refusal.headers.get("x-ratelimit-remaining") == "0":
        return spent(refusal)
    if refusal.status == TOO_MANY or any(words in refusal.message.lower() for words in SECONDARY):
        return _secondary(refusal, LONG)
    return None


def spent(refusal: ErrorResponse) -> RateLimited:
    """Say that the budget of an hour is spent, and when the next begins."""
    resource = refusal.headers.get("x-ratelimit-resource", "")
    of = f" for {resource}" if resource else ""
    text = f"GitHub's budget of {refusal.headers.get('x-ratelimit-limit', 'all')} requests an hour{of} is spent"
    remedy = "Wait until it is full again; without a token it is small, so set one if there is none."
    return RateLimited(text, suggestion=remedy, retry_after=_until_reset(refusal.headers))


def _secondary(refusal: ErrorResponse, wait: float | None) -> RateLimited:
    text = f"GitHub wants fewer requests at a time ({refusal.status}: {refusal.message})"
    return RateLimited(text, suggestion="Wait as long as it says, and ask for less at once.", retry_after=wait)


def _until_reset(headers: Mapping[str, str]) -> float:
    """Count the seconds by the server's own clock, and one more."""
    try:
        reset = datetime.fromtimestamp(int(headers["x-ratelimit-reset"]), UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return LONG
    try:
        now = parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError):
        now = datetime.now(UTC)
    return max(0.0, (reset - now.astimezone(UTC)).total_seconds()) + 1.0
