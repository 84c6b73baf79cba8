r"""Karma: a block for each failure of a browser, by the reporters `progress` and `dots`.

    Chrome Headless 120.0.6099.109 (Linux x86_64) Cart adds FAILED
    \tExpected 1 to be 2.
    \t    at UserContext.<anonymous> (test/cart.spec.js:3:41)
    Chrome Headless 120.0.6099.109 (Linux x86_64): Executed 9 of 9 (1 FAILED) (0.7 secs / 0.1 secs)

A title may have line breaks; one without a suite stands behind two spaces, and one of QUnit may have no message. An
error outside of the tests has no name: `Chrome … ERROR`, and the error indented.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.karma_blocks import BROWSER, SERVED
from ci_failures.parsers.javascript.karma_spec import SpecList, SpecTree
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, join_message

BEGINS = re.compile(rf"({BROWSER}) (.*\S)$")
EXECUTED = re.compile(
    rf"({BROWSER}):? Executed \d+ of (\d+)(?: \((\d+) FAILED\))?(?: \(skipped \d+\))?( ERROR| DISCONNECTED)?"
)
FAILED, ERROR = " FAILED", "ERROR"
MOST_TITLES = 10
MOST_BROWSERS = 100


class Karma(Parser):
    """Parser of the blocks, and of the last total of each browser."""

    tool: ClassVar[str] = "karma"
    wakes: ClassVar[tuple[str, ...]] = (
        ") Executed ",
        "): Executed ",
        " FAILED\n",
        ") ERROR\n",
        "\nTOTAL: ",
        ")]: Connected on socket ",
    )
    first_line: ClassVar[str] = r"(?!\S+\.py::|test .+ \.\.\. FAILED$|> Task :)"
    before: ClassVar[int] = MOST_TITLES

    def __init__(self) -> None:
        self._failed = Failed()
        self._tree = SpecTree()
        self._list = SpecList(self._failed, self._tree)
        self._counts: dict[str, int] = {}
        self._unproven: set[str] = set()
        """Browsers that ran no test, or that ended with an error."""
        self._silent: list[tuple[str, Failure]] = []
        """Browsers, and failures of them that have no message."""
        self._browser = ""
        self._errors = 0
        self._titles: list[str] = []
        self._open: Failure | None = None
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a block, its beginning, or a total."""
        is_tree = self._tree.read(line)
        if self._list.read(line):
            self._end()
            return True
        text = line.text.rstrip()
        if self._open and text[:1] in {"\t", " "}:
            self._read_message(text)
            return True
        self._end()
        if " Executed " in text and (total := EXECUTED.match(text)):
            self._count(total)
        elif begun := BEGINS.match(text):
            self._titles, self._browser = [], begun[1]
            self._title(begun[2].removeprefix(" "), line.number)
        elif self._titles and len(self._titles) < MOST_TITLES:
            self._title(text, line.number)
        return is_tree or self._open is not None

    def _count(self, total: re.Match[str]) -> None:
        """Keep the last total of a browser, and whether it proves that nothing else is wrong."""
        if len(self._counts) >= MOST_BROWSERS and total[1] not in self._counts:
            return
        self._counts[total[1]] = int(total[3] or 0)
        if total[4] or total[2] == "0":
            self._unproven.add(total[1])
        else:
            self._unproven.discard(total[1])

    def _title(self, text: str, number: int) -> None:
        """Read a line of a title; the last one says how the test ended."""
        self._titles.append(text)
        if text.endswith(FAILED):
            self._begin("\n".join(self._titles).removesuffix(FAILED), number)
        elif text == ERROR and len(self._titles) == 1:
            self._begin("", number)

    def _begin(self, name: str, number: int) -> None:
        self._open = Failure(tool=self.tool, name=name, log_line=number)
        self._titles, self._message, self._place = [], [], None

    def _read_message(self, text: str) -> None:
        """Read a line below a title; a stack ends the message."""
        if text.lstrip().startswith("at "):
            self._place = self._place or frame(SERVED.sub("", text))
        elif not self._place and len(self._message) < MOST_LINES:
            self._message.append(text.removeprefix("\t"))

    def _end(self) -> None:
        """Record the open block, if it has a message."""
        one, self._open = self._open, None
        message = join_message(self._message) if one else ""
        if one is None or len(self._failed) + len(self._silent) >= MOST_FAILURES:
            return
        if not message:
            self._silent += [(self._browser, one)] if one.name else []
            return
        file, number = self._place or ("", None)
        lines = [text.strip() for text in message.split("\n") if text.strip()]
        known = len(self._failed)
        name = one.name or " ".join(lines[:2])
        self._failed.add(
            Failure(tool=self.tool, name=name, message=message, file=file, line=number, log_line=one.log_line)
        )
        self._errors += not one.name and len(self._failed) > known

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test once for all browsers."""
        self._end()
        self._list.end()
        for one in (*self._tree.failures(), *(one for browser, one in self._silent if browser in self._counts)):
            self._failed.add(one)
        return self._failed.with_confidence(self._sum())

    def _sum(self) -> int | None:
        return sum(self._counts.values()) + self._errors if self._counts else None

    def total(self) -> int | None:
        """Return the sum of what the browsers count, and of the errors, which they do not."""
        counted = self._failed.adjust_total(self._sum())
        return None if counted == 0 and self._unproven else counted

    def gap(self) -> str:
        """Return that a browser without failures ran no test, for which Karma fails, or ended with an error."""
        return "" if len(self._failed) or not self._unproven else "Karma ran no test, or a browser ended with an error"
