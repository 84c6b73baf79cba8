"""Times and rate limits in the headers of a response."""

from datetime import UTC
from email.utils import parsedate_to_datetime

import httpx

from stithy_core.spi.stores import LONGEST_PENALTY, ReportedLimit

MOST_DIGITS = 12
"""Digits of a number of seconds; a few hundred would make an infinite float, which JSON does not have."""
EPOCH = 1_000_000_000
"""A reset below this is in seconds from now (draft-ietf-httpapi-ratelimit-headers), above it in seconds since 1970."""


def copy_headers(response: httpx.Response) -> dict[str, str]:
    """Return the headers of a response, with names in lower case and the values of repeated ones joined by commas."""
    return {name.lower(): value for name, value in response.headers.items()}


def parse_retry_after(headers: httpx.Headers, now: float) -> float | None:
    """Parse `Retry-After`, which holds seconds or a date (RFC 9110, 10.2.3).

    Args:
        headers: The headers of the response.
        now: The time by this machine's clock. A date is compared with the server's own time if the response has it.

    Returns:
        Seconds to wait; None if the header is absent or not valid.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isdecimal():
        return float(text) if len(text) <= MOST_DIGITS else None
    at = parse_http_date(text)
    return None if at is None else max(0.0, at - read_server_time(headers, now))


def parse_rate_limit(headers: httpx.Headers, now: float) -> ReportedLimit | None:
    """Parse `x-ratelimit-*` or `ratelimit-*`; None if the response reports no limit.

    GitHub's advice adds one second to the reset (docs/forge-behaviour/github.md#rate-limits).
    """
    for prefix in ("x-ratelimit", "ratelimit"):
        remaining, reset = headers.get(f"{prefix}-remaining", ""), headers.get(f"{prefix}-reset", "")
        if not (remaining.isdecimal() and reset.isdecimal() and max(len(remaining), len(reset)) <= MOST_DIGITS):
            continue
        left = float(reset) - (read_server_time(headers, now) if float(reset) >= EPOCH else 0.0)
        resource = headers.get(f"{prefix}-resource", "")[:50]
        return ReportedLimit(
            resource=resource, remaining=int(remaining), until=now + min(max(0.0, left), LONGEST_PENALTY) + 1
        )
    return None


def read_server_time(headers: httpx.Headers, now: float) -> float:
    """Return the server's own time in seconds since 1970, so that a wrong clock here does no harm; else `now`."""
    date = parse_http_date(headers.get("date", ""))
    return now if date is None else date


def parse_http_date(date: str) -> float | None:
    """Parse an HTTP date as seconds since 1970; None if it is not valid."""
    if not date:
        return None
    try:
        return parsedate_to_datetime(date).astimezone(UTC).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
