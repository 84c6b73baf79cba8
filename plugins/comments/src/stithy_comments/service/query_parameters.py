"""The query parameters of SERVE-3: unknown, repeated and invalid ones are rejected."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from attrs import frozen

from stithy_comments.stream.stream_selection import ALL, KEY_EVENTS, USUAL
from stithy_comments.tools.stream_tool import Mode, Source
from stithy_core.spi import InvalidArguments

MOST_ITEMS = 10_000
LONGEST_SUMMARY = 20_000
LARGEST_PAGE = 100
LAST_PAGE = 1_000_000
PAGE_SIZE = 30
"""The default of `per_page`, as on GitHub."""
MOST_EVENTS = 50
EVENT = re.compile(r"[A-Za-z0-9_-]{1,64}")
TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

COMMON = ("summarize", "since", "until", "max_items", "summary_budget_chars")
COMBINED = (*COMMON, "include", "events")
RAW = (*COMMON, "page", "per_page")
TIMELINE = (*RAW, "events")


@frozen(kw_only=True)
class QueryParameters:
    """The parameters of a request, as SERVE-3 names them; pages are counted from the oldest item."""

    summarize: Mode = "none"
    include: tuple[Source, ...] = USUAL
    since: datetime | None = None
    until: datetime | None = None
    max_items: int = 2_000
    summary_budget_chars: int = 2_000
    events: tuple[str, ...] = KEY_EVENTS
    page: int | None = None
    per_page: int | None = None

    @property
    def is_paged(self) -> bool:
        """Whether the request is for one page."""
        return self.page is not None or self.per_page is not None

    @property
    def window(self) -> slice:
        """The items of the list that are on the page."""
        size = self.per_page or PAGE_SIZE
        first = ((self.page or 1) - 1) * size
        return slice(first, first + size) if self.is_paged else slice(None)


def parse_query(query: Mapping[str, Sequence[str]], allowed: Collection[str]) -> QueryParameters:
    """Parse the parameters of a request.

    Args:
        query: The values of each parameter, by its name.
        allowed: The names of the endpoint's parameters.

    Raises:
        InvalidArguments: Some are invalid; the error lists each with the values allowed.
    """
    faults: list[dict[str, str]] = []
    found: dict[str, Any] = {}
    for name, values in query.items():
        try:
            found[name] = _read(name, values, allowed)
        except _InvalidValueError as misfit:
            faults.append({"path": name, "given": ", ".join(values)[:80], "allowed": str(misfit)})
    if not faults:
        faults += _contradictions(QueryParameters(**found), query, allowed)
    if faults:
        raise _refusal(faults)
    return QueryParameters(**found)


def _contradictions(
    found: QueryParameters, query: Mapping[str, Sequence[str]], allowed: Collection[str]
) -> Iterator[dict[str, str]]:
    if found.since and found.until and found.until < found.since:
        yield {"path": "until", "given": query["until"][0], "allowed": "a time not before since"}
    if "events" in query and "include" in allowed and "timeline" not in found.include:
        yield {"path": "events", "given": query["events"][0][:80], "allowed": "no events, unless include has timeline"}


class _InvalidValueError(ValueError):
    """A value is invalid; the text describes the values allowed."""


def _read(name: str, values: Sequence[str], allowed: Collection[str]) -> Any:
    if name not in allowed:
        raise _InvalidValueError(f"one of the parameters {', '.join(sorted(allowed))}")
    if len(values) != 1:
        raise _InvalidValueError(f"one value, not {len(values)}")
    return READERS[name](values[0])


def _refusal(faults: Sequence[Mapping[str, str]]) -> InvalidArguments:
    message = "; ".join(f"invalid {row['path']}={row['given']!r}; expected {row['allowed']}" for row in faults[:5])
    return InvalidArguments(message, suggestion="Correct the query.", details={"errors": list(faults)})


def _parse_one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise _InvalidValueError(f"one of {', '.join(words)}")
        return text

    return read


def _parse_several_of(*words: str) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        given = tuple(dict.fromkeys(text.split(",")))
        if not set(given) <= set(words):
            raise _InvalidValueError(f"a comma-separated list of {', '.join(words)}")
        return tuple(word for word in words if word in given)

    return read


def _parse_number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise _InvalidValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def _parse_time(text: str) -> datetime:
    try:
        # An unescaped '+' of the UTC offset arrives as a space.
        written = text.replace(" ", "+")
        if TIME.fullmatch(written):
            return datetime.fromisoformat(written.upper())
    except ValueError:  # a date such as 30 February, which the pattern admits
        pass
    raise _InvalidValueError("an RFC 3339 time such as 2026-01-31T12:00:00Z")


def _parse_events(text: str) -> tuple[str, ...]:
    kinds = tuple(dict.fromkeys(text.split(",")))
    if len(kinds) > MOST_EVENTS or not all(map(EVENT.fullmatch, kinds)):
        raise _InvalidValueError(
            f"{ALL}, or at most {MOST_EVENTS} comma-separated kinds of events such as merged,closed"
        )
    return kinds


READERS: Mapping[str, Callable[[str], Any]] = {
    "summarize": _parse_one_of(*get_args(Mode)),
    "include": _parse_several_of(*get_args(Source)),
    "since": _parse_time,
    "until": _parse_time,
    "max_items": _parse_number(1, MOST_ITEMS),
    "summary_budget_chars": _parse_number(1, LONGEST_SUMMARY),
    "events": _parse_events,
    "page": _parse_number(1, LAST_PAGE),
    "per_page": _parse_number(1, LARGEST_PAGE),
}
