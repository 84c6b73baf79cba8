"""Run a tool up to its first write, and return what it would have written."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Annotated

from attrs import frozen

from stithy_core.spi import CallWrapper, Context, Meta, ToolCall, Unknown, Unsupported, WrappedTool, redact
from stithy_core.spi.call_state import PlannedWrite, current_write_guard
from stithy_core.spi.capabilities import WRITING
from stithy_core.spi.faults import ends_caller
from stithy_core.spi.tools import DRY_RUN_ARGUMENT

NO_ANSWER = Unknown(
    "nothing was sent, so it is not known what the forge would answer, nor what the tool would do or write after that",
    "Call again without dry_run.",
)
NO_WRITE = "The call would write nothing: the target is already in the requested state."


@frozen(kw_only=True)
class WouldSend:
    """A request that was not sent, or an operation that was not started."""

    method: str | None
    url: str | None
    body: Annotated[str | None, Meta("The JSON that would be sent", echo=True, cut=True)]
    operation: Annotated[str | None, Meta("Where the forge is not written to by HTTP", echo=True, cut=True)]

    def lines(self) -> Iterator[str]:
        """Iterate over its lines of text."""
        yield f"{self.method} {self.url}" if self.method else str(self.operation or "a write that is not described")
        if self.body:
            yield self.body


@frozen(kw_only=True)
class DryRun:
    """The answer of a dry run, in place of the tool's own result."""

    dry_run: bool = True
    requests: tuple[WouldSend, ...]
    result: str | Unknown

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text; the first says that nothing was done."""
        yield "Dry run: nothing was sent."
        if isinstance(self.result, str):
            yield self.result
        for request in self.requests:
            yield from request.lines()


class DryRunWrapper(CallWrapper):
    """Runs calls that have `dry_run`. A tool that declares the argument answers itself, and still cannot write."""

    def result_types(self, tool: WrappedTool) -> Sequence[type]:  # noqa: ARG002 -- of the base
        """Return the class of a dry run's answer."""
        return (DryRun,)

    def before(self, call: ToolCall) -> None:
        """Forbid the call to write, if it is a dry run."""
        if call.arguments.get(DRY_RUN_ARGUMENT) is True:
            call.dry = True

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:  # noqa: ARG002 -- of the base
        """Run the handler; in a dry run, up to its first write.

        Raises:
            Unsupported: A dry run could not stop what the tool writes, so the handler is not started.
        """
        if not call.dry:
            return await proceed()
        declares_dry_run = DRY_RUN_ARGUMENT in call.tool.own_arguments
        if not declares_dry_run:
            check_stoppable(call.tool)
        guard, result = current_write_guard(), None
        assert guard is not None
        try:
            result = await proceed()
        except BaseException as error:  # DryRunStop may stand in a group, or in the cause of another error
            if not guard.planned or ends_caller(error):
                raise
        return result if declares_dry_run and not guard.planned else describe_writes(guard.planned)


def check_stoppable(tool: WrappedTool) -> None:
    """Check that a tool writes to forges only, whose writes pass `check_write`.

    Raises:
        Unsupported: It may write elsewhere, where no check stops it.
    """
    if tool.is_async and any(operation in WRITING for operation in tool.spec.needs):
        return
    raise Unsupported(
        f"{tool.spec.name} does not support dry runs; nothing was done",
        suggestion="Call it without dry_run, or not at all.",
    )


def describe_writes(planned: Sequence[PlannedWrite]) -> DryRun:
    """Return the answer of a dry run that has ended, or has come to its first write."""
    return DryRun(requests=tuple(map(_describe, planned)), result=NO_ANSWER if planned else NO_WRITE)


def _describe(planned: PlannedWrite) -> WouldSend:
    texts = {name: redact(getattr(planned, name)) or None for name in ("method", "url", "body", "operation")}
    return WouldSend(**texts)
