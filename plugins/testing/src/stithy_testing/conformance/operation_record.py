"""Which operations of a forge the conformance suite proved: recorded in each test, summarized at the end of the run."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from copy import copy
from typing import Any

import pytest
from attrs import Factory, asdict, define, evolve

from stithy_core.spi import CAPABILITIES, Operation, operations
from stithy_core.spi.capabilities import owner_of
from stithy_testing.conformance.stage import Stage
from stithy_testing.pytest_plugin import RECORDED


@define
class OperationRecord:
    """What one test of the suite has to do with the operations of a forge; each is named as `threads.list`.

    Args:
        suite: The test class, with the parameters of its fixtures: `TestPond[2.1]`.
        kind: The forge's kind; empty where the test had no stage.
        needed: The operations that the test is about.
        absent: Those that the forge does not have.
        returned: The operations that the test called, and that returned.
    """

    suite: str = ""
    kind: str = ""
    needed: list[str] = Factory(list)
    absent: list[str] = Factory(list)
    returned: list[str] = Factory(list)


def name_operation(operation: Operation) -> str:
    """Return the name of an operation, as `threads.list`."""
    return f"{owner_of(operation).attribute}.{operation.__name__}"


def record_operations(stage: Stage, returned: list[str]) -> Stage:
    """Return a stage whose forge records the operations that return; calls that the forge makes itself do not count.

    Args:
        stage: The stage, which is left unchanged.
        returned: Receives the name of an operation at each call that returned.
    """
    forge = copy(stage.forge)
    for base in CAPABILITIES:
        original = getattr(stage.forge, base.attribute)
        recorded = copy(original)
        for operation in operations():
            if owner_of(operation) is base:
                method = getattr(original, operation.__name__)
                setattr(recorded, operation.__name__, _record_method(operation, method, returned))
        setattr(forge, base.attribute, recorded)
    return evolve(stage, forge=forge)


def _record_method(operation: Operation, method: Callable[..., Any], returned: list[str]) -> Callable[..., Any]:
    name = name_operation(operation)

    async def call(*args: Any, **kwargs: Any) -> Any:
        answer = await method(*args, **kwargs)
        returned.append(name)
        return answer

    async def stream(*args: Any, **kwargs: Any) -> AsyncIterator[bytes]:
        async for piece in method(*args, **kwargs):
            yield piece
        returned.append(name)

    return call if inspect.iscoroutinefunction(operation) else stream


@define
class SuiteResult:
    """The operations of one forge after a run.

    Args:
        kind: The forge's kind.
        returned: Those that returned in a test that passed.
        failed: Those that a failed test is about.
        absent: Those that the forge does not have.
    """

    kind: str = ""
    returned: set[str] = Factory(set)
    failed: set[str] = Factory(set)
    absent: set[str] = Factory(set)

    def add(self, outcome: str, record: OperationRecord) -> None:
        """Add the record of a test.

        Args:
            outcome: Its outcome, as pytest names it: passed, failed or skipped.
            record: Its record.
        """
        self.kind = self.kind or record.kind
        self.absent.update(record.absent)
        if outcome == "failed":
            self.failed.update(record.needed)
        elif outcome == "passed":
            self.returned.update(record.returned)

    def summarize(self) -> str:
        """Return the summary: `31 of 36 operations held, 5 not there: checks.annotations, …`."""
        names = [name_operation(operation) for operation in operations()]
        failed, absent = self.failed - self.absent, self.absent
        held = self.returned - failed - absent
        parts = [f"{len(held)} of {len(names)} operations held"]
        rest = set(names) - held - failed - absent
        for words, group in (("failed", failed), ("not there", absent), ("not tried", rest)):
            if group:
                parts.append(f"{len(group)} {words}: {', '.join(name for name in names if name in group)}")
        return ", ".join(parts)


def report_operations(item: pytest.Function, report: pytest.TestReport) -> None:
    """Set the record of a test on its report, as a mapping of plain values.

    Args:
        item: The test.
        report: The report on its setup, call or teardown; only failed ones of the first and last have a record.
    """
    if report.when != "call" and report.outcome != "failed":
        return
    record = OperationRecord(needed=getattr(item.function, RECORDED))
    if report.when == "call":
        record = getattr(item.instance, RECORDED, record)
    parameters = f"[{item.callspec.id}]" if hasattr(item, "callspec") else ""
    setattr(report, RECORDED, asdict(evolve(record, suite=f"{item.parent.name if item.parent else ''}{parameters}")))


def summarize_suites(reports: Iterable[Any]) -> Sequence[tuple[str, bool]]:
    """Return a line for each forge that the suite ran on, and whether no test of it failed.

    Args:
        reports: The reports of tests of the suite.
    """
    suites: dict[str, SuiteResult] = {}
    for report in reports:
        record = OperationRecord(**getattr(report, RECORDED))
        suites.setdefault(record.suite, SuiteResult()).add(report.outcome, record)
    return [
        (f"{suite}{f' ({result.kind})' if result.kind else ''}: {result.summarize()}", not result.failed)
        for suite, result in suites.items()
    ]
