"""The last lines before a report of a runner: one may tell why a step without a line like an error failed."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

MOST = 15
"""Lines that are looked at."""


class RecentLines:
    """The lines of a log that were read last."""

    def __init__(self) -> None:
        self._texts: Sequence[str] = ()
        self._numbers: Sequence[int] = ()
        self._shown: Sequence[int] | None = None
        self._before: list[tuple[int, str]] = []
        """The lines before those, the last one first."""

    def feed(self, texts: Sequence[str], numbers: Sequence[int], shown: Sequence[int] | None) -> None:
        """Read lines, and keep the last ones of those before them.

        Args:
            texts: The lines.
            numbers: Their numbers.
            shown: For each line, whether it is not part of a script that the runner echoes; None if all lines are.
        """
        if self._numbers:
            self._before = list(self.list_before(self._numbers[-1] + 1))
        self._texts, self._numbers, self._shown = texts, numbers, shown

    def list_before(self, number: int) -> Iterator[tuple[int, str]]:
        """Iterate over the numbers and texts of the lines before a line that have a text, the last one first."""
        left = MOST
        end = min(bisect_left(self._numbers, number), len(self._texts))
        for at in range(end - 1, max(-1, end - 1 - 4 * MOST), -1):
            if left and self._texts[at].strip() and (self._shown is None or self._shown[at]):
                left -= 1
                yield self._numbers[at], self._texts[at]
        yield from self._before[:left] if end < MOST else ()
