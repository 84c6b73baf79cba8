"""One call, from its arguments to its answer: the only way in and the only way out."""

import logging
import time
from collections.abc import Mapping
from inspect import isawaitable
from typing import Any

import anyio
import anyio.to_thread

from stithy_core.errors import InternalError, InvalidArguments, Refused, StithyError, ToolTimeout
from stithy_core.redaction import redact
from stithy_core.spi import Effects, Page
from stithy_core.tools import cursors
from stithy_core.tools.context import CallContext, CallWorker, Places, Report
from stithy_core.tools.jobs import Jobs
from stithy_core.tools.registry import Registry, Tool
from stithy_core.tools.rendering import Answer, Cut, render, sendable
from stithy_core.tools.statistics import Statistics
from stithy_core.tools.structuring import structure, without_nulls

log = logging.getLogger("stithy.tools")

THREADS = 16
SHOWN = 100
LONGEST = 1_024


async def silent(done: float, total: float | None, message: str) -> None:
    """Report progress to nobody."""


class Executor:
    """Runs calls: nulls dropped, arguments checked and structured, handler timed, result rendered.

    Args:
        registry: The tools.
        places: Finds the repositories and pull requests that callers write.
        jobs: Work that outlives calls.
    """

    def __init__(self, registry: Registry, places: Places, jobs: Jobs) -> None:
        self.registry = registry
        self.statistics = Statistics()
        self._places = places
        self._jobs = jobs
        # A plain handler that never checks for cancellation keeps its thread: it must not take the others'.
        self._threads = anyio.CapacityLimiter(THREADS)

    async def call(self, name: str, arguments: Mapping[str, Any] | None, report: Report = silent) -> Answer:
        """Answer one call; every failure but an unknown name is an answer, too.

        Args:
            name: The tool.
            arguments: JSON, as the caller wrote it.
            report: Takes progress.

        Raises:
            ToolNotFound: There is no such tool.
        """
        try:
            tool = self.registry.get(name)
        except Refused as refused:
            return failure(refused)
        began = time.perf_counter()
        error: StithyError | None = None
        try:
            answer = await self._answer(tool, without_nulls(dict(arguments or {})), report)
        except StithyError as known:
            error, answer = known, failure(known, tool.spec.error_prefix)
        except (Exception, SystemExit) as unknown:  # noqa: BLE001 -- the one place where a plugin's fault is masked
            error = _told(unknown, tool)
            answer = failure(error, tool.spec.error_prefix)
        seconds = time.perf_counter() - began
        late = isinstance(error, ToolTimeout)
        self.statistics.record(name, seconds, failed=error is not None, timed_out=late)
        if log.isEnabledFor(logging.INFO):
            ended = redact(str(error)) if error else "ok"
            log.info("%s %s: %s in %.0f ms", name, shortened(arguments or {}), ended, seconds * 1_000)
        return answer

    async def _answer(self, tool: Tool, arguments: dict[str, Any], report: Report) -> Answer:
        tool.validator.check(arguments)
        given = structure(arguments, tool.spec.input)
        position = None
        if tool.takes_cursor and cursors.ARGUMENT in arguments:
            position = cursors.read(arguments[cursors.ARGUMENT], tool.spec.name, arguments)
        ends = anyio.current_time() + tool.seconds
        context = CallContext(
            tool.scope,
            report,
            places=self._places,
            jobs=self._jobs,
            ends=ends,
            writes=tool.spec.effects is not Effects.READ,
        )
        context.after = position.key if position else None
        with anyio.move_on_at(ends) as limit:
            result = await self._run(tool, context, given, report)
        if limit.cancelled_caught:
            raise _late(tool)
        return render(
            result,
            Cut(
                tool.spec.budget,
                lambda page: _begin(page, position, fetched_less=context.after_was_read),
                lambda end: cursors.mint(end, tool.spec.name, arguments),
            ),
        )

    async def _run(self, tool: Tool, context: CallContext, given: object, report: Report) -> object:
        if tool.is_async:
            return await tool.handler(context, given)
        worker = CallWorker(tool.scope, report)
        result = await anyio.to_thread.run_sync(
            tool.handler, worker, given, abandon_on_cancel=True, limiter=self._threads
        )
        # A partial of an async function does not look like one.
        return await result if isawaitable(result) else result


def failure(error: StithyError, prefix: str = "") -> Answer:
    """Turn an error into the answer that its caller can act on.

    Args:
        error: What happened.
        prefix: What begins its message, unless the arguments are at fault.
    """
    prefix = "Invalid request: " if isinstance(error, InvalidArguments) else prefix
    structured = _redacted(error.as_dict() | {"error": prefix + error.message})
    text = structured["error"] + (f"\n{structured['suggestion']}" if error.suggestion else "")
    return Answer(structured, text, is_error=True)


def shortened(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give arguments as the log may have them: long strings shortened, secrets redacted (specs/3)."""
    return {_shorten(key): _shorten(value) for key, value in arguments.items()}


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        text = redact(value)
        return text if len(value) <= SHOWN else f"{text[:SHOWN]}… [{len(value)} chars]"
    if isinstance(value, dict):
        return shortened(value)
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return f"[a number of {value.bit_length()} bits]"  # Python may be unwilling to write it
    return [_shorten(item) for item in value] if isinstance(value, list) else value


def _redacted(value: Any) -> Any:
    if isinstance(value, str):
        return sendable(redact(value))
    if isinstance(value, dict):
        return {_redacted(key): _redacted(inner) for key, inner in value.items()}
    return [_redacted(inner) for inner in value] if isinstance(value, list | tuple) else value


def _begin(page: Page[Any], position: cursors.Position | None, *, fetched_less: bool) -> int:
    """Find where a page goes on: behind the last item seen, wherever the list has grown meanwhile."""
    if position is None:
        return 0
    found = [index for index, item in enumerate(page.items) if page.key(item) == position.key]
    if found:
        return min(found, key=lambda index: abs(index + 1 - position.seen)) + 1
    return 0 if fetched_less else min(position.seen, len(page.items))


def _told(error: BaseException, tool: Tool) -> StithyError:
    """Find the known error inside an exception group, or mask what is not known."""
    known = [leaf for leaf in _leaves(error) if isinstance(leaf, StithyError)]
    if known and len(known) == len(_leaves(error)):
        return known[0]
    log.error("%s failed inside %s", tool.spec.name, tool.origin, exc_info=error)
    return InternalError(
        f"{tool.spec.name} failed inside {tool.origin}",
        suggestion="The server's log has the cause; report it to the plugin's author.",
    )


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]


def _late(tool: Tool) -> ToolTimeout:
    writes = tool.spec.effects is not Effects.READ
    return ToolTimeout(
        f"{tool.spec.name} took longer than {tool.seconds:.0f} seconds",
        suggestion="It may have been carried out: read the target back before you repeat it."
        if writes
        else "Try again.",
    )
