"""Records of how calls ended: faults of plugins, statistics, and arguments as the log may have them."""

import logging
from collections import deque
from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from stithy_core.errors import InternalError, StithyError
from stithy_core.redaction import MASK, redact
from stithy_core.spi import Contribution
from stithy_core.spi.faults import leaves_of, locate
from stithy_core.spi.tools import WORKFLOW_ARGUMENT
from stithy_core.tools.registry import Tool

log = logging.getLogger("stithy.tools")


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


def plugin_error(name: str, origin: Contribution, what: str, suggestion: str) -> InternalError:
    """Return an error that names the plugin, without the text of what was raised."""
    return InternalError(f"{name} failed inside {origin}{what}", suggestion=suggestion)


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
    return CallFault(origin=tool.origin, tool=tool.spec.name, cause=_cause(error), remedy=remedy)


def _cause(error: StithyError) -> str:
    masked = error.__cause__
    return f"it raised {locate(masked)}" if isinstance(error, InternalError) and masked else redact(error.message)


KEPT = 1_000


@define
class _Counts:
    invocations: int = 0
    failures: int = 0
    timeouts: int = 0
    total_ms: float = 0.0
    recent: deque[float] = field(factory=lambda: deque(maxlen=KEPT))

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


SHOWN = 100
"""Characters of a text that are logged."""
BITS = 1_024
WRITTEN = frozenset({"body", "code", "content", "description", "message", "text", "title"})
"""Arguments of these names hold what people wrote, however short; so does any text of several lines."""


def shorten_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call for the log: without secrets, texts that people wrote, and long values.

    The handle of a workflow is masked, since whoever knows it may use the workflow.
    """
    return _each(arguments) | ({WORKFLOW_ARGUMENT: MASK} if WORKFLOW_ARGUMENT in arguments else {})


def _each(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {_shorten(key): _sized(value) if key in WRITTEN else _shorten(value) for key, value in arguments.items()}


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return _each(value)
    if isinstance(value, int) and value.bit_length() > BITS:
        return f"[a number of {value.bit_length()} bits]"  # Python may be unwilling to write it
    return [_shorten(item) for item in value] if isinstance(value, list) else value


def _text(value: str) -> str:
    if "\n" in value:
        return _size(value)
    text = redact(value)
    return text if len(value) <= SHOWN else f"{text[:SHOWN]}… {_size(value)}"


def _sized(value: Any) -> Any:
    return _size(value) if isinstance(value, str) else _shorten(value)


def _size(value: str) -> str:
    return f"[{len(value)} chars]"
