"""The scripts that a runner prints before it runs them: what looks like a failure in one is not a failure."""

from collections.abc import Sequence

from ci_failures.logs.literal_search import ECHO, END

LONGEST = 2_000
"""Lines of a script; a longer one has lost its end, and what follows may be anything."""


class Echo:
    """The scripts in the lines of a log.

    Attributes:
        is_open: Whether the last line read belongs to a script.
        begins: The number of the line at which the last script begins.
        endless: The number of the line at which the first script without an end begins; 0 if there is none.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.begins = self.endless = 0
        self._left = 0

    def list_shown(self, numbers: Sequence[int], marks: Sequence[tuple[int, str]]) -> bytearray:
        """Return for each line whether it is shown: not part of a script, and not the end of a group.

        Args:
            numbers: The numbers of the lines.
            marks: The indices of the lines with a mark, and the mark.
        """
        shown = bytearray(b"\x01") * len(numbers)
        hidden = 0 if self.is_open else -1
        for index, mark in marks:
            if mark == ECHO and hidden < 0:
                hidden, self._left, self.begins = index, LONGEST, numbers[index]
            elif mark != ECHO and hidden >= 0:
                self._hide(shown, hidden, index)
                hidden = -1
            if mark == END:
                shown[index] = 0
        self.is_open = hidden >= 0 and self._hide(shown, hidden, len(numbers))
        return shown

    def _hide(self, shown: bytearray, begin: int, end: int) -> bool:
        """Hide lines of a script; return whether it may go on."""
        count = min(end - begin, self._left)
        shown[begin : begin + count] = bytes(count)
        self._left -= count
        if not self._left:
            self.endless = self.endless or self.begins
        return self._left > 0
