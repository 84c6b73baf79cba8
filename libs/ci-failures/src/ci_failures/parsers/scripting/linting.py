"""What parsers of linters share: an entry for each finding, named by its rule and its place."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind, Parser
from ci_failures.parsers.common import command, each_once, relative


class Linter(Parser):
    """Keeps findings, each once; those who derive from it read them."""

    again: ClassVar[tuple[str, ...]] = ()
    """The words of the command that looks at files again."""

    def __init__(self) -> None:
        self.found: dict[str, Failure] = {}
        self.total: int | None = None

    def find(
        self, rule: str, path: str, line: int, text: str, number: int, *, column: int = 0, kind: Kind = "lint"
    ) -> str:
        """Keep a finding, and give the name under which it is kept."""
        file = relative(path)
        where = f"{file}:{line}:{column}" if column else f"{file}:{line}" if line else file
        name = f"{rule} {where}"
        if len(self.found) < MOST_FAILURES:
            one = Failure(
                tool=self.tool, kind=kind, name=name, message=text, file=file, line=line or None, selector=file,
                log_line=number,
            )  # fmt: skip
            self.found.setdefault(name, one)
        return name

    def more(self, name: str, text: str) -> None:
        """Add a line to the message of a finding."""
        one = self.found[name]
        self.found[name] = evolve(one, message=f"{one.message} {text}")

    def finish(self) -> Iterable[Failure]:
        """Give the findings; with less confidence where the tool counts another number."""
        sure = self.total is None or self.total == len(self.found)
        confidence: Confidence = "high" if sure else "medium"
        return [evolve(one, confidence=confidence) for one in self.found.values()]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that looks at these files again."""
        return command(*cls.again, *each_once(one.selector for one in failures))
