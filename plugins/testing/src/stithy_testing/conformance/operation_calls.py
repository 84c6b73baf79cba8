"""Calls of operations that a forge may lack: a test of such an operation is skipped, and says why."""

import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

import pytest

from stithy_core.spi import (
    CommitCheck,
    Forge,
    ForgeError,
    NotFound,
    NotTheApi,
    Operation,
    Unavailable,
    Unsupported,
    Verdict,
    declared_support,
)
from stithy_core.spi.capabilities import owner_of
from stithy_testing.conformance.operation_record import OperationRecord, name_operation, record_operations
from stithy_testing.conformance.stage import Stage
from stithy_testing.pytest_plugin import RECORDED

Suite = TypeVar("Suite")
Test = Callable[[Suite, Stage], Awaitable[None]]

DATA_PAGE = "docs/plugins/recordings-and-tests.md, 'Test your forge'"
NO_ID = "987654321"
"""An id that no object has."""
NOBODY = "nobody-has-this-name"
"""The login of no account."""


def needs(*operations: Operation) -> Callable[[Test[Suite]], Test[Suite]]:
    """Name the operations that a test is about; it is skipped, with the reason, on a forge that lacks one of them."""

    def mark(test: Test[Suite]) -> Test[Suite]:
        @functools.wraps(test)
        async def run(self: Suite, stage: Stage) -> None:
            record = OperationRecord(kind=stage.forge.config.kind, needed=list(map(name_operation, operations)))
            setattr(self, RECORDED, record)
            record.absent, reason = await find_absent_operations(stage.forge, operations)
            if record.absent:
                config = stage.forge.config
                pytest.skip(f"{config.alias} ({config.kind}) does not have {', '.join(record.absent)}{reason}")
            try:
                await test(self, record_operations(stage, record.returned))
            except ForgeError as error:
                if advice := advise_author(stage, error):
                    error.add_note(advice)
                raise

        setattr(run, RECORDED, list(map(name_operation, operations)))
        return run

    return mark


async def find_absent_operations(forge: Forge, needed: Sequence[Operation]) -> tuple[list[str], str]:
    """Return the names of operations that a forge does not have, and the reason where the server decides it.

    Args:
        forge: The forge. Its server is asked only for operations that it does not declare.
        needed: The operations.
    """
    if absent := [one for one in needed if declared_support(type(forge), one) == "never"]:
        return list(map(name_operation, absent)), ""
    for operation in needed:
        if not (support := await forge.supports(operation)):
            return [name_operation(operation)], f": {support.reason}"
    return [], ""


def advise_author(stage: Stage, error: ForgeError) -> str:
    """Return what the author of a forge can do about an error that ended a test; empty where that is not known."""
    if isinstance(error, NotFound):
        return f"If {stage.repository} lacks the data of the suite, prepare what {DATA_PAGE} lists."
    if isinstance(error, Unavailable | NotTheApi):
        return f"Start the server at {stage.forge.config.url}, or correct the URL in the fixture 'stage'."
    return ""


async def check_unsupported(stage: Stage, operation: Operation) -> None:
    """Check that an operation raises `Unsupported` with the forge, the operation and a suggestion."""
    with pytest.raises(Unsupported) as caught:
        await call_operation(stage, operation)
    error, alias = caught.value, stage.forge.config.alias
    assert alias in error.message, "the message names the forge"
    assert error.details["forge"] == alias
    assert error.details["operation"] == name_operation(operation)
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
        "issue": stage.conversation,
        "subject": stage.conversation,
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
