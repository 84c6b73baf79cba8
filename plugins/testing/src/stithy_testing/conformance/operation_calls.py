"""Calls of operations that a forge may lack: without one, a test checks that it raises `Unsupported` instead."""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import pytest

from stithy_core.spi import CommitCheck, Operation, Unsupported, Verdict
from stithy_core.spi.capabilities import owner_of
from stithy_testing.conformance.stage import Stage

Suite = TypeVar("Suite")
Test = Callable[[Suite, Stage], Awaitable[None]]

NO_ID = "987654321"
"""An id that no object has."""
NOBODY = "nobody-has-this-name"
"""The login of no account."""


def needs(*operations: Operation) -> Callable[[Test[Suite]], Test[Suite]]:
    """Name the operations that a test uses; if the forge lacks one, check that it raises `Unsupported`."""

    def mark(test: Test[Suite]) -> Test[Suite]:
        @functools.wraps(test)
        async def run(self: Suite, stage: Stage) -> None:
            for operation in operations:
                if not await stage.forge.supports(operation):
                    await check_unsupported(stage, operation)
                    return
            await test(self, stage)

        return run

    return mark


async def check_unsupported(stage: Stage, operation: Operation) -> None:
    """Check that an operation raises `Unsupported` with the forge, the operation and a suggestion."""
    with pytest.raises(Unsupported) as caught:
        await call_operation(stage, operation)
    error, alias = caught.value, stage.forge.config.alias
    assert alias in error.message, "the message names the forge"
    assert error.details["forge"] == alias
    assert error.details["operation"] == f"{owner_of(operation).attribute}.{operation.__name__}"
    assert error.suggestion, "the error has a suggestion"


async def call_operation(stage: Stage, operation: Operation) -> None:
    """Call an operation with arguments of the right types; the ids are those of no object."""
    bound = getattr(getattr(stage.forge, owner_of(operation).attribute), operation.__name__)
    parameters = inspect.signature(operation).parameters.values()
    values = _build_arguments(stage)
    names = [one.name for one in parameters if one.default is one.empty and one.name != "self"]
    result = bound(*(values[name] for name in names))
    if isinstance(result, AsyncIterator):
        await read_stream(result)
    else:
        await result


async def read_stream(stream: AsyncIterator[bytes]) -> bytes:
    """Read a stream to its end."""
    return b"".join([piece async for piece in stream])


def _build_arguments(stage: Stage) -> dict[str, Any]:
    return {
        "issue": stage.issue,
        "subject": stage.issue,
        "pr": stage.pr,
        "repository": stage.repository,
        "comment": NO_ID,
        "thread": NO_ID,
        "run": NO_ID,
        "job": NO_ID,
        "artifact": NO_ID,
        "login": NOBODY,
        "body": "Hello.",
        "base": "main",
        "head": "greet",
        "branch": "main",
        "commit": "greet",
        "check": CommitCheck(name="build", verdict=Verdict.PASSED),
    }
