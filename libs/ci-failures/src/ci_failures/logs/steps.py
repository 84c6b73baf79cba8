"""Which steps of a job passed, as the log of GitHub's runner tells it.

It begins each step by `##[group]Run …`, and ends what failed by a line that begins with `##[error]`. What a linter
finds in a step that passed (`flake8 --exit-zero`) made nothing fail.
"""

from bisect import bisect_right

HARMLESS = frozenset({"lint", "dependency"})
"""Kinds that a step may print and pass; a test that failed there is told, as a later step may fail for it."""
MOST_STEPS = 10_000
"""Steps that are told apart: a log with more of such lines is not one of steps."""


class Steps:
    """The steps of a log, in its order."""

    def __init__(self) -> None:
        self._begins = [0]
        self._failed = [False]
        self._any = False

    def begin(self, number: int) -> None:
        """Take the number of a line that begins a step."""
        if len(self._begins) <= MOST_STEPS:
            self._begins.append(number)
            self._failed.append(False)

    def fail(self) -> None:
        """Take that the step which began last has an error."""
        self._failed[-1] = self._any = True

    def harmless(self, kind: str, number: int) -> bool:
        """Tell whether what a line tells stands in a step that passed, of a job in which another one failed."""
        if kind not in HARMLESS or len(self._begins) > MOST_STEPS or not self._any:
            return False
        return not self._failed[bisect_right(self._begins, number) - 1]
