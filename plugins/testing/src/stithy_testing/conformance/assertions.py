"""Assertions on records and errors, shared by the tests of the suite."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
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
    IssueRef,
    Listing,
    Maybe,
    NotFound,
    PullRequestRef,
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
        assert value.reason.strip(), f"{place} is unknown without a reason"
    elif isinstance(value, datetime):
        assert value.utcoffset() == timedelta(0), f"{place} is not in UTC: {value!r}"
    elif isinstance(value, Listing | tuple):
        for number, item in enumerate(value):
            _check_value(item, f"{place}[{number}]")
    elif attrs.has(type(value)):
        _check_fields(value, place)


def _check_fields(value: Any, place: str) -> None:
    is_verdict = isinstance(value, Review) and value.submitted_at is None  # which some forges keep without an event
    if isinstance(value, WITH_ID) and not is_verdict:
        assert value.id, f"{place} has no id"
    if isinstance(value, WITH_URL):
        assert value.url, f"{place} has no URL"
    for field in attrs.fields(type(value)):
        inner, where = getattr(value, field.name), f"{place}.{field.name}"
        if field.name == "id":
            assert isinstance(inner, str), f"{where} is not a string: {inner!r}"
        if field.name.endswith("url") and inner:
            assert urlsplit(inner).scheme and urlsplit(inner).netloc, f"{where} is not absolute: {inner}"  # noqa: PT018
        _check_value(inner, where)


def check_listing(items: Sequence[T]) -> list[T]:
    """Check a complete listing and its items, and return the items."""
    assert isinstance(items, Listing), f"expected a Listing, not {type(items).__name__}"
    assert not items.cut, f"the listing is cut: {items.cut}"
    assert items.total in (None, len(items)), f"the total is {items.total}; expected {len(items)}, or None"
    return list(check_record(items))


def is_correct_or_unknown(value: Maybe[T], expected: T) -> bool:
    """Return whether a value is the expected one or unknown; a wrong one is never allowed."""
    return isinstance(value, Unknown) or value == expected


def is_distinct(values: Iterable[T]) -> bool:
    """Return whether no value occurs twice."""
    items = list(values)
    return len(set(items)) == len(items)


def is_ascending(times: Iterable[datetime | None]) -> bool:
    """Return whether times never decrease; None is ignored."""
    known = [time for time in times if time is not None]
    return known == sorted(known)


def find_single(items: Iterable[T], fits: Callable[[T], bool]) -> T:
    """Return the one item that fits."""
    matches = [item for item in items if fits(item)]
    assert len(matches) == 1, f"expected one match, not {matches}"
    return matches[0]


@contextmanager
def expect_error(kind: type[StithyError], *parts: str, absent: str = "") -> Iterator[None]:
    """Expect an error with a suggestion.

    Args:
        kind: Its class.
        parts: The texts that its message must contain.
        absent: A text that its message must not contain.
    """
    with pytest.raises(kind) as caught:
        yield
    error = caught.value
    assert error.suggestion, f"the error has no suggestion: {error.message}"
    assert [part for part in parts if part not in error.message] == []
    assert not absent or absent not in error.message


def expect_not_found(*parts: str) -> AbstractContextManager[None]:
    """Expect `NotFound` with a message that contains `parts`."""
    return expect_error(NotFound, *parts)


def expect_missing_number(stage: Stage) -> AbstractContextManager[None]:
    """Expect `NotFound` for the number, not for the repository."""
    repository = str(stage.repository)
    return expect_error(NotFound, str(stage.missing), repository, absent=f"repository {repository}")


def expect_absent_repository(stage: Stage) -> AbstractContextManager[None]:
    """Expect `NotFound` for the repository."""
    return expect_error(NotFound, f"repository {stage.absent}")


async def check_issue_number(stage: Stage, read: Callable[[PullRequestRef], Awaitable[object]]) -> None:
    """Check that an issue's number is not found as a pull request's, where no pull request may have the same number.

    Args:
        stage: The stage.
        read: Calls an operation for a pull request.
    """
    if stage.issue_as_pr is not None:
        with expect_error(NotFound, "is an issue"):
            await read(stage.issue_as_pr)


def require_issue(stage: Stage) -> IssueRef:
    """Return the open issue, or skip the test."""
    return stage.issue or pytest.skip("the stage has no issue: Stage.issue is None")


def require_head_branches(stage: Stage) -> None:
    """Skip the test if pull requests do not come from branches."""
    if not stage.head_branches:
        pytest.skip("pull requests do not come from branches: Stage.head_branches is False")
