"""flake8, and pycodestyle, which prints alike."""

from collections.abc import Iterable, Sequence

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.python.findings import PLACES, Groups, again, each, failures


class Flake8(Parser):
    """Reads what flake8 found: all lines of the kind that ruff neither counts nor marks."""

    tool = "flake8"
    wakes = PLACES

    def __init__(self) -> None:
        self._groups = Groups()

    def read(self, line: Line) -> bool:
        """Take a line."""
        self._groups.read(line)
        return self._groups.awake

    def finish(self) -> Iterable[Failure]:
        """Give what was found, each once."""
        self._groups.finish()
        return failures(self.tool, self._groups.flake8, self._groups.by_flake8)

    def counted(self) -> int | None:
        """Give what --count says, without what is said twice."""
        count, found = self._groups.by_flake8, self._groups.flake8
        return None if count is None else count - len(found) + len(each(found))

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Have the same files looked at."""
        return again(("flake8",), failures)
