"""Errors that a forge has to raise, and what they have to say."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from stithy_core.spi import NotFound, StithyError
from stithy_testing.conformance.stage import Stage


@contextmanager
def refusal(kind: type[StithyError], *said: str, unsaid: str = "") -> Iterator[None]:
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


def not_found(*said: str) -> AbstractContextManager[None]:
    """Expect that something is not found, and that the message names it."""
    return refusal(NotFound, *said)


def missing_number(stage: Stage) -> AbstractContextManager[None]:
    """Expect that the number is said to be missing, and not the repository."""
    repository = str(stage.repository)
    return refusal(NotFound, str(stage.missing), repository, unsaid=f"repository {repository}")


def absent_repository(stage: Stage) -> AbstractContextManager[None]:
    """Expect that the repository is said to be missing."""
    return refusal(NotFound, f"repository {stage.absent}")


def an_issue() -> AbstractContextManager[None]:
    """Expect that an issue's number is told from a pull request's."""
    return refusal(NotFound, "is an issue")
