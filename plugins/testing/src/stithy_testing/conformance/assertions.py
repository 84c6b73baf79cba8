"""Assertions on records and errors, shared by the tests of the suite."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar
from urllib.parse import urlsplit

import attrs
import pytest

from stithy_core.spi import (
    Artifact,
    Comment,
    Event,
    Issue,
    Listing,
    Maybe,
    NotFound,
    Repository,
    Review,
    StithyError,
    Thread,
    Unknown,
    WorkflowJob,
    WorkflowRun,
)
from stithy_testing.conformance.stage import Stage

T = TypeVar("T")

WITH_ID = (Comment, Thread, Review, Event, WorkflowJob, WorkflowRun, Artifact)
WITH_URL = (Issue, Comment, Review, Repository)


def check_record(value: T) -> T:
    """Check ids, times in UTC, absolute URLs and the reasons of unknown values throughout a record, and return it."""
    _check_value(value, type(value).__name__)
    return value


def _check_value(value: object, place: str) -> None:
    if isinstance(value, Unknown):
        assert value.reason.strip(), f"{place} is unknown, and no reason says why"
    elif isinstance(value, datetime):
        assert value.utcoffset() == timedelta(0), f"{place} is not in UTC: {value!r}"
    elif isinstance(value, Listing | tuple):
        for number, item in enumerate(value):
            _check_value(item, f"{place}[{number}]")
    elif attrs.has(type(value)):
        _check_fields(value, place)


def _check_fields(value: Any, place: str) -> None:
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
        _check_value(inner, where)


def check_listing(found: Sequence[T]) -> list[T]:
    """Give the items of a whole listing, all of them well-formed."""
    assert isinstance(found, Listing), f"an operation that lists gives a Listing, not {type(found).__name__}"
    assert not found.cut, "nothing was to be cut"
    assert found.total in (None, len(found)), "the total is that of the items, or it is not said"
    return list(check_record(found))


def is_correct_or_unknown(value: Maybe[T], expected: T) -> bool:
    """Say whether a value is the expected one, or honestly unknown; never is it a wrong one."""
    return isinstance(value, Unknown) or value == expected


def is_distinct(values: Iterable[T]) -> bool:
    """Say whether no value stands twice."""
    known = list(values)
    return len(set(known)) == len(known)


def is_ascending(times: Iterable[datetime | None]) -> bool:
    """Say whether times, as far as they are known, never go back."""
    known = [time for time in times if time is not None]
    return known == sorted(known)


def find_single(items: Iterable[T], fits: Callable[[T], bool]) -> T:
    """Give the one item that fits."""
    found = [item for item in items if fits(item)]
    assert len(found) == 1, f"one was expected, not {found}"
    return found[0]


@contextmanager
def expect_error(kind: type[StithyError], *said: str, unsaid: str = "") -> Iterator[None]:
    """Expect an error that says what happened, and what to do next.

    Args:
        kind: Its class.
        said: What its message must hold.
        unsaid: What it must not hold.
    """
    with pytest.raises(kind) as caught:
        yield
    error = caught.value
    assert error.suggestion, f"nothing says what to do next: {error.message}"
    assert [words for words in said if words not in error.message] == []
    assert not unsaid or unsaid not in error.message


def expect_not_found(*said: str) -> AbstractContextManager[None]:
    """Expect that something is not found, and that the message names it."""
    return expect_error(NotFound, *said)


def expect_missing_number(stage: Stage) -> AbstractContextManager[None]:
    """Expect that the number is said to be missing, and not the repository."""
    repository = str(stage.repository)
    return expect_error(NotFound, str(stage.missing), repository, unsaid=f"repository {repository}")


def expect_absent_repository(stage: Stage) -> AbstractContextManager[None]:
    """Expect that the repository is said to be missing."""
    return expect_error(NotFound, f"repository {stage.absent}")


def expect_issue_number() -> AbstractContextManager[None]:
    """Expect that an issue's number is told from a pull request's."""
    return expect_error(NotFound, "is an issue")
