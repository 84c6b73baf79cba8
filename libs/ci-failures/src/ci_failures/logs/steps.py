"""The steps of a job that passed, according to the log of GitHub's runner.

Each step begins with `##[group]Run …`, and a failing step ends with a line that begins with `##[error]`. Findings of a
linter in a step that passed (`flake8 --exit-zero`) did not fail the job.
"""

import re
from bisect import bisect_right

HARMLESS = frozenset({"lint", "dependency"})
"""Kinds that a passing step may print; a failed test is always reported, since a later step may fail because of it."""
ACTION = re.compile(
    r"##\[group\]Run (?:[\w.-]{1,100}/[\w./-]{1,200}@\S{1,200}|\./\.github/actions/\S{1,200}|docker://\S{1,200})$"
)
"""The first line of a step that runs an action."""
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
        self._actions: set[int] = set()
        self.any_failed = False

    def begin(self, number: int, *, is_action: bool = False) -> None:
        """Record that a step begins in a line.

        Args:
            number: The number of the line.
            is_action: Whether the step runs an action of GitHub, and not commands.
        """
        if len(self._begins) <= MOST_STEPS:
            if is_action:
                self._actions.add(len(self._begins))
            self._begins.append(number)
            self._failed.append(False)

    def fail(self) -> None:
        """Record that the current step has an error."""
        self._failed[-1] = self.any_failed = True

    def find(self, number: int) -> int:
        """Return the index of the step that a line belongs to."""
        return bisect_right(self._begins, number) - 1

    def find_begin(self, step: int) -> int:
        """Return the number of the line with which a step begins."""
        return self._begins[step]

    def is_action(self, step: int) -> bool:
        """Check whether a step runs an action of GitHub: an error that one reports mostly fails its step."""
        return step in self._actions

    def harmless(self, kind: str, number: int) -> bool:
        """Check whether a failure is in a step that passed, of a job in which another step failed."""
        if kind not in HARMLESS or len(self._begins) > MOST_STEPS or not self.any_failed:
            return False
        return not self._failed[self.find(number)]
