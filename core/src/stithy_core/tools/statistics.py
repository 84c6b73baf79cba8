"""How often each tool was called, how it ended and how long it took; bounded, whatever the uptime."""

from collections import deque
from typing import Any

from attrs import define, field

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
    """Counts per tool; the percentiles are of each tool's last 1,000 calls."""

    def __init__(self) -> None:
        self._tools: dict[str, _Counts] = {}

    def record(self, tool: str, seconds: float, *, failed: bool = False, timed_out: bool = False) -> None:
        """Count one call that has ended."""
        counts = self._tools.setdefault(tool, _Counts())
        counts.invocations += 1
        counts.failures += failed
        counts.timeouts += timed_out
        counts.total_ms += seconds * 1_000
        counts.recent.append(seconds * 1_000)

    def as_dict(self) -> dict[str, Any]:
        """Give the totals and each tool's figures, times in milliseconds."""
        tools = {name: counts.as_dict() for name, counts in sorted(self._tools.items())}
        totals = ("invocations", "failures", "timeouts", "total_ms")
        return {total: round(sum(row[total] for row in tools.values()), 3) for total in totals} | {"tools": tools}


def _percentile(ordered: list[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3) if ordered else 0.0
