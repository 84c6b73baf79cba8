"""Base of the parsers of linters: an entry for each finding, named by its rule and its place."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Kind, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative


class Linter(Parser):
    """The findings, each once; subclasses read them."""

    again: ClassVar[tuple[str, ...]] = ()
    """The words of the command that checks files again."""

    counts_printed: ClassVar[bool] = False
    """Whether the tool prints all that it counts, so that findings which are not in the log are a gap."""

    def __init__(self) -> None:
        self.found: dict[str, Failure] = {}
        self.reported: int | None = None

    def find(
        self, rule: str, path: str, line: int, text: str, number: int, *, column: int = 0, kind: Kind = "lint"
    ) -> str:
        """Record a finding, and return the name under which it is kept."""
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

    def add_total(self, count: int) -> None:
        """Add the number of findings that the tool counts; a log may have several runs of it."""
        self.reported = (self.reported or 0) + count

    def finish(self) -> Iterable[Failure]:
        """Return the findings; with less confidence if the tool counts another number."""
        sure = self.reported is None or self.reported == len(self.found)
        confidence: Confidence = "high" if sure else "medium"
        return [evolve(one, confidence=confidence) for one in self.found.values()]

    def total(self) -> int | None:
        """Return how many findings the tool counts, if it prints all of them."""
        return self.reported if self.counts_printed else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that checks these files again."""
        return command(*cls.again, *each_once(one.selector for one in failures))


class RepeatingLinter(Linter):
    """Findings of a tool whose total counts also those that it prints twice; `printed` counts them as it does."""

    def __init__(self) -> None:
        super().__init__()
        self.printed = 0

    def finish(self) -> Iterable[Failure]:
        """Return the findings; with less confidence if the tool counts another number."""
        self.reported = self.total()
        return super().finish()

    def total(self) -> int | None:
        """Return the tool's total, which may count findings that are not printed; of those printed, each once."""
        return len(self.found) if self.reported == self.printed else self.reported
