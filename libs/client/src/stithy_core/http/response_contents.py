"""What a response says: times and limits in its headers, and the JSON of a success.

A body that is empty, null or of another type than the endpoint promises is a server's fault.
"""

import json
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpx
from attrs import evolve, field, frozen

from stithy_core.spi import PageResponse, Paging
from stithy_core.spi.stores import LONGEST_PENALTY, ReportedLimit

CHECKED = "stithy.checked"
"""The extension of a response that holds its parsed body and what is wrong with it."""
KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}

MOST_DIGITS = 12
"""Digits of a number of seconds; a few hundred would make an infinite float, which JSON does not have."""
EPOCH = 1_000_000_000
"""A reset below this is in seconds from now (draft-ietf-httpapi-ratelimit-headers), above it in seconds since 1970."""


class ExpectedJson(Protocol):
    """What an endpoint answers if it works. The `repr` is part of the hash that identical requests share."""

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body, as it follows "but its body"; "" if nothing is."""
        ...

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:
        """Return whether a 304, which confirms the body alone, confirms all that is read of the response."""
        ...


@frozen
class ExpectedValue:
    """One JSON value.

    Args:
        shape: `dict`, `list`, or `object` for any value but null.
        or_null: Whether null is valid, too.
        headed: Whether it is a list whose headers are read as well: they may announce more rows, and a 304 has none.
    """

    shape: type = object
    or_null: bool = False
    headed: bool = False

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if body is None:
            return "" if self.or_null else "is null"
        if not isinstance(body, self.shape):
            return f"is {_describe_type(body)}, expected {KINDS.get(self.shape, 'another value')}"
        return ""

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:  # noqa: ARG002 -- its headers are not known
        """Return whether its headers cannot announce more rows."""
        return not (self.headed and body)


@frozen
class AnyBody:
    """Any body, also an empty one: the response to a write that is not read."""

    def find_fault(self, body: Any) -> str:  # noqa: ARG002 -- see above
        """Return ""."""
        return ""

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:  # noqa: ARG002 -- a write is never cached
        """Return False."""
        return False


@frozen
class ExpectedRows:
    """One page of a list.

    Args:
        name: The field of an object that holds the list; a bare list is valid there, too. "" expects a bare list.
        size: Rows of a full page; 0 if that is not known.
        or_null: Whether the server writes an empty list as null.
        paging: How the forge announces a next page and the total.
    """

    name: str = ""
    size: int = 0
    or_null: bool = False
    paging: Paging = field(factory=Paging, repr=False)  # of the forge, so that the hash needs no function's address

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if not self.name or isinstance(body, list):
            return ExpectedValue(list, self.or_null).find_fault(body)
        if fault := ExpectedValue(dict).find_fault(body):
            return fault
        if self.name not in body:
            return f"has no list {self.name!r}"
        rows = body[self.name]
        if isinstance(rows, list) or (rows is None and self.or_null):
            return ""
        return f"has {_describe_type(rows)} in {self.name!r}, expected a list"

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:
        """Return whether a row that is added behind this page would change its body, and so its validator.

        It would not if the page is full. Then the page may have become the last but one, and a count in a header may
        have grown, and a 304 brings neither: RFC 9110, 15.4.5 does not ask for them, and GitHub's 304 has no `Link`.
        """
        if len(self.get_rows(body)) < (self.size or 1):
            return True
        page = self.describe_page(response, body)
        bare = evolve(page, headers={})
        return self.paging.next_page(page) is not None and self.paging.total(page) == self.paging.total(bare)

    def get_rows(self, body: Any) -> list[Any]:
        """Return the rows of a body that has no fault."""
        return (body[self.name] if isinstance(body, dict) else body) or []

    def describe_page(self, response: httpx.Response, body: Any, *, number: int = 1, read: int = 0) -> PageResponse:
        """Return what the forge's paging needs to know of a page."""
        return PageResponse(
            number=number,
            items=self.get_rows(body),
            read=read,
            size=self.size,
            headers=copy_headers(response),
            body=body,
        )


@frozen
class ExpectedGraphQL:
    """A response of GraphQL: errors, or data that is not empty."""

    def find_fault(self, body: Any) -> str:
        """Return what is wrong with a body."""
        if fault := ExpectedValue(dict).find_fault(body):
            return fault
        if body.get("errors"):
            return ""
        data = body.get("data")
        return "" if isinstance(data, dict) and data else "has neither data nor errors"

    def is_confirmable(self, body: Any, response: httpx.Response) -> bool:  # noqa: ARG002 -- a POST is never cached
        """Return False."""
        return False


def check_body(response: httpx.Response, expected: ExpectedJson) -> tuple[Any, str]:
    """Parse and check the body of a response that was read; once for all transports that look at it.

    Returns:
        The JSON, and what is wrong with it, as it follows "but its body"; "" if nothing is.
    """
    checked: tuple[Any, str] | None = response.extensions.get(CHECKED)
    if checked is None:
        body, malformed = parse_json(response.content)
        checked = (body, "is not JSON" if malformed else _find_fault(response, body, expected))
        response.extensions[CHECKED] = checked
    return checked


def take_body(response: httpx.Response, expected: ExpectedJson) -> tuple[Any, str]:
    """Return what `check_body` returns, with JSON of the caller's own: callers that share a response may change it."""
    checked = check_body(response, expected)
    del response.extensions[CHECKED]
    return checked


def parse_json(raw: bytes) -> tuple[Any, bool]:
    """Parse JSON; an empty body is None.

    Returns:
        The value, and whether the JSON is malformed.
    """
    if not raw.strip():
        return None, False
    try:
        return json.loads(raw), False
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError, too
        return None, True


def _find_fault(response: httpx.Response, body: Any, expected: ExpectedJson) -> str:
    if response.content.strip() or isinstance(expected, AnyBody):
        return expected.find_fault(body)
    # An empty body is valid for a single value if 204 announces it, and never for a list.
    is_announced = response.status_code == httpx.codes.NO_CONTENT
    return "" if is_announced and isinstance(expected, ExpectedValue) and expected.shape is not list else "is empty"


def _describe_type(body: Any) -> str:
    return "null" if body is None else KINDS.get(type(body), "another value")


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
        at = parsedate_to_datetime(date)
        # The asctime form has no zone, which is then UTC: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
