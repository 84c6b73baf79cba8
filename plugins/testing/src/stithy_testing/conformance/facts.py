"""What every record of the model is held to, whatever forge it came from."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

import attrs

from stithy_core.spi import (
    Artifact,
    Comment,
    Event,
    Issue,
    Listing,
    Maybe,
    Repository,
    Review,
    Thread,
    Unknown,
    WorkflowJob,
    WorkflowRun,
)

T = TypeVar("T")

WITH_ID = (Comment, Thread, Review, Event, WorkflowJob, WorkflowRun, Artifact)
WITH_URL = (Issue, Comment, Review, Repository)


def sound(value: T) -> T:
    """Pass what is well-formed through and through: ids, times in UTC, absolute URLs, reasons for what is unknown."""
    _walk(value, type(value).__name__)
    return value


def _walk(value: object, place: str) -> None:
    if isinstance(value, Unknown):
        assert value.reason.strip(), f"{place} is unknown, and no reason says why"
    elif isinstance(value, datetime):
        assert value.utcoffset() == timedelta(0), f"{place} is not in UTC: {value!r}"
    elif isinstance(value, Listing | tuple):
        for number, item in enumerate(value):
            _walk(item, f"{place}[{number}]")
    elif attrs.has(type(value)):
        _record(value, place)


def _record(value: Any, place: str) -> None:
    if isinstance(value, WITH_ID):
        assert value.id, f"{place} has no id"
    if isinstance(value, WITH_URL):
        assert value.url, f"{place} has no URL"
    for field in attrs.fields(type(value)):
        inner, where = getattr(value, field.name), f"{place}.{field.name}"
        if field.name == "id":
            assert isinstance(inner, str), f"{where} is no text: {inner!r}"
        if field.name.endswith("url") and inner:
            assert urlsplit(inner).scheme and urlsplit(inner).netloc, f"{where} is not absolute: {inner}"  # noqa: PT018
        _walk(inner, where)


def listing(found: Sequence[T]) -> list[T]:
    """Give the items of a whole listing, all of them well-formed."""
    assert isinstance(found, Listing), f"an operation that lists gives a Listing, not {type(found).__name__}"
    assert not found.cut, "nothing was to be cut"
    assert found.total in (None, len(found)), "the total is that of the items, or it is not said"
    return list(sound(found))


def agrees(value: Maybe[T], expected: T) -> bool:
    """Say whether a value is the expected one, or honestly unknown; never is it a wrong one."""
    return isinstance(value, Unknown) or value == expected


def distinct(values: Iterable[T]) -> bool:
    """Say whether no value stands twice."""
    known = list(values)
    return len(set(known)) == len(known)


def ascending(times: Iterable[datetime | None]) -> bool:
    """Say whether times, as far as they are known, never go back."""
    known = [time for time in times if time is not None]
    return known == sorted(known)


def only(items: Iterable[T], fits: Callable[[T], bool]) -> T:
    """Give the one item that fits."""
    found = [item for item in items if fits(item)]
    assert len(found) == 1, f"one was expected, not {found}"
    return found[0]
