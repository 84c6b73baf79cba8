"""Run the calls of tools, from arguments to answer, and record how they ended: statistics, faults and the log."""

import logging
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from inspect import isawaitable
from typing import Any

import anyio
import anyio.to_thread
from attrs import define, field, frozen

from stithy_core.errors import InternalError, InvalidArguments, InvalidSpec, Refused, StithyError, ToolTimeout
from stithy_core.redaction import MASK, redact
from stithy_core.sanitize import sendable
from stithy_core.spi import Contribution, Page, ToolAnswer, ToolCall
from stithy_core.spi.call_state import WriteGuard
from stithy_core.spi.faults import PluginFault, ends_caller, leaves_of, locate, run_in_thread
from stithy_core.spi.tools import CURSOR_ARGUMENT, WORKFLOW_ARGUMENT
from stithy_core.tools.context import CallContext, Jobs, Places, Report, SyncCallContext
from stithy_core.tools.cursors import Cursors, Position
from stithy_core.tools.registry import IGNORED, BoundWrapper, Registry, Tool
from stithy_core.tools.validation import RESERVED, SHOWN, drop_nulls, is_addition, shorten, structure

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
        *,
        text_alone: bool = False,
    ) -> ToolAnswer:
        """Run one call and return its answer; every failure but an unknown name becomes an answer, too.

        Args:
            name: The tool.
            arguments: JSON, as the caller sent it.
            report: Receives reports of progress.
            session: Identifies the caller where several share the server; None is the one user behind it.
            text_alone: Whether the answer's text is sent without its object: then it may take the whole budget.

        Raises:
            ToolNotFound: The name is unknown.
        """
        try:
            tool = self.registry.get(name)
        except Refused as refused:
            return build_error_answer(refused, text_alone=text_alone)
        began = time.perf_counter()
        error: StithyError | None = None
        call = ToolCall(tool, drop_nulls(dict(arguments or {})), session)
        try:
            if session is not None:
                tool.check_remote(call.arguments)
                call.tool = tool = tool.remote
            for before in tool.before:
                before(call)
            answer = await self._create_answer(tool, call, report, text_alone=text_alone)
        except StithyError as known:
            error, answer = known, build_error_answer(known, tool.spec.error_prefix, text_alone=text_alone)
        except BaseException as unknown:  # the one place where a plugin's fault is masked
            if ends_caller(unknown):
                raise
            error = mask_error(unknown, tool.spec.name, tool.origin)
            answer = build_error_answer(error, tool.spec.error_prefix, text_alone=text_alone)
        self._run_after(tool, call, answer, error)
        self._record_end(tool, arguments or {}, error, time.perf_counter() - began)
        if not call.notes:
            return answer
        from stithy_core.tools.answer import add_notes

        return add_notes(answer, call)

    async def call_for_plugin(
        self, name: str, arguments: Mapping[str, Any], session: str | None = None, report: Report = ignore_progress
    ) -> ToolAnswer:
        """Run a call of a plugin, which may use only tools that read.

        Args:
            name: The tool.
            arguments: JSON, as of any caller.
            session: The caller whom the plugin serves, as for `call`.
            report: Receives reports of progress.

        Raises:
            ToolNotFound: The name is unknown.
            Refused: The tool writes, or a setting switched it off.
        """
        if self.registry.get(name).writes:
            raise Refused(f"{name} writes", suggestion="Plugins can call only tools that read.")
        return await self.call(name, arguments, report, session)

    def extend_prompt(self, prompt: str, arguments: Mapping[str, str], session: str | None) -> list[str]:
        """Return the messages that wrappers append to a prompt which begins a workflow.

        Args:
            prompt: Its name.
            arguments: The prompt's arguments, as the caller passed them.
            session: As for `call`.

        Raises:
            StithyError: A wrapper refused it.
            PluginFault: A wrapper failed.
        """
        tools = self.registry.tools.values()
        extending = [wrapper for wrapper in self.wrappers if wrapper.is_overridden("extend_prompt")]
        texts = (wrapper.extend_prompt(prompt, arguments, session, tools) for wrapper in extending)
        return [text for text in texts if text]

    @staticmethod
    def _run_after(tool: Tool, call: ToolCall, answer: ToolAnswer, error: StithyError | None) -> None:
        try:
            for after in tool.after:
                after(call, answer.structured, error)
        except PluginFault:  # a wrapper that cannot be created has refused the call before
            pass

    def _record_end(self, tool: Tool, arguments: Mapping[str, Any], error: StithyError | None, seconds: float) -> None:
        """Record a call in the statistics and the log."""
        name, late = tool.spec.name, isinstance(error, ToolTimeout)
        self._record_fault(tool, error)
        self.statistics.record(name, seconds, failed=error is not None, timed_out=late)
        if log.isEnabledFor(logging.INFO):
            ended = sendable(redact(str(error))) if error else "ok"
            log.info("%s %s: %s in %.0f ms", name, shorten_arguments(arguments), ended, seconds * 1_000)

    def _record_fault(self, tool: Tool, error: StithyError | None) -> None:
        """Record how the last call of a tool failed, if its plugin is at fault."""
        if error is None:
            self.faults.pop(tool.spec.name, None)
        elif isinstance(error, InternalError | InvalidSpec | ToolTimeout) and not isinstance(error, PluginFault):
            self.faults[tool.spec.name] = describe_fault(tool, error)

    async def _create_answer(self, tool: Tool, call: ToolCall, report: Report, *, text_alone: bool) -> ToolAnswer:
        arguments = call.arguments
        if not arguments.keys() <= tool.input["properties"].keys():
            self._drop_additions(tool, call)
        tool.validator.check(arguments)
        values = structure(arguments, tool.spec.input)
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
            call_tool=partial(self.call_for_plugin, session=call.caller),
        )
        context.after = position.key if position else None
        with passage, anyio.move_on_at(ends) as limit:
            if tool.around:
                result = await self._run_wrapped(tool, call, context, values, report)
            else:
                result = await self._run_checked(tool, context, values, report)
        if limit.cancelled_caught:
            raise _create_timeout(tool, dry=call.dry)
        from stithy_core.tools.answer import Budget, PageCut, note_bytes, render  # not needed by a start

        mint = (lambda end: self.cursors.mint(end, tool.spec.name, arguments)) if tool.takes_cursor else None
        budget = Budget(tool.spec.budget - note_bytes(call, text_alone=text_alone), text_alone)
        return render(result, PageCut(budget, lambda page: _find_begin(page, position), mint))

    def _drop_additions(self, tool: Tool, call: ToolCall) -> None:
        """Drop the arguments that the host added to a call. What may be the caller's mistake is refused later."""
        own = tool.input["properties"]
        others = RESERVED.union(*(each.input["properties"] for each in self.registry.tools.values()))
        unknown = [name for name in call.arguments if name not in own]
        added = [name for name in unknown if is_addition(name, own, others, writes=tool.writes)]
        for name in added:
            del call.arguments[name]
        if added:
            names = [shorten(name) for name in added[:SHOWN]]
            call.add_note(IGNORED, names, f"Ignored, since the tool has no such argument: {', '.join(names)}")

    async def _run_wrapped(
        self, tool: Tool, call: ToolCall, context: CallContext, values: object, report: Report
    ) -> object:
        proceed: Callable[[], Awaitable[object]] = partial(self._run_checked, tool, context, values, report)
        for wrapper in tool.around:
            proceed = partial(wrapper.around, call, context, proceed)
        return await proceed()

    async def _run_checked(self, tool: Tool, context: CallContext, values: object, report: Report) -> object:
        result = await self._run_handler(tool, context, values, report)
        if misfit := tool.misfit(result):
            raise plugin_error(
                tool.spec.name, tool.origin, f": its result{misfit}", "Report it to the plugin's author."
            )
        return result

    async def _run_handler(self, tool: Tool, context: CallContext, values: object, report: Report) -> object:
        if tool.is_async:
            return await tool.handler(context, values)
        worker = SyncCallContext(tool.scope, report, context.call_tool, context.workflow)
        result = await anyio.to_thread.run_sync(
            run_in_thread, tool.handler, worker, values, abandon_on_cancel=True, limiter=self._threads[tool.origin]
        )
        # A partial of an async function does not look like one.
        return await result if isawaitable(result) else result


def build_error_answer(error: StithyError, prefix: str = "", *, text_alone: bool = False) -> ToolAnswer:
    """Return the answer to a call that failed.

    Args:
        error: Why it failed.
        prefix: Begins its message, unless the arguments are at fault.
        text_alone: Whether the text is sent without the object.
    """
    from stithy_core.tools.answer import render_error

    prefix = "Invalid request: " if isinstance(error, InvalidArguments) else prefix
    return render_error(error.as_dict() | {"error": prefix + error.message}, text_alone=text_alone)


def _find_begin(page: Page[Any], position: Position | None) -> int:
    return position.behind([page.key(item) for item in page.items]) if position else 0


def _create_timeout(tool: Tool, *, dry: bool) -> ToolTimeout:
    return ToolTimeout(
        f"{tool.spec.name} took longer than {tool.seconds:.0f} seconds",
        suggestion="It may have been carried out: read the target back before you repeat it."
        if tool.writes and not dry
        else "Try again.",
    )


def mask_error(error: BaseException, name: str, origin: Contribution) -> StithyError:
    """Return the known error inside an exception group, or an `InternalError` that masks an unknown one.

    An unknown error is logged, since its text may quote secrets or third parties.

    Args:
        error: What was raised.
        name: The tool or the route that was called.
        origin: Its plugin.
    """
    leaves = leaves_of(error)
    known = [leaf for leaf in leaves if isinstance(leaf, StithyError)]
    if known and len(known) == len(leaves):
        return known[0]
    log.error("%s failed inside %s", name, origin, exc_info=error)
    masked = plugin_error(name, origin, "", "The server's log has the cause; report it to the plugin's author.")
    masked.__cause__ = error
    return masked


def plugin_error(name: str, origin: Contribution, fault: str, suggestion: str) -> InternalError:
    """Return an error that names the plugin, without the text of what was raised."""
    return InternalError(f"{name} failed inside {origin}{fault}", suggestion=suggestion)


@frozen(kw_only=True)
class CallFault:
    """How the last call of a tool failed by a fault of its plugin, or because its plugin ran out of time."""

    origin: Contribution
    tool: str
    cause: str
    remedy: str


def describe_fault(tool: Tool, error: StithyError) -> CallFault:
    """Create the record of a failed call."""
    remedy = error.suggestion or "report it to its author"
    return CallFault(origin=tool.origin, tool=tool.spec.name, cause=_describe_cause(error), remedy=remedy)


def _describe_cause(error: StithyError) -> str:
    masked = error.__cause__
    return f"it raised {locate(masked)}" if isinstance(error, InternalError) and masked else redact(error.message)


RECENT_CALLS = 1_000


@define
class _Counts:
    invocations: int = 0
    failures: int = 0
    timeouts: int = 0
    total_ms: float = 0.0
    recent: deque[float] = field(factory=lambda: deque(maxlen=RECENT_CALLS))

    def as_dict(self) -> dict[str, Any]:
        ordered = sorted(self.recent)
        return {
            "invocations": self.invocations,
            "failures": self.failures,
            "timeouts": self.timeouts,
            "total_ms": round(self.total_ms, 3),
            "p50_ms": _percentile(ordered, 0.50),
            "p95_ms": _percentile(ordered, 0.95),
        }


class Statistics:
    """Counts and durations of calls for each tool; the percentiles are of its last 1,000 calls."""

    def __init__(self) -> None:
        self._tools: dict[str, _Counts] = {}

    def record(self, tool: str, seconds: float, *, failed: bool = False, timed_out: bool = False) -> None:
        """Record one call that has ended."""
        counts = self._tools.setdefault(tool, _Counts())
        counts.invocations += 1
        counts.failures += failed
        counts.timeouts += timed_out
        counts.total_ms += seconds * 1_000
        counts.recent.append(seconds * 1_000)

    def as_dict(self) -> dict[str, Any]:
        """Return the totals and the figures of each tool; times in milliseconds."""
        tools = {name: counts.as_dict() for name, counts in sorted(self._tools.items())}
        totals = ("invocations", "failures", "timeouts", "total_ms")
        return {total: round(sum(row[total] for row in tools.values()), 3) for total in totals} | {"tools": tools}


def _percentile(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) if ordered else 0.0


LOGGED_CHARACTERS = 100
"""Characters of a text that are logged."""
LOGGED_BITS = 1_024
WRITTEN_ARGUMENTS = frozenset({"body", "code", "content", "description", "message", "text", "title"})
"""Arguments of these names hold what people wrote, however short; so does any text of several lines."""


def shorten_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call for the log: without secrets, texts that people wrote, and long values.

    The handle of a workflow is masked, since whoever knows it may use the workflow.
    """
    return _shorten_values(arguments) | ({WORKFLOW_ARGUMENT: MASK} if WORKFLOW_ARGUMENT in arguments else {})


def _shorten_values(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _shorten(key): _shorten_written(value) if key in WRITTEN_ARGUMENTS else _shorten(value)
        for key, value in arguments.items()
    }


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return _shorten_text(value)
    if isinstance(value, dict):
        return _shorten_values(value)
    if isinstance(value, int) and value.bit_length() > LOGGED_BITS:
        return f"[a number of {value.bit_length()} bits]"  # Python may be unwilling to write it
    return [_shorten(item) for item in value] if isinstance(value, list) else value


def _shorten_text(value: str) -> str:
    if "\n" in value:
        return _describe_length(value)
    text = redact(value)
    return text if len(value) <= LOGGED_CHARACTERS else f"{text[:LOGGED_CHARACTERS]}… {_describe_length(value)}"


def _shorten_written(value: Any) -> Any:
    return _describe_length(value) if isinstance(value, str) else _shorten(value)


def _describe_length(value: str) -> str:
    return f"[{len(value)} chars]"
