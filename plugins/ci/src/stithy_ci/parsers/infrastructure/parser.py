"""The parser of signs: a line that fits one is a failure, with the lines after it that belong to it."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from stithy_ci.parsers.common import cut, unmarked
from stithy_ci.parsers.infrastructure.signs import Sign
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

RUNNER = ("##[", "::", "exitcode '", "Process completed with exit code")
"""How lines begin in which a runner speaks itself, GitHub's and Gitea's."""


class SignParser(LogParser):
    """Looks for signs; those who derive from it say which."""

    signs: ClassVar[Sequence[Sign]] = ()

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._name = ""
        self._sign: Sign | None = None
        self._lines: list[str] = []

    def read(self, line: Line) -> bool:
        """See whether a line fits a sign, or belongs to the one before."""
        for sign in self.signs:
            found = sign.form.search(line.text) if sign.wakes in line.text else None
            if found:
                self._close()
                self._begin(sign, sign.name(found), line)
                return bool(sign.more)
        if self._sign is None:
            return False
        belongs = self._sign.follows.search(line.text) and not line.text.startswith(RUNNER)
        if len(self._lines) <= self._sign.more and belongs:
            self._lines.append(line.text)
            return True
        self._close()
        return False

    def finish(self) -> Iterable[Failure]:
        """Give each once."""
        self._close()
        return list(self._found.values())

    def _begin(self, sign: Sign, name: str, line: Line) -> None:
        if name in self._found or len(self._found) >= MOST_FAILURES:
            return
        self._found[name] = Failure(
            tool=sign.tool, kind=sign.kind, name=name, log_line=line.number, confidence=sign.confidence
        )
        self._name, self._sign, self._lines = name, sign, [line.text]

    def _close(self) -> None:
        if self._sign is not None:
            self._found[self._name] = evolve(self._found[self._name], message=cut(map(unmarked, self._lines)))
        self._sign, self._lines = None, []
