"""Regular expressions that strangers decide, held against paths within bounds of time."""

import time

import regex

SECONDS = 0.1
"""How long one expression may take beyond what is usual: a stranger's can take an age."""
USUAL = 0.0005


class PathPattern:
    """Whether an expression is for a whole path; one that took too long is for none from then on."""

    __slots__ = ("_found", "_holds", "_left", "_negated")

    def __init__(self, expression: str, *, negated: bool = False, holds: str = "") -> None:
        """Compile it.

        Args:
            expression: As `regex` takes it.
            negated: Whether it is for every path that does not fit.
            holds: A text that every fitting path has: most paths are told by that alone, and much faster.

        Raises:
            regex.error: It is none.
        """
        self._found = regex.compile(f"(?s:{expression})")
        self._negated = negated
        self._holds = holds
        self._left = SECONDS

    @property
    def timed_out(self) -> bool:
        """Whether it took too long, and is for no path since then."""
        return self._left <= 0

    def matches(self, path: str) -> bool:
        """Say whether it is for a path; case counts."""
        if self.timed_out:
            return False
        if self._holds not in path:
            return self._negated
        begun = time.thread_time()
        try:
            fits = self._found.fullmatch(path, timeout=self._left) is not None
        except TimeoutError:
            self._left = 0.0
            return False
        if (took := time.thread_time() - begun) > USUAL:
            self._left -= took
        return fits is not self._negated
