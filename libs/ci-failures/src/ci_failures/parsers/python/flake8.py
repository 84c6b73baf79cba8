"""flake8, pycodestyle, which has the same output; deptry's findings look alike and have a parser of their own."""

from collections.abc import Iterable, Sequence

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.python.deptry import OF_DEPTRY
from ci_failures.parsers.python.findings import PLACES, Finding, Groups, again, each, failures
from ci_failures.parsers.python.ruff import Ruff


class Flake8(Parser):
    """Parser of flake8's findings: all lines of the form that ruff neither counts nor marks."""

    tool = "flake8"
    wakes = PLACES
    reads_with = Ruff

    def __init__(self) -> None:
        self._groups = Groups()

    def read(self, line: Line) -> bool:
        """Read a line."""
        self._groups.read(line)
        return self._groups.awake

    def finish(self) -> Iterable[Failure]:
        """Return the findings, each once."""
        self._groups.finish()
        return failures(self.tool, self._own(), self._groups.by_flake8)

    def total(self) -> int | None:
        """Return the total that --count prints, without repetitions."""
        count, found = self._groups.by_flake8, self._own()
        return None if count is None else count - len(found) + len(each(found))

    def _own(self) -> Sequence[Finding]:
        return [one for one in self._groups.flake8 if not one.code.startswith(OF_DEPTRY)]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that checks the same files again."""
        return again(("flake8",), failures)
