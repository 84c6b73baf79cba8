"""munit, and JUnit under sbt: a single line reports each failure, with class and test."""

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.sbt import FailedClasses, level_of
from ci_failures.parsers.text_helpers import each_once, relative

MUNIT = re.compile(r"==> X ((?:[\w$]+\.)*[A-Z][\w$]*)\.(.+?)(?<! ) {2,}[\d.]+m?s (.*)")
JUNIT = re.compile(r"Test ((?:[\w$]+\.)*[A-Z][\w$]*)\.(\S+|\w+\[.*\]) failed: (.*?)(?:, took [\d.,]+ sec)?$")
PATH = re.compile(r"(?<!\S)(\S+\.(?:scala|java)):(\d+)(?: |$)")
SOURCES = 4
SOURCE = re.compile(r"\d+:")
"""A line of the source around the place."""
MOST_LINES = 200


@define
class MunitBlock:
    """A failed test whose lines are being read."""

    of: str
    method: str
    number: int
    place: tuple[str, int] | None = None
    trace: Trace = field(factory=Trace)
    lines: int = 0


class UnderSbt(Parser):
    """Base of parsers that read a failure's line and its trace."""

    begins: ClassVar[re.Pattern[str]]

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, Failure]] = {}
        self._block: MunitBlock | None = None
        self._classes = FailedClasses()

    def read(self, line: Line) -> bool:
        """Read a line of a block, or of sbt's list of classes, or the beginning of a block."""
        if self._classes.read(line):
            self._close()
            return True
        text = line.text[len(level_of(line.text)) :]
        if found := self.begins.match(text):
            self._close()
            self._block = MunitBlock(found[1], found[2], line.number)
            self._say(found[3], self._block)
            return True
        return self._block is not None and self._below(text, self._block)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; if sbt lists classes, only what belongs to them."""
        self._close()
        return [one for of, one in self._found.values() if self._classes.knows(of)]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one call of sbt."""
        words = each_once(one.selector for one in failures)
        classes = " ".join(each_once(one.selector.partition("\t")[0] for one in failures))
        names = " ".join(f'"{name}"' if " " in name else name for name in (word.replace("\t", ".") for word in words))
        return f"sbt {shlex.quote(f'testOnly {classes} -- {names}')}" if words else ""

    def _say(self, said: str, block: MunitBlock) -> None:
        """Read the first line of a message, and the place in it."""
        path = PATH.search(said)
        if path:
            block.place = relative(path[1]), int(path[2])
            said = f"{said[: path.start()]}{said[path.end() :]}".rstrip()
        block.trace.take(said)

    def _below(self, text: str, block: MunitBlock) -> bool:
        block.lines += 1
        framed = text.lstrip().startswith(("at ", "..."))
        if block.lines > MOST_LINES or (block.trace.framed and not framed) or text.startswith("==> "):
            self._close()
            return False
        if not (block.place and block.lines <= SOURCES and SOURCE.match(text)):
            block.trace.take(f"\t{text.lstrip()}" if framed else text)
        return True

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is None or len(self._found) >= MOST_FAILURES:
            return
        file, row = block.place or block.trace.place(block.of)
        name = f"{block.of}.{block.method}"
        plain = re.fullmatch(r"[\w$ .,:;'/()-]+", block.method)  # otherwise it would be read as a pattern
        prepares = block.method.endswith(f"({block.of})")
        self._found.setdefault(name, (block.of, Failure(
            tool=self.tool, name=name, message=block.trace.message, file=file, line=row,
            selector=f"{block.of}\t{block.method if plain and not prepares else '*'}", log_line=block.number,
        )))  # fmt: skip


class Munit(UnderSbt):
    """Parser of `==> X pkg.Suite.name  0.01s message`."""

    tool: ClassVar[str] = "munit"
    wakes: ClassVar[tuple[str, ...]] = ("==> X ", "[error] Failed tests:")
    begins: ClassVar[re.Pattern[str]] = MUNIT


class JUnitUnderSbt(UnderSbt):
    """Parser of `Test pkg.Class.method failed: message, took 0.01 sec`."""

    tool: ClassVar[str] = "junit-interface"
    wakes: ClassVar[tuple[str, ...]] = (" failed: ", "[error] Failed tests:")
    first_line: ClassVar[str] = r".*Test \S.* failed: |.*\[error\] Failed tests:"
    begins: ClassVar[re.Pattern[str]] = JUNIT
