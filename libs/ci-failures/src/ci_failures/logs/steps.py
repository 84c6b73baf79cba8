"""The steps of a job that passed, according to the log of GitHub's runner.

Each step begins with `##[group]Run …`, and a failing step ends with a line that begins with `##[error]`. Findings of a
linter in a step that passed (`flake8 --exit-zero`) did not fail the job.
"""

from bisect import bisect_right

HARMLESS = frozenset({"lint", "dependency"})
"""Kinds that a passing step may print; a failed test is always reported, since a later step may fail because of it."""
MOST_STEPS = 10_000
"""Steps that are distinguished: a log with more such lines does not consist of steps."""


class Steps:
    """The steps of a log, in their order.

    Attributes:
        any_failed: Whether one of them has an error.
    """

    def __init__(self) -> None:
        self._begins = [0]
        self._failed = [False]
        self.any_failed = False

    def begin(self, number: int) -> None:
        """Record that a step begins in a line."""
        if len(self._begins) <= MOST_STEPS:
            self._begins.append(number)
            self._failed.append(False)

    def fail(self) -> None:
        """Record that the current step has an error."""
        self._failed[-1] = self.any_failed = True

    def find(self, number: int) -> int:
        """Return the index of the step that a line belongs to."""
        return bisect_right(self._begins, number) - 1

    def harmless(self, kind: str, number: int) -> bool:
        """Check whether a failure is in a step that passed, of a job in which another step failed."""
        if kind not in HARMLESS or len(self._begins) > MOST_STEPS or not self.any_failed:
            return False
        return not self._failed[self.find(number)]
