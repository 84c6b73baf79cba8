"""specs2 under sbt: an outline with `x` for a failure and `!` for an error, and the name of the class behind it."""

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.jvm.sbt import FailedClasses, level_of
from ci_failures.parsers.text_helpers import each_once, join_message

ENTRY = re.compile(r"( +|(?=[x!+]))([x!+o*]) (.*)")
"""Before version 3 the first level is not indented, and its examples have the level of passing ones."""
PLACE = re.compile(r" ?\(([\w$-]+\.scala):(\d+)\)$")
FRAME = re.compile(r"\s*[\w.$]+\([\w$-]+\.\w+:\d+\)")
TOTAL = "Total for specification "
MOST_LINES = 20


@define
class Entry:
    """A failed example whose lines are being read."""

    scopes: list[str]
    title: str
    number: int
    sure: bool
    said: list[str] = field(factory=list)


class Specs2(Parser):
    """Parser of outlines up to their totals: only those name the class."""

    tool: ClassVar[str] = "specs2"
    wakes: ClassVar[tuple[str, ...]] = (
        "[error]   x ", "[error]   ! ", "[error]     x ", "[error]     ! ", TOTAL, "[error] Failed tests:",
        "[error] Error during tests:",
    )  # fmt: skip
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, Failure]] = {}
        self._entries: list[Entry] = []
        self._scopes: dict[int, str] = {}
        self._last = self._indent = 0  # of the failed example whose message may follow
        self._within = self._reasoned = self._full = False
        self._classes = FailedClasses()

    def read(self, line: Line) -> bool:
        """Read a line of an outline."""
        if line.number <= self._last:
            return self._within
        self._last = line.number
        if self._classes.read(line):
            return True
        level = level_of(line.text)
        if level:
            self._take(line.text[len(level) :], line.number, failing=level.endswith("[error] "))
        return self._within

    def finish(self) -> Iterable[Failure]:
        """Return what failed, with the packages that sbt prints at the end."""
        for of, one in self._found.values():
            whole = self._classes.whole(of)
            yield evolve(one, name=f"{whole}.{one.name}", selector=whole if "." in whole else f"*{whole}")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one call of sbt for their classes."""
        classes = " ".join(each_once(one.selector for one in failures))
        return f"sbt {shlex.quote(f'testOnly {classes}')}" if classes else ""

    def _take(self, text: str, number: int, *, failing: bool) -> None:
        if text.startswith(TOTAL):
            self._close(text.removeprefix(TOTAL).strip())
        elif (entry := ENTRY.match(text)) and not (failing and 0 < self._indent < len(entry[1])):
            self._reasoned = entry[2] == "o"
            if entry[2] in "x!" and (failing or not entry[1]):
                if len(self._entries) >= MOST_FAILURES:
                    self._full = True  # its lines belong to none that is kept
                    return
                depth = len(entry[1]) or 1
                scopes = [scope for deep, scope in sorted(self._scopes.items()) if deep < depth]
                self._entries.append(Entry(scopes, entry[3], number, failing))
                self._within, self._indent = True, len(entry[1])
                return
        elif failing and self._entries and not self._full and len(self._entries[-1].said) < MOST_LINES:
            self._entries[-1].said.append(text)
        elif not failing and self._reasoned:  # the reason for skipping it
            self._reasoned = False
        elif not failing and text.strip():
            depth = len(text) - len(text.lstrip())
            self._scopes = {deep: scope for deep, scope in self._scopes.items() if deep < depth}
            self._scopes[depth] = text.strip()
        if not failing:
            self._indent = 0

    def _close(self, of: str) -> None:
        """Record the examples of a class."""
        for entry in self._entries:
            if not entry.sure and not entry.said:
                continue
            name = "::".join([*(scope for scope in entry.scopes if scope != of), entry.title])
            place = next((found for text in entry.said if (found := PLACE.search(text))), None)
            kept = takewhile(lambda text: not FRAME.fullmatch(text), entry.said)
            said = [PLACE.sub("", text.strip()) for text in kept]
            if len(self._found) < MOST_FAILURES:
                self._found.setdefault(f"{of}.{name}", (of, Failure(
                    tool=self.tool, name=name, message=join_message(said), file=place[1] if place else "",
                    line=int(place[2]) if place else None, log_line=entry.number,
                )))  # fmt: skip
        self._entries, self._scopes, self._within, self._full = [], {}, False, False
