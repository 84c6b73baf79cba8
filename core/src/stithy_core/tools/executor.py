"""Run the calls of tools, from arguments to answer."""

import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from stithy_core.errors import InternalError, InvalidArguments, InvalidSpec, Refused, StithyError, ToolTimeout
from stithy_core.redaction import redact
from stithy_core.spi import Contribution, Page, ToolCall
from stithy_core.spi.call_state import WriteGuard
from stithy_core.spi.faults import PluginFault, ends_caller, run_in_thread
from stithy_core.spi.tools import CURSOR_ARGUMENT
from stithy_core.tools.answer import Answer, add_notes, note_bytes
from stithy_core.tools.bound_wrapper import BoundWrapper
from stithy_core.tools.call_records import Statistics, mask_error, plugin_error
from stithy_core.tools.context import CallContext, Places, Report, SyncCallContext
from stithy_core.tools.cursors import Cursors, Position
from stithy_core.tools.jobs import Jobs
from stithy_core.tools.registry import IGNORED, Registry, Tool
from stithy_core.tools.validation import SHOWN, drop_nulls, shorten, structure

if TYPE_CHECKING:
    from stithy_core.tools.call_records import CallFault

log = logging.getLogger("stithy.tools")

THREADS = 16


async def ignore_progress(done: float, total: float | None, message: str) -> None:
    """Ignore reports of progress."""


class Executor:
    """Runs calls: drops nulls, validates and structures arguments, limits the time of the handler, renders its result.

    Args:
        registry: The tools.
        places: Resolves the repositories and pull requests that callers name.
        jobs: Work that outlives calls.
        cursors: Signs the ends of pages; by default with a key of this process.
        wrappers: The call wrappers of the server, the outermost first.
    """

    def __init__(
        self,
        registry: Registry,
        places: Places,
        jobs: Jobs,
        cursors: Cursors | None = None,
        wrappers: Sequence[BoundWrapper] = (),
    ) -> None:
        self.registry = registry
        self.statistics = Statistics()
        self.faults: dict[str, CallFault] = {}
        self.cursors = cursors or Cursors()
        self.wrappers = wrappers
        self._places = places
        self._jobs = jobs
        # A plain handler that never checks for cancellation keeps its thread: it must not take other plugins'.
        self._threads: dict[Contribution, anyio.CapacityLimiter] = defaultdict(lambda: anyio.CapacityLimiter(THREADS))

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        report: Report = ignore_progress,
        session: str | None = None,
    ) -> Answer:
        """Run one call and return its answer; every failure but an unknown name becomes an answer, too.

        Args:
            name: The tool.
            arguments: JSON, as the caller sent it.
            report: Receives reports of progress.
            session: Identifies the caller where several share the server; None is the one user behind it.

        Raises:
            ToolNotFound: The name is unknown.
        """
        try:
            tool = self.registry.get(name)
        except Refused as refused:
            return build_error_answer(refused)
        began = time.perf_counter()
        error: StithyError | None = None
        call = ToolCall(tool, drop_nulls(dict(arguments or {})), session)
        try:
            if session is not None:
                tool.check_remote(call.arguments)
                call.tool = tool = tool.remote
            for before in tool.before:
                before(call)
            answer = await self._answer(tool, call, report)
        except StithyError as known:
            error, answer = known, build_error_answer(known, tool.spec.error_prefix)
        except BaseException as unknown:  # the one place where a plugin's fault is masked
            if ends_caller(unknown):
                raise
            error = mask_error(unknown, tool.spec.name, tool.origin)
            answer = build_error_answer(error, tool.spec.error_prefix)
        self._end(tool, call, answer, error)
        self._ended(tool, arguments or {}, error, time.perf_counter() - began)
        return add_notes(answer, call) if call.notes else answer

    def extend_prompt(self, prompt: str, arguments: Mapping[str, str], session: str | None) -> list[str]:
        """Return the messages that wrappers append to a prompt which begins a workflow.

        Args:
            prompt: Its name.
            arguments: What the caller gave for it.
            session: As for `call`.

        Raises:
            StithyError: The prompt cannot be given.
        """
        extending = [wrapper.wrapper for wrapper in self.wrappers if wrapper.is_overridden("extend_prompt")]
        tools = self.registry.tools.values()
        return [text for one in extending if (text := one.extend_prompt(prompt, arguments, session, tools))]

    @staticmethod
    def _end(tool: Tool, call: ToolCall, answer: Answer, error: StithyError | None) -> None:
        try:
            for after in tool.after:
                after(call, answer.structured, error)
        except PluginFault:  # a wrapper that cannot be created has refused the call before
            pass

    def _ended(self, tool: Tool, arguments: Mapping[str, Any], error: StithyError | None, seconds: float) -> None:
        """Record a call in the statistics and the log."""
        name, late = tool.spec.name, isinstance(error, ToolTimeout)
        self._note(tool, error)
        self.statistics.record(name, seconds, failed=error is not None, timed_out=late)
        if log.isEnabledFor(logging.INFO):
            from stithy_core.sanitize import sendable
            from stithy_core.tools.call_records import shorten_arguments

            ended = sendable(redact(str(error))) if error else "ok"
            log.info("%s %s: %s in %.0f ms", name, shorten_arguments(arguments), ended, seconds * 1_000)

    def _note(self, tool: Tool, error: StithyError | None) -> None:
        """Record how the last call of a tool failed, if its plugin is at fault."""
        if error is None:
            self.faults.pop(tool.spec.name, None)
        elif isinstance(error, InternalError | InvalidSpec | ToolTimeout) and not isinstance(error, PluginFault):
            from stithy_core.tools.call_records import describe_fault

            self.faults[tool.spec.name] = describe_fault(tool, error)

    async def _answer(self, tool: Tool, call: ToolCall, report: Report) -> Answer:
        arguments = call.arguments
        if not arguments.keys() <= tool.input["properties"].keys():
            self._drop_additions(tool, call)
        tool.validator.check(arguments)
        given = structure(arguments, tool.spec.input)
        position = None
        if tool.takes_cursor and CURSOR_ARGUMENT in arguments:
            position = self.cursors.read(arguments[CURSOR_ARGUMENT], tool.spec.name, arguments)
        passage = WriteGuard(tool.spec.name, writes=tool.writes, dry=call.dry, call=call)
        context = CallContext(
            tool.scope,
            report,
            places=self._places,
            jobs=self._jobs,
            ends=(ends := anyio.current_time() + tool.seconds),
            passage=passage,
            workflow=call.workflow,
            caller=call.caller,
        )
        context.after = position.key if position else None
        with passage, anyio.move_on_at(ends) as limit:
            if tool.around:
                result = await self._wrapped(tool, call, context, given, report)
            else:
                result = await self._result(tool, context, given, report)
        if limit.cancelled_caught:
            raise _late(tool, dry=call.dry)
        from stithy_core.tools.render import PageCut, render  # a start needs none of it

        mint = (lambda end: self.cursors.mint(end, tool.spec.name, arguments)) if tool.takes_cursor else None
        return render(result, PageCut(tool.spec.budget - note_bytes(call), lambda page: _begin(page, position), mint))

    def _drop_additions(self, tool: Tool, call: ToolCall) -> None:
        """Drop the arguments that the host added to a call. What may be the caller's mistake is refused later."""
        from stithy_core.tools.validation import RESERVED, is_addition

        own = tool.input["properties"]
        others = RESERVED.union(*(each.input["properties"] for each in self.registry.tools.values()))
        unknown = [name for name in call.arguments if name not in own]
        added = [name for name in unknown if is_addition(name, own, others, writes=tool.writes)]
        for name in added:
            del call.arguments[name]
        if added:
            names = [shorten(name) for name in added[:SHOWN]]
            call.add_note(IGNORED, names, f"Ignored, since the tool has no such argument: {', '.join(names)}")

    async def _wrapped(self, tool: Tool, call: ToolCall, context: CallContext, given: object, report: Report) -> object:
        proceed: Callable[[], Awaitable[object]] = partial(self._result, tool, context, given, report)
        for wrapper in tool.around:
            proceed = partial(wrapper.around, call, context, proceed)
        return await proceed()

    async def _result(self, tool: Tool, context: CallContext, given: object, report: Report) -> object:
        result = await self._run(tool, context, given, report)
        if misfit := tool.misfit(result):
            raise plugin_error(
                tool.spec.name, tool.origin, f": its result{misfit}", "Report it to the plugin's author."
            )
        return result

    async def _run(self, tool: Tool, context: CallContext, given: object, report: Report) -> object:
        if tool.is_async:
            return await tool.handler(context, given)
        worker = SyncCallContext(tool.scope, report, context.workflow)
        result = await anyio.to_thread.run_sync(
            run_in_thread, tool.handler, worker, given, abandon_on_cancel=True, limiter=self._threads[tool.origin]
        )
        # A partial of an async function does not look like one.
        return await result if isawaitable(result) else result


def build_error_answer(error: StithyError, prefix: str = "") -> Answer:
    """Return the answer to a call that failed.

    Args:
        error: Why it failed.
        prefix: Begins its message, unless the arguments are at fault.
    """
    from stithy_core.tools.render import render_error

    prefix = "Invalid request: " if isinstance(error, InvalidArguments) else prefix
    return render_error(error.as_dict() | {"error": prefix + error.message})


def _begin(page: Page[Any], position: Position | None) -> int:
    return position.behind([page.key(item) for item in page.items]) if position else 0


def _late(tool: Tool, *, dry: bool) -> ToolTimeout:
    return ToolTimeout(
        f"{tool.spec.name} took longer than {tool.seconds:.0f} seconds",
        suggestion="It may have been carried out: read the target back before you repeat it."
        if tool.writes and not dry
        else "Try again.",
    )
