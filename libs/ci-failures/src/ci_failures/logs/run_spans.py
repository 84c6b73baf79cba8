"""Spans of runs of test tools: results of other tools within a run are output of its tests.

A test may print the whole output of another tool. The total of the outer tool does not count what is in it.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ci_failures.logs.steps import Steps

MOST_SPANS = 10_000
"""Spans that are distinguished; what a log with more runs prints in the later ones counts."""

ANNOUNCED = frozenset(
    {"boost", "exunit", "gtest", "jasmine", "minitest", "nextest", "phpunit", "playwright"} | {"vitest"}
)
"""Tools that announce each run: of two totals behind that, a test printed the first one."""

DRIVERS = frozenset({"ctest", "helm", "result file", "unittest"})
"""Tools that run tests of any other tool, and what has no begin of its own: results in their runs count."""


class RunSpan(NamedTuple):
    """A run of a tool that has ended.

    Args:
        tool: The name of the tool.
        begin: The number of the line that shows that it began.
        end: The number of the line of its total.
        failing: Whether the total counts failures.
    """

    tool: str
    begin: int
    end: int
    failing: bool


class RunSpans:
    """The runs of one log whose begin and total are in it."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}
        self._called: set[str] = set()
        self._spans: list[RunSpan] = []

    def begin(self, tool: str, number: int) -> None:
        """Record a line that a tool prints only when it begins."""
        self._open[tool] = number

    def call(self, tool: str, number: int) -> None:
        """Record a command that calls a tool."""
        self._called.add(tool)
        self.begin(tool, number)

    def show(self, tool: str, number: int) -> None:
        """Record a line that a tool prints while it runs, or behind the command that calls it."""
        if tool in ANNOUNCED or tool not in self._open:
            self._open[tool] = number

    def is_open(self, tool: str) -> bool:
        """Check whether a run of a tool has begun and not ended."""
        return tool in self._open

    def end(self, tool: str, number: int, *, failing: bool) -> int:
        """Record the total of a tool, and return the line with which its run began; 0 if none is known."""
        begun = self._open.get(tool, 0) if tool in ANNOUNCED else self._open.pop(tool, 0)
        if begun and tool not in DRIVERS and len(self._spans) < MOST_SPANS:
            self._spans.append(RunSpan(tool, begun, number, failing))
        return begun

    def find_printed(
        self, steps: Steps, families: Callable[[str], AbstractSet[str]], read: Collection[str], ended: Mapping[str, int]
    ) -> Callable[[str, int], bool]:
        """Return a function that checks whether a result of a tool in a line is output of a test of another tool.

        Args:
            steps: The steps of the log; no run goes on in the next one.
            families: Returns a tool and those that it runs, or that run it.
            read: The tools of which failures were read; a run with failures counts only if its own are known.
            ended: The number of the last total of each tool; one behind the span shows that runs are interleaved.
        """
        spans: dict[str, list[RunSpan]] = defaultdict(list)
        for span in sorted(self._spans):
            is_one_step = steps.find(span.begin) == steps.find(span.end)
            if is_one_step and (not span.failing or not families(span.tool).isdisjoint(read)):
                spans[span.tool].append(span)
        begins = {tool: [span.begin for span in own] for tool, own in spans.items()}

        def find_end(tool: str, number: int) -> int:
            """Return the end of the last run of a tool that began before a line; 0 if there is none."""
            at = bisect_left(begins[tool], number)
            return spans[tool][at - 1].end if at else 0

        def is_printed(tool: str, number: int) -> bool:
            family = families(tool)
            if not spans or not self._called.isdisjoint(family):
                return False
            least = max(number, *(ended.get(one, 0) for one in family))
            return any(find_end(outer, number) > least for outer in spans if outer not in family)

        return is_printed
