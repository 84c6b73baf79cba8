# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""Node's own runner, 18 to 26: its spec reporter, its list of failed tests, and its TAP.

    ▶ Auth
      ✖ rejects (23.4ms)
    ✖ Auth (30.4ms)
    ℹ fail 1

    ✖ failing tests:

    test at test/auth.test.mjs:8:5
    ✖ rejects (23.4ms)
      AssertionError [ERR_ASSERTION]: …

The list has the places, and the tree above it the outer titles; both have the same order.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import TESTS, frame
from ci_failures.parsers.javascript.tap import Result, TapReader, message
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

OPENS = re.compile(r"^( {0,80})▶ (.*)$")
CROSS = re.compile(r"^( {0,80})([✖⚠]) (.*?)(?: \([\d.]+ms\)( # .*)?)?$")
AT = re.compile(r"^test at (.+):(\d+):\d+$")
LISTS = ("✖ failing tests:", "Failed tests:")
COUNT = re.compile(r"^ℹ (fail|cancelled) (\d+)$")
BELOW = re.compile(r"^  '(\d+) subtests? failed'$")
SOURCE = re.compile(r"/\S{1,500}\.[cm]?[jt]sx?$")
CANCELLED = "test did not finish before its parent and was cancelled"
PLACE = re.compile(r"^(.+):(\d+):\d+$")
TIMED = re.compile(r" \(\d+\.\d+ms\)$")
"""The end of a failed test's line, unlike the crosses of other tools; of one that may fail, more follows."""
CLOSED = re.compile(r" \([\d.]+ms\)(?: # .*)?$")
"""The line with which Node up to 20 closes a suite, which looks like the one that opens a suite."""
ADDRESS = re.compile(r"^file:/+")
NEAR = 4
MOST_LINES_OF_A_TITLE = 20


@define
class Item:
    """An entry of the list."""

    title: str
    number: int
    place: tuple[str, int] | None = None
    expected: bool = False
    message: list[str] = field(factory=list)
    around: tuple[str, ...] = ()
    stack: tuple[str, int] | None = None
    is_suite: bool = False
    """Whether its stack shows a hook that runs once for a suite."""


class NodeTest(TapReader):
    """Parser of `node --test`."""

    tool: ClassVar[str] = "node:test"
    wakes: ClassVar[tuple[str, ...]] = (
        *TapReader.wakes,
        "▶ ",
        "✖ ",
        "ℹ fail ",
        "ℹ cancelled ",
        "ℹ duration_ms ",
        "Failed tests:",
    )
    first_line: ClassVar[str] = rf"{TapReader.first_line}|.*▶ |.*✖ |.*ℹ |Failed tests:"

    def __init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self._tree: list[tuple[str, ...]] = []
        self._leaves: list[tuple[tuple[str, ...], int]] = []
        """The failed tests without tests below them, of all runs, with the numbers of their lines."""
        self._suites: list[tuple[str, ...]] = []
        self._shown: tuple[list[tuple[str, ...]], list[tuple[str, ...]]] = [], []
        """The tree above the list: failed tests, and suites."""
        self._items: list[Item] = []
        self._groups: list[list[Item]] = []
        self._listing = self._listed_any = False
        self._place: tuple[str, int] | None = None
        self._end = -NEAR
        self._fails: int | None = None
        self._parents = 0
        """How many suites, and tests with subtests, failed: of these, Node counts the tests."""
        self._title_lines = 0
        """How many lines the title of the last entry may still have."""

    def read(self, line: Line) -> bool:
        """Read a line of the list at the end, of the tree above it, or of TAP."""
        text = line.text
        if self._listing and self._read_listed_line(text, line.number):
            return True
        if text.isascii() and text[:1] != "F":
            return super().read(line)
        if text.startswith("ℹ "):
            self._info(text, line.number)
        elif text.startswith(LISTS) and (line.number - self._end < NEAR or text == LISTS[1]):
            self._settle(keep=not text.startswith(LISTS[1]))
            self._listing, self._shown = True, (self._tree, self._suites)
            self._tree, self._suites, self._open = [], [], []
            return True
        elif "▶" in text and (opened := OPENS.match(text)):
            self._branch(len(opened[1]) // 2, opened[2])
        elif ("✖" in text or "⚠" in text) and (cross := CROSS.match(text)):
            self._leaf(cross, line.number)
        else:
            return super().read(line)
        return line.number - self._end < NEAR

    def _info(self, text: str, number: int) -> None:
        if count := COUNT.match(text):
            self._fails = (self._fails or 0) + int(count[2])
        elif text.startswith("ℹ duration_ms ") or number - self._end < NEAR:  # the report of coverage may follow
            self._end = number

    def _branch(self, depth: int, title: str) -> None:
        if depth <= len(self._open):
            self._open = [*self._open[:depth], title]
            if closed := CLOSED.search(title):
                self._suites.append((*self._open[:depth], title[: closed.start()]))

    def _leaf(self, cross: re.Match[str], number: int) -> None:
        """Read a cross, which belongs to the tree only if all suites above it are open.

        It may close the suite of its depth.
        """
        depth, title = len(cross[1]) // 2, cross[3]
        within = self._open[depth:]
        if depth <= len(self._open) and (not within or within[0] == title or CLOSED.search(within[0])):
            self._parents += bool(within)
            self._open = self._open[:depth]
            self._tree.append((*self._open, title))
            if not within and TIMED.search(cross[0]) and len(self._leaves) < MOST_FAILURES:
                self._leaves.append((self._tree[-1], number))

    def _read_listed_line(self, text: str, number: int) -> bool:
        """Read a line of the list: indented lines belong to the entry before."""
        if text.startswith("test at ") and (at := AT.match(text)):
            self._place = relative(ADDRESS.sub("/", at[1])), int(at[2])
        elif cross := CROSS.match(text) if not text.startswith(" ") else None:
            self._adopt_cancelled()
            self._items.append(Item(cross[3], number, self._place, cross[2] == "⚠" or bool(cross[4])))
            self._groups.append(self._items[-1:])
            self._place = None
            self._title_lines = 0 if CLOSED.search(text) else MOST_LINES_OF_A_TITLE
        elif self._title_lines and text and text[:1] != " ":  # a title may have line breaks, and ends with its duration
            closed = CLOSED.search(text)
            self._items[-1].title += f"\n{text[: closed.start()] if closed else text}"
            self._title_lines = 0 if closed else self._title_lines - 1
        elif not text.strip() or text.startswith("  "):
            self._title_lines = 0
            self._read_details(text)
        else:
            self._listing = False
        return self._listing

    def _read_details(self, text: str) -> None:
        if not self._items:
            return
        item = self._items[-1]
        item.is_suite = item.is_suite or "at SuiteContext." in text
        if below := BELOW.match(text):
            if self._groups:  # a test may print the line again
                self._adopt(item, int(below[1]))
        elif place := frame(text):
            item.stack = item.stack if item.stack and TESTS.search(item.stack[0]) else place
        elif not item.stack and len(item.message) < MOST_LINES and not text.lstrip().startswith("at "):
            item.message.append(text)

    def _adopt_cancelled(self) -> None:
        """Move cancelled tests below the suite before the next entry, whose hook failed: it does not count them.

        Entries with a place belong to a list below a tree, which has the outer titles.
        """
        if not self._groups or not self._groups[-1][0].is_suite or self._groups[-1][0].place:
            return
        suite = self._groups[-1][0]
        group = self._groups.pop()
        while self._groups and _is_cancelled(self._groups[-1]):
            (one,) = self._groups.pop()
            one.around, one.stack = (suite.title, *one.around), one.stack or suite.stack
            group = [one, *group]
        self._groups.append(group)

    def _adopt(self, parent: Item, count: int) -> None:
        """Move failed tests below their parent.

        The dot reporter prints no tree, but the failed tests precede the parent, which counts them.
        """
        self._groups.pop()
        merged: list[Item] = []
        while self._groups and count > 0:
            group = self._groups.pop()
            count -= not all(one.expected for one in group)  # they are listed, too, but not counted
            merged = [*group, *merged]
        self._groups += [merged] if merged else []
        for one in merged:
            one.around = (parent.title, *one.around)
            one.stack = one.stack or next((other.stack for other in merged if other.stack), None)
        self._items.pop()

    def failure(self, result: Result) -> Failure | None:
        """Create a failure of a TAP result if Node printed it."""
        if not result.value("failureType"):
            return None
        if place := PLACE.match(result.value("location")):
            names = [name.replace("\\\\", "\\") for name in result.names]  # Node escapes them
            return self._create_failure(relative(place[1]), int(place[2]), names, message(result), result.number)
        file, *names = result.names if result.names[0].startswith("/") else ["", *result.names]  # as Node 18 nests
        return self._create_failure(relative(file), None, names or result.names, message(result), result.number)

    def _create_failure(self, file: str, line: int | None, names: Sequence[str], said: str, number: int) -> Failure:
        if not file and len(names) == 1 and SOURCE.match(names[0]):  # a file that cannot be loaded, with dots
            file = relative(names[0])
        whole = len(names) == 1 and (relative(names[0]) == file or names[0].endswith(f"/{file}"))
        name = " > ".join([file, *([] if whole else names)]) if file else " > ".join(names)
        selector = "" if whole else names[0]
        return Failure(
            tool="node:test", name=name, message=said, file=file, line=line, selector=selector, log_line=number
        )

    def _settle(self, *, keep: bool = True) -> None:
        """Complete the names of a run's list by the tree above it, and reset: a log may have several runs."""
        self._adopt_cancelled()
        (left, suites), items = self._shown, self._items
        for item in items if keep else ():
            if item.expected:
                continue
            names = (*item.around, item.title)
            if not item.around:
                first = item.title.partition("\n")[0]  # the tree is read line by line
                at = next((index for index, chain in enumerate(left) if chain[-1] == first), -1)
                around = (chain for chain in suites if chain[-1] == first)
                chain = next(around, names) if at < 0 else left[at]
                names = (*chain[:-1], item.title)
                del left[: at + 1]
            file, line = item.place or (item.stack[0] if item.stack else "", None)
            self._failed.add(self._create_failure(file, line, names, join_message(item.message), item.number))
        self._listed_any = self._listed_any or bool(items)
        self._items, self._groups = [], []

    def finish(self) -> Iterable[Failure]:
        """Return what failed: from the lists, or from the tree where a list is missing."""
        self._settle()
        if self._listed_any:
            return self._failed.with_confidence(self.total())
        return [*super().finish(), *self._list_leaves()]

    def _list_leaves(self) -> Iterable[Failure]:
        """Iterate over the failed tests of a tree whose list is missing, unless what ran counts no failure."""
        for chain, number in self._leaves if self._fails != 0 and not self._believed else ():
            yield evolve(self._create_failure("", None, chain, "", number), confidence="medium")

    def total(self) -> int | None:
        """Return the number of failed and cancelled tests; Node does not count suites, which may fail as well."""
        counted = super().total() if self._fails is None else self._fails
        read = len(self._failed)
        if counted is None or read <= counted <= read + self._parents:
            return None if counted is None else read
        return max(counted, read)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return commands that run these: a pattern for the outermost title, which every version of Node supports."""
        named = [one for one in failures if one.selector]
        whole = each_once(one.file for one in failures if not one.selector)
        pattern = f"--test-name-pattern={any_of(f'{escape_pattern(one.selector)}$' for one in named)}" if named else ""
        commands = [command("node", "--test", pattern, *each_once(one.file for one in named))] if named else []
        return "; ".join([*commands, *([command("node", "--test", *whole)] if whole else [])])


def _is_cancelled(group: Sequence[Item]) -> bool:
    return len(group) == 1 and any(CANCELLED in line for line in group[0].message)


NodeTestInPackages = packages(NodeTest)
