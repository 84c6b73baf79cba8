"""ScalaTest, under sbt and by itself: the outline of suites, scopes and tests."""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.sbt import FailedClasses, level_of
from ci_failures.parsers.text_helpers import each_once

TEST = re.compile(r"( *)(?:- |(?=Scenario: ))(.*)")
FAILED = re.compile(r"(.*) \*\*\* FAILED \*\*\*(?: \([\w, ]+\))?$")
ABORTED = re.compile(r"([\w.$]+) \*\*\* ABORTED \*\*\*(?: \([\w, ]+\))?$")
SUITE = re.compile(r"([\w.$]+):(?: \([\w, ]+\))?$")
PLACE = re.compile(r" ?\(([\w$-]+\.(?:scala|java|kt)):(\d+)\)$", re.MULTILINE)
TALLY = re.compile(r"(?:Tests: succeeded \d+, failed|Suites: completed \d+, aborted) (\d+)")
BEGIN, END = "Run starting. Expected test count is", "Run completed in"
LOGGED = re.compile(
    r"[\d\[{<-]|.*\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR)\b|SLF4J|##\[|::[a-z]{1,20}::|Script (?:started|done) on "
)
"""Output of tests or of a runner, which looks like a scope if no level distinguishes the two."""
THROWN = re.compile(r"(?:[a-z][\w$]*\.)+[\w$]+: ")
"""The beginning of the message of an exception: its further lines have no indentation."""
FRAME = re.compile(r" +at \S")
MOST_HELD = 20
"""Lines without an indentation that may belong to one message."""
MOST_SCOPES = 40
TIME = 40
"""Characters within which a level begins."""


@define
class ScalaTestBlock:
    """A failed test whose lines are being read."""

    of: str
    name: str
    depth: int
    number: int
    place: tuple[str, int] | None = None
    trace: Trace = field(factory=Trace)


class ScalaTest(Parser):
    """Parser of outlines: a scope contains the tests of its own depth, and the scopes that are deeper."""

    tool: ClassVar[str] = "scalatest"
    wakes: ClassVar[tuple[str, ...]] = (
        "*** FAILED ***", "*** ABORTED ***", "[info] - ", BEGIN, END, "Tests: succeeded ", "Suites: completed ",
        "[error] Failed tests:", "[error] Error during tests:",
    )  # fmt: skip
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Failure] = {}
        self._suite = ""
        self._scopes: dict[int, str] = {}
        self._block: ScalaTestBlock | None = None
        self._sbt = self._running = self._flat = self._scoped = False
        self._last = 0
        self._passed = 0, ""
        self._classes = FailedClasses()
        self._counted: int | None = None
        self._held: list[str] = []
        """Lines that belong to the message of an exception if its stack follows; else they are an outline."""
        self._ended = False
        """Whether the run has ended, after which ScalaTest may remind of what failed."""
        self._repeated = 0
        """How many failures of a run have the name of one before: a suite may run by itself and in another one."""

    def read(self, line: Line) -> bool:
        """Read a line of an outline; under sbt, lines without a level are output of tests."""
        if line.number <= self._last:
            return self._running  # it was read already
        self._last = line.number
        if self._sbt and "[" not in line.text[:TIME] and not self._classes.listing:
            return self._running
        if self._classes.read(line):
            return True
        level = level_of(line.text)
        self._sbt |= bool(level)
        if self._sbt and not level:
            return self._running
        text = line.text[len(level) :].rstrip()
        if tally := TALLY.match(text):
            self._counted = (self._counted or 0) + int(tally[1])
        elif text.startswith((END, BEGIN)):
            self._close()
            self._suite, self._running = "", text.startswith(BEGIN)
            self._ended = not self._running
        elif text:
            self._outline(text, line.number)
        return self._running

    def finish(self) -> Iterable[Failure]:
        """Return what failed, with the packages that sbt prints at the end."""
        self._close()
        for (of, name), one in self._found.items():
            whole = self._classes.whole(of)
            selector = f"{whole if '.' in whole else '*' + whole}\t{name}"
            yield evolve(one, name=".".join(filter(None, (whole, name))), selector=selector)

    def total(self) -> int | None:
        """Return how many failed, tests and whole suites, each once."""
        return None if self._counted is None else self._counted - self._repeated

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one call of sbt; of a name with quotes, the part before or behind them selects it."""
        parts = [one.selector.partition("\t")[::2] for one in failures if one.selector]
        whole = each_once(of for of, name in parts if not name)
        suites = each_once(of for of, name in parts if name and of not in whole)
        names = each_once(name for of, name in parts if of in suites)
        tests = " ".join(
            f'-t "{name}"' if '"' not in name else f'-z "{max(name.split(chr(34)), key=len).strip()}"' for name in names
        )
        asked = ([f"testOnly {' '.join(suites)} -- {tests}"] if suites else []) + (
            [f"testOnly {' '.join(whole)}"] if whole else []
        )
        return "; ".join(f"sbt {shlex.quote(one)}" for one in asked)  # a call of sbt stops at the first failing command

    def _outline(self, text: str, number: int) -> None:
        if self._held and FRAME.match(text):
            self._take_held()
        if self._block and self._is_message(text):
            self._held.append(text)
            return
        self._outline_held()
        if aborted := ABORTED.match(text):
            self._close()
            self._block, self._running = ScalaTestBlock(aborted[1], "", 0, number), True
        elif suite := SUITE.fullmatch(text):
            self._close()
            self._suite, self._scopes, self._flat, self._scoped = suite[1], {}, False, False
        elif test := TEST.match(text):
            below = test[0].lstrip().startswith("Scenario: ")  # its message has the same depth
            self._test(len(test[1]) - below, test[2], number)
        elif FAILED.match(text) and self._passed[1]:  # the second line of a name
            depth, said = self._passed
            self._test(depth, f"{said} {text.strip()}", number)
        else:
            self._outline_other(text)

    def _outline_other(self, text: str) -> None:
        """Read a scope, or a line of the message of a test."""
        depth = len(text) - len(text.lstrip())
        self._below(text, depth)
        if depth or self._sbt or not (self._flat or self._scoped or LOGGED.match(text)):
            self._scopes = {deep: scope for deep, scope in self._scopes.items() if deep < depth}
            self._scopes[depth] = text.strip()
            self._scoped = not depth

    def _is_message(self, text: str) -> bool:
        """Check whether a line without an indentation may belong to the message of the exception above it."""
        if self._block is None or text[:1] == " " or len(self._held) >= MOST_HELD:
            return False
        trace = self._block.trace
        is_outline = ABORTED.match(text) or SUITE.fullmatch(text) or TEST.match(text) or FAILED.match(text)
        return not trace.framed and THROWN.match(trace.message) is not None and not is_outline

    def _take_held(self) -> None:
        """Record the held lines as those of a message, whose stack follows."""
        held, self._held = self._held, []
        for text in held if self._block else ():
            self._block.trace.take(text)  # type: ignore[union-attr]  # it is open as long as lines are held

    def _outline_held(self) -> None:
        """Read the held lines as an outline, as no stack followed."""
        held, self._held = self._held, []
        for text in held:
            self._outline_other(text)

    def _test(self, depth: int, said: str, number: int) -> None:
        failed = FAILED.match(said)
        self._flat, self._scoped = self._flat or (0 not in self._scopes), False
        self._running = self._running or self._sbt or failed is not None
        if failed is None and self._block is not None and depth > self._block.depth:
            self._below(f"{' ' * depth}- {said}", depth)
            if PLACE.search(said):
                return
        self._close()
        self._passed = (depth, said) if failed is None else (0, "")
        if failed is not None:
            scopes = [scope for deep, scope in sorted(self._scopes.items()) if deep <= depth][:MOST_SCOPES]
            self._block = ScalaTestBlock(self._suite, " ".join([*scopes, failed[1]]), depth, number)

    def _below(self, text: str, depth: int) -> None:
        """Read a line that may belong to the message of the failed test before it."""
        block = self._block
        if block is None:
            return
        if depth <= block.depth:
            self._close()
            return
        bare = text.strip()
        block.trace.take(f"\t{bare}" if bare.startswith("at ") else bare)
        if not block.trace.framed and block.place is None and (place := PLACE.search(bare)):
            block.place = place[1], int(place[2])

    def _close(self) -> None:
        self._outline_held()
        block, self._block = self._block, None
        if block is None or not block.trace.message:  # it was only output of a test
            return
        file, row = block.place or block.trace.place(block.of)
        key = block.of, block.name
        self._repeated += key in self._found and not self._ended
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(key, Failure(
                tool=self.tool, name=block.name, message=PLACE.sub("", block.trace.message).rstrip(), file=file,
                line=row, log_line=block.number, confidence="high" if block.of else "medium",
            ))  # fmt: skip
