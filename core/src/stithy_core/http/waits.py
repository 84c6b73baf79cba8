"""What an answer's headers say of time and of limits."""

from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx

from stithy_core.spi.stores import LONGEST_PENALTY, ReportedLimit

MOST_DIGITS = 12  # of a number of seconds; JSON has no infinity, which some hundred would become
EPOCH = 1_000_000_000  # a reset below is in seconds from now, as the IETF's draft has it; above, in seconds since 1970


def retry_after(headers: httpx.Headers, now: float) -> float | None:
    """Read `Retry-After`, which has seconds or a date (RFC 9110, 10.2.3); None where it says nothing usable.

    Args:
        headers: Those of the answer.
        now: The time by our own clock; a date is compared with the server's own, where it tells it.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isdecimal():
        return float(text) if len(text) <= MOST_DIGITS else None
    at = timestamp(text)
    return None if at is None else max(0.0, at - server_time(headers, now))


def budget(headers: httpx.Headers, now: float) -> ReportedLimit | None:
    """Read what is left of a limit: `x-ratelimit-*` or `ratelimit-*`; None where the answer does not tell.

    GitHub's advice adds one second to the reset (docs/forge-behaviour/github.md#rate-limits).
    """
    for prefix in ("x-ratelimit", "ratelimit"):
        remaining, reset = headers.get(f"{prefix}-remaining", ""), headers.get(f"{prefix}-reset", "")
        if not (remaining.isdecimal() and reset.isdecimal() and max(len(remaining), len(reset)) <= MOST_DIGITS):
            continue
        left = float(reset) - (server_time(headers, now) if float(reset) >= EPOCH else 0.0)
        resource = headers.get(f"{prefix}-resource", "")[:50]
        return ReportedLimit(resource, int(remaining), now + min(max(0.0, left), LONGEST_PENALTY) + 1)
    return None


def server_time(headers: httpx.Headers, now: float) -> float:
    """Give the server's own time, so that a clock of ours that is wrong does no harm."""
    told = timestamp(headers.get("date", ""))
    return now if told is None else told


def timestamp(date: str) -> float | None:
    """Read an HTTP date, as seconds since 1970; None where it is none."""
    if not date:
        return None
    try:
        return parsedate_to_datetime(date).astimezone(UTC).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
