"""ExUnit: a numbered block for each failure during the run, and the totals at the end.

      3) test adds (AccountTest)
         test/account_test.exs:5
         Assertion with == failed
         code:  assert Account.add(1, 1) == 3
         left:  2
         right: 3
         stacktrace:
           test/account_test.exs:6: (test)

    Finished in 0.1 seconds (0.03s async, 0.07s sync)
    3 doctests, 19 tests, 15 failures, 1 excluded, 2 invalid, 1 skipped

Libraries add kinds of tests of their own: `scenario`, `it`. Output of tests is between the blocks. In an umbrella each
application has a run of its own, below `==> name`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

HEADING = re.compile(r"^ {0,3}(\d{1,6})\) ([a-z]\w{1,30} .+) \(([\w.]{1,200})\)$")
SET_UP = re.compile(r"^ {0,3}(\d{1,6})\) ([\w.]{1,200}): failure on setup_all callback")
PLACE = re.compile(r"^ {5}(\S{1,400}\.exs?):(\d{1,7})$")
FRAME = re.compile(r"^ {7}(\S{1,400}\.exs?):(\d{1,7}): ")
COUNTS = re.compile(r"^(?!\d+ (?:examples?|specs?),)(?:\d+ [a-z ]{1,30}, )*(\d+) failures?(?:, \d+ [a-z ]{1,30})*$")
CANCELLED = re.compile(r", [1-9]\d* (?:cancelled|invalid)\b")
"""What a total counts beside failures if a set-up failed; EUnit under rebar3 prints the first one."""
OF_EUNIT = "     Failure/Error: ?"
"""A line of EUnit's failures, whose total under rebar3 has the form of ExUnit's."""
APP = re.compile(r"^==> (\w{1,100})$")
APPS = re.compile(r"^apps/[^/]+/")
FINISHED = re.compile(r"^Finished in \d[\d.]* seconds(?: \([\d.]+s (?:on load|async), .*)?$")
MOST_LINES = 60
CLOSING = 60
"""Lines between the time and the totals at most: the slowest tests are listed there."""
LONGEST_BLOCK = 400


@define
class ExUnitBlock:
    """The failure of a test, or of a module's set-up."""

    ordinal: int
    module: str
    name: str
    number: int
    app: str
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = False
    uncounted: bool = False
    read: int = 0

    def take(self, text: str) -> bool:
        """Read a line, and return whether the next one belongs to the block, too."""
        self.read += 1
        if self.place is None and not self.lines and (found := PLACE.match(text)):
            self.place = relative(found[1]), int(found[2])
        elif text.strip() == "stacktrace:":
            self.framed = True
        elif self.framed:
            if self.place is None and (found := FRAME.match(text)):
                self.place = relative(found[1]), int(found[2])
            return bool(text.strip())
        elif len(self.lines) < MOST_LINES:
            if text and not text.startswith("     "):
                return False
            self.lines.append(text)
        return self.read < LONGEST_BLOCK


class ExUnit(Parser):
    """Parser of the blocks, the totals, and their applications."""

    tool: ClassVar[str] = "exunit"
    wakes: ClassVar[tuple[str, ...]] = (
        ") test ",
        ") doctest ",
        ") property ",
        ") feature ",
        ") scenario ",
        ") it ",
        ") spec ",
        ") example ",
        "failure on setup_all callback",
        "Finished in ",
        "==> ",
        OF_EUNIT,
    )
    first_line: ClassVar[str] = (
        rf"{re.escape(OF_EUNIT)}| {{0,3}}\d{{1,6}}\) |==> \w+\s*$|Finished in \d[\d.]* seconds(?: \([\d.]+s|\s*$)"
    )

    def __init__(self) -> None:
        self._kept: list[ExUnitBlock] = []
        self._block: ExUnitBlock | None = None
        self._next = 1
        self._begun = 0
        self._app = ""
        self._ended: set[str] = set()
        self._closing = 0
        self._counted: int | None = None
        self._before: int | None = None
        self._from = self._resumed = 0
        self._of_eunit = False

    def read(self, line: Line) -> bool:
        """Read a line of a block, or the beginning or end of one."""
        text = line.text.rstrip()
        if ") " in text[:8] and self._begins(text, line.number):
            pass
        elif FINISHED.match(text):
            self._block, self._closing = None, CLOSING
        elif self._closing and (found := COUNTS.match(text)):
            if self._begun < len(self._kept) or not (self._of_eunit or CANCELLED.search(text)):
                self._end(int(found[1]))
        elif text.startswith(OF_EUNIT):
            self._of_eunit = True
        elif text.startswith("==> ") and (app := APP.match(text)):
            self._app = app[1]
        elif self._block and not self._block.take(text):
            self._block = None
        self._closing = max(0, self._closing - 1)
        return bool(self._block or self._closing)

    def _begins(self, text: str, number: int) -> bool:
        """Read the beginning of a block. Of two with one number, the first was output of a test."""
        found = HEADING.match(text)
        set_up = None if found else SET_UP.match(text)
        if found:
            block = ExUnitBlock(int(found[1]), found[3], found[2], number, self._app)
        elif set_up:
            block = ExUnitBlock(int(set_up[1]), set_up[2], "setup_all", number, self._app)
        else:
            return False
        if not set_up and block.ordinal == self._resumed > 1 and self._next == 1:
            self._resume()
        if not set_up and block.ordinal == self._next - 1 and len(self._kept) > self._begun:
            if self._kept[-1].framed or self._kept[-1].uncounted:
                return False
            self._kept.pop()
        elif block.ordinal != self._next and not (set_up and block.ordinal == self._next - 1):
            return False
        block.uncounted = block.ordinal < self._next
        if len(self._kept) < MOST_FAILURES:
            self._kept.append(block)
        self._block, self._next = block, block.ordinal + 1
        return True

    def _resume(self) -> None:
        """Resume the run: what looked like its end was output of a test."""
        self._next, self._begun = self._resumed, self._from
        self._counted = self._before

    def _end(self, failures: int) -> None:
        """End a run: the set-up of a module is not in its totals if it has no number."""
        if failures and self._begun == len(self._kept) and self._resumed > 1:
            self._resume()
        uncounted = sum(block.uncounted for block in self._kept[self._begun :])
        self._before, self._from, self._resumed = self._counted, self._begun, self._next
        self._counted = (self._counted or 0) + failures + uncounted
        self._block, self._next, self._begun, self._closing = None, 1, len(self._kept), 0
        self._ended.add(self._app)

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        kept = [block for block in self._kept if block.place or block.framed]
        umbrella = len(self._ended) > 1
        sure = len(kept) == self._counted
        found: dict[tuple[str, str], Failure] = {}
        for block in kept:
            one = _failure(block, f"apps/{block.app}" if umbrella and block.app else "")
            found.setdefault((one.name, one.place), one if sure else evolve(one, confidence="medium"))
        return found.values()

    def total(self) -> int | None:
        """Return how many tests failed, and how many modules could not be set up."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: their files, and of them only these tests and modules."""
        place = failures[0].place
        files = each_once(one.file.removeprefix(f"{place}/") for one in failures if one.file.endswith("_test.exs"))
        only = [word for one in each_once(one.selector for one in failures) for word in ("--only", one)]
        inner = command("mix", "test", *files, *only)
        return f"({command('cd', place)} && {inner})" if place else inner


def _failure(block: ExUnitBlock, app: str) -> Failure:
    """Create a failure of a block; in an umbrella, files are relative to their application."""
    file, line = block.place or ("", None)
    if own := APPS.match(file):
        app = own[0].rstrip("/")
    elif app and file:
        file = f"{app}/{file}"
    return Failure(
        tool="exunit",
        name=f'{block.module} "{block.name}"',
        message=join_message(block.lines),
        file=file,
        line=line,
        place=app,
        selector=f"module:Elixir.{block.module}" if block.name == "setup_all" else f"test:{block.name}",
        log_line=block.number,
    )
