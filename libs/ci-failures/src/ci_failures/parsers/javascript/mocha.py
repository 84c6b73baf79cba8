"""Mocha 6 to 12: every reporter for people ends with the same list.

      6 passing (100ms)
      2 failing

      1) Auth
           login
             rejects:

          AssertionError [ERR_ASSERTION]: …
          at Context.<anonymous> (test/auth.test.js:8:14)

A title is a line for each suite, each two spaces deeper, and ends with a colon. Cypress prints the same list.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.patterns import any_of, escape_pattern
from ci_failures.parsers.javascript.stacks import TESTS, frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

PASSING = re.compile(r"^  \d+ passing \([\d.]+ ?[a-z]+\)$")
FAILING = re.compile(r"^  (\d+) failing$")
ENTRY = re.compile(r"^  (\d+)\) (.*)$")
HOOK = re.compile(r' ?"(?:before|after) (?:all|each)" hook(?::.*| for ".*|)$')
LOST = re.compile(r"^ ?Exception during run: (.*)$")
FILE = re.compile(r"^- (/\S{1,500})$|^ ?Exception during run: (/[^:]{1,500}):(\d{1,7})$")
LATE = re.compile(r"if returning a Promise, ensure it resolves\. \((\S{1,500})\)$")
"""A test that exceeds its time has no stack, but Mocha names its file."""
MESSAGE = " " * 5
NEAR = 5
"""Lines at most between the number of passed tests and that of failed ones."""
FAR = 20
"""Lines at most from an error to the frame of its file."""


class MochaList(CountedParser):
    """Parser of Mocha's list of failures."""

    def __init__(self) -> None:
        super().__init__()
        self._passing = -NEAR
        self._left = 0
        self._next = 0
        self._clear()

    def _clear(self) -> None:
        self._titles: list[str] = []
        self._titled = False
        self._begun = 0
        self._message: list[str] = []
        self._place: tuple[str, int] | None = None
        self._test = ""
        self._framed = False

    def read(self, line: Line) -> bool:
        """Read a line; those of the list are wanted, up to the stack of its last failure."""
        text = line.text
        if text[:2] == "  " and text.endswith((")", " failing")) and self._count(line):
            return True
        if not self._next:
            return 0 < line.number - self._passing < NEAR
        entry = ENTRY.match(text) if text[:2] == "  " and text[2:3].isdigit() else None
        if entry and int(entry[1]) == self._next:
            self._entry(entry[2], line.number)
        elif self._titles:
            self._body(text)
        return bool(self._next)

    def _count(self, line: Line) -> bool:
        """Read the totals before the list: the number of passed tests precedes that of failed ones."""
        if PASSING.match(line.text):
            self._end()
            self._next, self._passing = 0, line.number
            return True
        if line.number - self._passing >= NEAR or not (found := FAILING.match(line.text)):
            return False
        self._left, self._next, self._passing = int(found[1]), 1, -NEAR
        self._counted = (self._counted or 0) + self._left
        return True

    def _entry(self, text: str, number: int) -> None:
        self._end()
        self._next += 1
        self._begun = number
        self._title(text)

    def _title(self, text: str) -> None:
        self._titled = text.endswith(":")
        self._titles.append(text)

    def _body(self, text: str) -> None:
        """Read a line of a title while it is indented as one, then a line of the message or of the stack."""
        deeper = " " * (5 + 2 * len(self._titles))
        if not self._message and text.startswith(deeper) and text[len(deeper) :][:1] not in {"", " "}:
            self._title(text[len(deeper) :])
        elif not self._message and self._continues(text):  # a title of several lines
            self._title(f"{self._titles.pop()}\n{text}")
        elif text.lstrip().startswith("at ") and self._titled:
            self._frame(text)
        elif self._framed and self._last and not text.startswith(" "):
            self._end()
            self._next = 0
        elif not self._framed and len(self._message) < MOST_LINES:
            self._message.append(text)

    def _continues(self, text: str) -> bool:
        """Check whether a line continues a title with line breaks: messages are indented by five characters or more."""
        more = bool(text) and not text.startswith(MESSAGE) if self._titled else True
        return more and not self._framed and self._titles[-1].count("\n") < MOST_LINES

    @property
    def _last(self) -> bool:
        return self._next > self._left

    def _frame(self, text: str) -> None:
        self._framed = True
        if place := frame(text):
            self._place = self._place or place
            if TESTS.search(place[0]):
                self._test = place[0]

    def _end(self) -> None:
        """Record the failure whose lines were read."""
        if self._titles and self._titled and (self._message or self._framed):
            self._failed.add(self._create_failure())
        self._clear()

    def _create_failure(self) -> Failure:
        name = " ".join(self._titles)[:-1]
        hook = HOOK.search(name)
        file, number = self._place or (_late(self._message), None)
        titles = escape_pattern(name[: hook.start()]) if hook else f"{escape_pattern(name)}$"
        return Failure(
            tool=self.tool,
            name=name,
            message=join_message(self._message).lstrip(),  # its first line may be indented more than the others
            file=file,
            line=number,
            selector=titles if self._test in {"", file} else f"{self._test}\n{titles}",
            place="",
            log_line=self._begun,
        )


class Mocha(MochaList):
    """Parser of Mocha's output."""

    tool: ClassVar[str] = "mocha"
    wakes: ClassVar[tuple[str, ...]] = (" passing (", "(Run Starting)", "Exception during run: ")

    def __init__(self) -> None:
        super().__init__()
        self._cypress = False
        self._unread: Failure | None = None

    def read(self, line: Line) -> bool:
        """Read a line, unless Cypress runs Mocha."""
        if self._cypress or "(Run Starting)" in line.text:
            self._cypress = True
            return False
        if "Exception during run: " in line.text and (lost := LOST.match(line.text)):
            self._unread = Failure(tool="mocha", kind="compile", name="?", message=lost[1], log_line=line.number)
        if self._unread:
            self._exception(self._unread, line)
        return super().read(line) or self._unread is not None

    def _exception(self, unread: Failure, line: Line) -> None:
        """Read the error of a file that cannot be loaded.

        Since version 10 the requiring module or the stack names it.
        """
        place = frame(line.text)
        if found := FILE.search(line.text):
            file = unread.file or relative(found[1] or found[2])
            unread = evolve(unread, name=file, file=file, line=int(found[3]) if found[3] else None)
        if place and place[0] == unread.file:
            unread = evolve(unread, line=place[1])
        self._unread = unread
        if unread.line or line.number - unread.log_line > FAR:
            self._end_unread()

    def _end_unread(self) -> None:
        if self._unread and self._unread.file:
            self._failed.add(self._unread)
        self._unread = None

    def finish(self) -> Iterable[Failure]:
        """Return what failed, also files of which only the error is known."""
        self._end_unread()
        return super().finish()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: Mocha joins titles by spaces, and accepts one pattern.

        A file that is not known may be outside of Mocha's own search path; that costs no other test its run.
        """
        known = [one for one in failures if _chosen(one)[0]]
        unknown = [one for one in failures if not _chosen(one)[0]]
        return " ; ".join(_command(group) for group in (known, unknown) if group)


def _late(message: Sequence[str]) -> str:
    """Return the file of a test that exceeded its time; empty if that is not a path of the repository."""
    file = next((relative(found[1]) for line in message if (found := LATE.search(line))), "")
    return "" if file.startswith("/") else file


def _chosen(failure: Failure) -> tuple[str, str]:
    """Return the test file, as far as it is known, and the pattern of the titles, which the file may precede."""
    file, newline, titles = failure.selector.partition("\n")
    if newline and TESTS.search(file):
        return file, titles
    return (failure.file if TESTS.search(failure.file) else ""), failure.selector


def _command(failures: Sequence[Failure]) -> str:
    chosen = [_chosen(one) for one in failures]
    titles = [titles for _, titles in chosen if titles]
    return command("npx", "mocha", *each_once(file for file, _ in chosen), *(("-g", any_of(titles)) if titles else ()))


MochaInPackages = packages(Mocha)
