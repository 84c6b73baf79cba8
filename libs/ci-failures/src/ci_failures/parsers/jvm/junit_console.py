"""JUnit's console launcher: the list of failures behind the tree, with class and method of each."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.junit_console_events import ConsoleBlock, ConsoleEvents, simple_types

BY_ANT = re.compile(r" *\[(?:junit|java)\] ?")
OPENING = re.compile(r"Failures \((\d+)\):\s*$")
SOURCE = re.compile(
    r"    (?:Method|Class)Source \[className = '([^']+)'"
    r"(?:, methodName = '([^']+)'(?:, methodParameterTypes = '([^']*)')?)?"
)
TOTAL = re.compile(r"\[ *(\d+) (?:tests|containers) failed *\]\s*$")
REPETITION = re.compile(r"repetition (\d+) of \d+$")
NUMBERED = re.compile(r"\[\d+\]")
FRAMED = re.compile(
    r"(?:[\w.$@-]*/){0,2}[\w.$]+\.[^.()/:]+\((?:[\w$-]+\.\w+(?::-?\d+)?|Native Method|Unknown Source)\)"
)
"""A frame; methods of Kotlin may have spaces in their names."""
TITLED = ("Kotest:", "Spock:")
"""Engines whose tests have titles: what stands as their method leaves parts of these out."""
ENDS = ("Test run finished after", "Thanks for using JUnit")
MOST_LINES = 200_000
LOOK_BACK = 12
"""How far before its exception a test is named."""


class JUnitConsole(Parser):
    """Parser of the list below `Failures (2):`, of what is printed of each test, and of the totals at the end."""

    tool: ClassVar[str] = "junit-console"
    wakes: ClassVar[tuple[str, ...]] = (
        *("Failures (", "tests failed  ", "containers failed  "),
        *(" :: FAILED", " => Exception: ", " caught: ", " uniqueId: [engine:"),
    )
    before = LOOK_BACK

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._in_words: dict[str, list[str]] = defaultdict(list)
        self._listing = False
        self._block: ConsoleBlock | None = None
        self._pending: Line | None = None
        self._events = ConsoleEvents()
        self._asleep_since = 0
        self._lines = 0
        self._listed = 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the list, or its beginning."""
        if line.number <= self._asleep_since:  # the lines before one that wakes may have been read before
            return False
        if by_ant := BY_ANT.match(line.text):
            line = line._replace(text=line.text[by_ant.end() :])
        text = line.text
        if not self._listing:
            opening = OPENING.match(text)
            if total := TOTAL.match(text):
                self._counted = (self._counted or 0) + int(total[1])
            self._listing, self._lines = opening is not None, 0
            more = self._events.read(line)
            self._keep_events()
            self._asleep_since = 0 if self._listing or more else line.number
            return self._listing or more
        self._lines += 1
        if text.startswith(ENDS) or self._lines > MOST_LINES:
            self._take()
            self._close()
            self._listing = False
        elif (source := SOURCE.match(text)) and self._pending:
            self._close()  # the line before is the title, as messages may have lines that look like one
            before = self._pending
            self._block = build_listed_block(before, *source.groups(""))
            self._pending = None
        else:
            self._take()
            self._pending = line
        return self._listing

    def finish(self) -> Iterable[Failure]:
        """Return what failed; entries without a source are ignored."""
        self._take()
        self._close()
        self._events.close()
        self._keep_events()
        for of in list(self._in_words):
            self._drop_repeated_class(of)
        return map(self._with_package, self._found.values())

    def _drop_repeated_class(self, of: str) -> None:
        """Drop a class that only repeats the failure of one of its tests: Kotest reports a broken spec as both."""
        whole = self._found.get(of)
        if whole and any(self._found[name].message.rpartition("\n")[2] in whole.message for name in self._in_words[of]):
            del self._found[of]

    def _with_package(self, failure: Failure) -> Failure:
        """Return a failure with the package of its class, if only exceptions of other tests show it."""
        of, sign, method = failure.name.partition("#")
        whole = self._events.classes.get(of, of)
        if whole == of:
            return failure
        return evolve(failure, name=f"{whole}{sign}{method}", selector=f"{whole}{failure.selector.removeprefix(of)}")

    def total(self) -> int | None:
        """Return how many failed: tests, and containers that failed before any of their tests."""
        return self._counted - (self._listed - len(self._found)) if self._counted is not None else None

    def _take(self) -> None:
        """Move the pending line to the open block: it was not the title of the next one."""
        line, self._pending = self._pending, None
        if line is None or self._block is None:
            return
        inner = line.text.removeprefix("    => ").removeprefix("       ")
        self._block.trace.take(f"\tat {inner}" if FRAMED.fullmatch(inner) else inner)

    def _close(self) -> None:
        block, self._block = self._block, None
        if block is not None:
            self._keep(block)

    def _keep_events(self) -> None:
        for block in self._events.found:
            self._keep(block)
        self._events.found.clear()

    def _keep(self, block: ConsoleBlock) -> None:
        file, row = block.trace.place(block.of)
        method = block.words or f"{block.method}{case(block)}"
        name = f"{block.of}#{method}" if method else block.of
        selector = f"{block.of}#{block.method}" + (f"({block.types})" if block.types else "")
        if len(self._found) < MOST_FAILURES:
            self._listed += 1
            if block.words:
                self._in_words[block.of].append(name)
            self._found.setdefault(name, Failure(
                tool=self.tool, name=name, message=block.trace.message, file=file, line=row,
                selector=selector if block.method else block.of, log_line=block.number,
            ))  # fmt: skip


def build_listed_block(title: Line, of: str, method: str, types: str) -> ConsoleBlock:
    """Return the block of an entry of the list.

    Args:
        title: The line with the titles of what contains the test, and its own, separated by colons.
        of: The class of its source.
        method: The method of its source; empty for a class, and for a test of Kotest before 6, which prints its titles
            in the place of a method since then.
        types: The types of the method's parameters.
    """
    text = title.text.strip()
    words = ""
    if not method or text.startswith(TITLED):
        words = text.partition(f":{of}:")[2] or text.partition(f":{of.rpartition('.')[2]}:")[2]
    return ConsoleBlock(text, title.number, of, method, types, words)


def case(block: ConsoleBlock) -> str:
    """Return the suffix of a method's case, as reports have it, if the title has its number."""
    if not block.method:
        return ""
    called = re.search(rf":{re.escape(block.method)}(\[.*\])$", block.title)
    if called:  # JUnit 4's name of the method contains the case
        return called[1]
    types = simple_types(block.types)
    _, found, leaf = block.title.partition(f":{block.method}({types}):")
    if not found:  # the method has a display name
        numbered = NUMBERED.search(block.title)
        return f"({types}){numbered[0]}" if numbered and types else f"({types})" if types else ""
    if numbered := NUMBERED.match(leaf):
        return f"({types}){numbered[0]}"
    repeated = REPETITION.match(leaf)
    return f"({types})[{repeated[1]}]" if repeated else f"({types}) {leaf}"
