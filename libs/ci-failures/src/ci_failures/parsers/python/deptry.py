"""deptry: dependencies of a project that are missing, unused or transitive.

noxfile.py:1:8: DEP003 'nox' imported but it is a transitive dependency
pyproject.toml: DEP002 'requests' defined as a dependency but not used in the codebase
Found 2 dependency issues.
"""

import re
from collections.abc import Iterable, Sequence

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, relative

OF_DEPTRY = "DEP00"
FINDING = re.compile(r"(\S.{0,300}?):(?:(\d{1,7}):(\d{1,7}):)? (DEP00\d) (.+)$")
TOTAL = re.compile(r"Found (\d+) dependency issues?\.$")


class Deptry(Parser):
    """Parser of the findings and their total."""

    tool = "deptry"
    wakes = (f": {OF_DEPTRY}", " dependency issue")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a finding, or the total."""
        if total := TOTAL.match(line.text):
            self._counted = (self._counted or 0) + int(total[1])
        elif (found := FINDING.match(line.text)) and len(self._found) < MOST_FAILURES:
            file = relative(found[1])
            place = f"{file}:{found[2]}:{found[3]}" if found[2] else file
            what = f" {found[5].split(chr(39))[1]}" if not found[2] and "'" in found[5] else ""
            failure = Failure(
                tool=self.tool,
                kind="lint",
                name=f"{found[4]} {place}{what}",
                message=found[5],
                file=file,
                line=int(found[2]) if found[2] else None,
                log_line=line.number,
            )
            self._found.setdefault(failure.name, failure)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the findings, each once."""
        return list(self._found.values())

    def total(self) -> int | None:
        """Return what deptry counts."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- it checks a project only
        """Return the command that checks the project again."""
        return command("deptry", ".")
