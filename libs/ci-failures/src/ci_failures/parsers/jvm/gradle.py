"""Gradle's tests: `Class > method() FAILED`, and the exception below it, short or full.

Tests may print the same. A block counts if an exception is below it and Gradle itself appears in the log; one
without an exception only as far as `20 tests completed, 1 failed` shows that some are missing.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeAlias

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.gradle_blocks import HEADING, INDENT, THEMED, GradleBlock, near
from ci_failures.parsers.jvm.gradle_filters import pattern
from ci_failures.parsers.jvm.gradle_names import Test, parse_name
from ci_failures.parsers.text_helpers import command

TASK = re.compile(r"(?:> Task )?((?::[^\s:]+)+)(?: FAILED)?\s*$")
COUNTS = re.compile(r"\d+ tests? completed, (\d+) failed(?:, \d+ skipped)?\s*$")
CRASHED = re.compile(r"> (Process 'Gradle Test Executor \d+' finished with non-zero exit value (\d+))")
LIST, LISTED = "Tests with failures:", re.compile(r" - ((?:[\w$]+\.)*[A-Z][\w$]*)\.(\S.*)")
"""The list that the builds of Elasticsearch and OpenSearch print of each task, and a line of it."""
BROKEN = re.compile(r"Execution failed for task '((?::[^\s:']+)+)'")
SEVERAL = re.compile(r"[\w$.]+ > .* > ")
"""The separator between a test and its case."""
ON_DEVICES = "AndroidTest"
"""The end of the names of tasks that run tests on Android devices: these tasks have no option `--tests`."""
RUNNER_CLASS = "-Pandroid.testInstrumentationRunnerArguments.class="
"""Passes classes and methods to Android's runner: `a.Test#one,a.Test#two`."""
ON_DEVICE = re.compile(r"([\w.$]+)\.([\w$]+)(?:\[.*)?$")
MOST_LINES_OF_A_NAME = 12
KILLED = "137"
Key: TypeAlias = tuple[str, str]


class Gradle(Parser):
    """Parser of the blocks, their tasks, and the totals."""

    tool: ClassVar[str] = "gradle"
    wakes: ClassVar[tuple[str, ...]] = (
        " FAILED", " PASSED", "> Task :", " completed, ", "BUILD SUCCESSFUL", "BUILD FAILED",
        "There were failing tests", "failed with an exception", "Execution failed for task",
        "finished with non-zero exit", "    ✘ ", "    ✔ ", f"\n{LIST}",
    )  # fmt: skip
    first_line: ClassVar[str] = (
        r" .*FAILED| .*PASSED| .*✘| .*✔|(?!\S+\.py::|test .+ \.\.\. FAILED$).* FAILED\s*$|> (?:Task :|Process 'Gradle)"
        r"|\d+ tests? completed, |Tests with fail|BUILD [SF]|.*There were failing tests|Execution failed for task '"
    )

    before: ClassVar[int] = MOST_LINES_OF_A_NAME

    def __init__(self) -> None:
        self._found: dict[Key, Failure] = {}
        self._silent: dict[Key, Failure] = {}
        self._sections: dict[str, list[Key]] = defaultdict(list)
        self._past: deque[str] = deque(maxlen=MOST_LINES_OF_A_NAME)
        self._block: GradleBlock | None = None
        self._task = self._broken = self._class = ""
        self._short: set[Key] = set()
        self._known = self._failed = self._succeeded = self._listing = False
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the open block, or the beginning of something."""
        if self._block is not None:
            if self._block.takes(line.text):
                return True
            self._close()
        text = line.text.rstrip()
        if text == LIST or self._listing:
            self._read_list(text, line.number)
        elif (("." in text and " " not in text[6:]) or self._class) and self._read_themed(text, line.number):
            pass
        elif text.endswith((" FAILED", " PASSED")):
            self._read_end(text, line.number)
        elif text.startswith("> Task :"):
            self._seen_task(text)
        elif counts := COUNTS.match(text):
            self._count(int(counts[1]))
        else:
            self._read_build(text, line.number)
        self._past.append(text)
        return self._block is not None or self._listing

    def _read_build(self, text: str, number: int) -> None:
        """Read how the build or a process of it ended."""
        if text.startswith(("BUILD SUCCESSFUL", "BUILD FAILED")) or "There were failing tests" in text:
            self._known = True
            self._succeeded |= text.startswith("BUILD SUCCESSFUL")
            self._failed |= not text.startswith("BUILD SUCCESSFUL")
        elif broken := BROKEN.match(text):
            self._broken = broken[1]
        elif crashed := CRASHED.match(text):
            self._crash(crashed[1], crashed[2], number)

    def _read_list(self, text: str, number: int) -> None:
        """Read a line of a list of failed tests, or its end."""
        listed = LISTED.match(text)
        self._listing = text == LIST or listed is not None
        test = parse_name(f"{listed[1]} > {listed[2]}") if listed else None
        if test and self._key(test.name) not in self._found:
            selector = pattern(test, Trace(), "")
            failure = Failure(
                tool=self.tool,
                name=test.name,
                place=self._task,
                selector=selector,
                log_line=number,
                confidence="medium",
            )
            self._keep(failure, silent=False)

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep the lines, as a name may have begun in them; only classes and tests of test-logger are read."""
        for line in lines:
            text = line.text.rstrip()
            if ("." in text and " " not in text[6:]) or (self._class and text[:2] == "  "):
                self.read(line)
            else:
                self._past.append(text)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; nothing if no line of the log is Gradle's own."""
        self._close()
        if not self._known:
            return ()
        for key in list(self._silent)[: max(0, (self._counted or 0) - len(self._found))]:  # they follow their total
            self._found.setdefault(key, self._silent[key])
        if self._succeeded and not self._failed:  # a plugin repeated them until they passed
            return [evolve(one, flaky=True) for one in self._found.values()]
        return self._found.values()

    def total(self) -> int | None:
        """Return how many failed, as Gradle counts them for each task; one name is counted once."""
        return self._counted if self._known else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one call of the task, for all its tests if one cannot be selected."""
        if failures and failures[0].place.endswith(ON_DEVICES):
            chosen = dict.fromkeys(map(_select_method, failures))
            return command("./gradlew", failures[0].place, *((RUNNER_CLASS + ",".join(chosen),) if all(chosen) else ()))
        patterns = dict.fromkeys(one.selector for one in failures)
        words = [word for pattern in patterns for word in ("--tests", pattern)] if all(patterns) else []
        return command("./gradlew", failures[0].place or "test", *words) if failures else ""

    def _read_themed(self, text: str, number: int) -> bool:
        """Read a class or a test in the format of the plugin test-logger."""
        if heading := HEADING.match(text):
            self._class = heading[1]
            return True
        found = THEMED.match(text) if self._class and text.startswith("  ") else None
        if found and found[2] in {"FAILED", None}:
            self._block = GradleBlock(Test(self._class, (found[1] or found[3],)), number, themed=True)
        return found is not None

    def _read_end(self, text: str, number: int) -> None:
        """Read the end of a test or of a task."""
        if text.startswith((":", "> Task :")):
            self._seen_task(text)
            return
        test = self._read_name(text[: -len(" FAILED")])
        if test is None:
            return
        key = self._key(test.name)
        if text.endswith(" FAILED"):
            self._block = GradleBlock(test, number)
        elif key in self._found:  # it was repeated
            self._found[key] = evolve(self._found[key], flaky=True)

    def _read_name(self, text: str) -> Test | None:
        """Read a name; it may have several lines because of a test's arguments, so it may have begun above."""
        if (test := parse_name(text)) or " > " in text or text.startswith(("\t", INDENT)):
            return test
        above: list[str] = []
        for line in reversed(self._past):
            if line.endswith((" FAILED", " PASSED")) or line.startswith("> "):
                return None
            above.insert(0, line)
            if SEVERAL.match(line):
                return parse_name(" ".join([*above, text]))
        return None

    def _key(self, name: str) -> Key:
        """Return a key that distinguishes tests of different projects; tasks of one project run the same test."""
        return self._task.rpartition(":")[0], name

    def _seen_task(self, text: str) -> None:
        found = TASK.match(text)
        if found is None:
            return
        self._known = True
        if text.startswith(">"):
            self._task = found[1]
            return
        for key in dict.fromkeys(self._sections.pop("", ())):  # before 4.7 the name of a task followed its output
            one = self._found.pop(key)
            moved = found[1].rpartition(":")[0], one.name
            self._found[moved] = one if one.place else evolve(one, place=found[1])

    def _crash(self, said: str, code: str, number: int) -> None:
        """Record a task whose process ended before its tests did: the log names none of them."""
        self._known = True
        kind: Kind = "out_of_memory" if code == KILLED else "test"
        self._found.setdefault((self._broken, ""), Failure(
            tool=self.tool, kind=kind, name=self._broken, message=said, place=self._broken, log_line=number,
        ))  # fmt: skip

    def _close(self) -> None:
        """Record the failure of the open block."""
        block, self._block = self._block, None
        if block is None or (block.test.in_words and not block.trace.message):
            return
        if self._is_repeated(block):
            return
        trace, test = block.trace, block.test
        file, row = near(block.places, test.outer)
        selector = pattern(test, trace, file)
        if trace.has_frames:
            file, row = trace.place(selector.rpartition(".")[0] if test.in_words else test.of)
        failure = Failure(
            tool=self.tool, name=test.name, message=trace.message, file=file, line=row, place=self._task,
            selector=selector, log_line=block.number, confidence="medium",
        )  # fmt: skip
        self._keep(failure, silent=not trace.message)

    def _is_repeated(self, block: GradleBlock) -> bool:
        """Check whether both Gradle, which omits the package, and test-logger print a test."""
        test = block.test
        short = self._key(f"{test.of.rpartition('.')[2]}.{test.method}")
        if not block.themed:
            return "." not in test.of and short in self._short
        self._short.add(short)
        return short in self._found or short in self._silent

    def _keep(self, failure: Failure, *, silent: bool) -> None:
        kept, key = self._silent if silent else self._found, self._key(failure.name)
        if before := kept.get(key):
            again = before.place == failure.place
            kept[key] = evolve(before, attempts=before.attempts + again, flaky=False)
        elif len(kept) < MOST_FAILURES:
            kept[key] = failure
        if not silent and key in kept:
            self._sections[self._task].append(key)

    def _count(self, total: int) -> None:
        """Compare what was read of a task with Gradle's total."""
        self._known = True
        section = self._sections[self._task]
        missing = list(self._silent)[: max(0, total - len(section))]
        for key in missing:
            self._found.setdefault(key, self._silent[key])
            section.append(key)
        self._silent.clear()
        names = dict.fromkeys(section)
        if len(section) >= total:
            for key in names:
                self._found[key] = evolve(self._found[key], confidence="high")
        self._counted = (self._counted or 0) + (len(names) if len(section) == total else total)
        if self._task:
            self._sections.pop(self._task)


def _select_method(failure: Failure) -> str:
    """Return a test as Android's runner selects it; empty for a name that is not that of a method."""
    found = ON_DEVICE.match(failure.name)
    return f"{found[1]}#{found[2]}" if found else ""
