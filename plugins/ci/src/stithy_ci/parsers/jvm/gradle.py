"""Gradle's tests: `Class > method() FAILED`, and the exception below it, short or full.

Tests may print the same. A block counts where an exception stands below it and Gradle itself appears in the log; one
without an exception only as far as `20 tests completed, 1 failed` says that some are missing.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from stithy_ci.parsers.common import command
from stithy_ci.parsers.jvm.gradle_names import Test, named
from stithy_ci.parsers.jvm.traces import Trace
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

TASK = re.compile(r"(?:> Task )?((?::[^\s:]+)+)(?: FAILED)?\s*$")
COUNTS = re.compile(r"\d+ tests? completed, (\d+) failed(?:, \d+ skipped)?\s*$")
SHORT = re.compile(r"    ([\w.$]+) at ([\w$-]+\.(\w+)):(\d+)\s*$")
INDENT = "    "
MOST_OF_A_BLOCK = 600


@define
class Block:
    """One failed test, as it is being read."""

    test: Test
    number: int
    trace: Trace = field(factory=Trace)
    short: tuple[str, int] | None = None
    lines: int = 0
    empty: bool = False


class Gradle(LogParser):
    """Reads the blocks, the tasks they belong to, and how many there are."""

    tool: ClassVar[str] = "gradle"
    wakes: ClassVar[tuple[str, ...]] = (
        " FAILED", " PASSED", "> Task :", " completed, ", "BUILD SUCCESSFUL", "BUILD FAILED",
        "There were failing tests", "failed with an exception",
    )  # fmt: skip

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._silent: dict[str, Failure] = {}
        self._section: list[str] = []
        self._block: Block | None = None
        self._task = ""
        self._known = self._failed = self._succeeded = False
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Take a line of the block that is being read, or see what begins."""
        if self._block is not None:
            if self._goes_on(line.text, self._block):
                return True
            self._close()
        text = line.text.rstrip()
        if text.endswith((" FAILED", " PASSED")):
            self._ended(text, line.number)
        elif text.startswith("> Task :"):
            self._seen_task(text)
        elif counts := COUNTS.match(text):
            self._count(int(counts[1]))
        elif text.startswith(("BUILD SUCCESSFUL", "BUILD FAILED")) or "There were failing tests" in text:
            self._known = True
            self._succeeded |= text.startswith("BUILD SUCCESSFUL")
            self._failed |= not text.startswith("BUILD SUCCESSFUL")
        return self._block is not None

    def finish(self) -> Iterable[Failure]:
        """Give what failed; nothing where no line of the log is Gradle's own."""
        self._close()
        if not self._known:
            return ()
        if self._succeeded and not self._failed:  # a plugin ran them again until they passed
            return [evolve(one, flaky=True) for one in self._found.values()]
        return self._found.values()

    def counted(self) -> int | None:
        """Give how many failed, as Gradle counts them task by task; what has one name is counted once."""
        return self._counted if self._known else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give one call of the task, for all its tests where one cannot be selected."""
        patterns = dict.fromkeys(one.selector for one in failures)
        words = [word for pattern in patterns for word in ("--tests", pattern)] if all(patterns) else []
        return command("./gradlew", failures[0].place or "test", *words) if failures else ""

    def _goes_on(self, text: str, block: Block) -> bool:
        block.lines += 1
        if block.lines > MOST_OF_A_BLOCK:
            return False
        if not text.strip():
            going = block.lines > 1 and not block.empty
            block.empty = True
            return going
        if not text.startswith((INDENT, "\t")):
            return False
        block.empty = False
        if found := SHORT.match(text):
            block.short = block.short or (found[2], int(found[4]))
            text = f"{INDENT}{found[1]}" if not block.trace.message else f"{INDENT}Caused by: {found[1]}"
        block.trace.take(text.removeprefix(INDENT))
        return True

    def _ended(self, text: str, number: int) -> None:
        """See the end of a test or of a task."""
        if text.startswith((":", "> Task :")):
            self._seen_task(text)
            return
        test = named(text[: -len(" FAILED")])
        if test is None:
            return
        if text.endswith(" FAILED"):
            self._block = Block(test, number)
        elif test.name in self._found:  # it was run again
            self._found[test.name] = evolve(self._found[test.name], flaky=True)

    def _seen_task(self, text: str) -> None:
        found = TASK.match(text)
        if found is None:
            return
        self._known = True
        if text.startswith(">"):
            self._task = found[1]
        else:  # before 4.7 a task was named behind what it printed
            for name in self._section:
                if name in self._found and not self._found[name].place:
                    self._found[name] = evolve(self._found[name], place=found[1])
        self._section = []

    def _close(self) -> None:
        """Keep the failure of the block that has been read."""
        block, self._block = self._block, None
        if block is None or (block.test.in_words and not block.trace.message):
            return
        trace, test = block.trace, block.test
        file, row = block.short or ("", None)
        selector = test.pattern(trace.frames)
        if trace.frames:
            file, row = trace.place(selector.rpartition(".")[0] if test.in_words else test.of)
        elif file.endswith(".java") and file.removesuffix(".java") == test.outer.rpartition(".")[2]:
            file = f"{test.outer.replace('.', '/')}.java"
        failure = Failure(
            tool=self.tool, name=test.name, message=trace.message, file=file, line=row, place=self._task,
            selector=selector, log_line=block.number, confidence="medium",
        )  # fmt: skip
        self._keep(failure, silent=not trace.message)

    def _keep(self, failure: Failure, *, silent: bool) -> None:
        kept = self._silent if silent else self._found
        if before := kept.get(failure.name):
            kept[failure.name] = evolve(before, attempts=before.attempts + 1, flaky=False)
        elif len(kept) < MOST_FAILURES:
            kept[failure.name] = failure
        if not silent:
            self._section.append(failure.name)

    def _count(self, total: int) -> None:
        """Hold what was found since the last task against how many Gradle counts."""
        self._known = True
        missing = list(self._silent)[: max(0, total - len(self._section))]
        for name in missing:
            self._found.setdefault(name, self._silent[name])
            self._section.append(name)
        self._silent.clear()
        names = dict.fromkeys(self._section)
        if len(self._section) >= total:
            for name in names:
                self._found[name] = evolve(self._found[name], confidence="high")
        self._counted = (self._counted or 0) + (len(names) if len(self._section) == total else total)
