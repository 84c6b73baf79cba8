"""Harnesses of build systems that run programs as tests: Meson's and Automake's."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.native.ctest import INNER, OTHERS
from ci_failures.parsers.native.program_context import strip_prefix
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

MESON = re.compile(
    r"^ *\d+/\d+ (?:(\S[^/]*) / )?(\S.*?)(?<! ) +(FAIL|TIMEOUT|ERROR|UNEXPECTEDPASS|OK|SKIP|EXPECTEDFAIL)"
    r" +[\d.]+ ?s?(?: +(?:\((.+)\)|(\S.*)))?$"
)
BAD = frozenset({"FAIL", "TIMEOUT", "ERROR", "UNEXPECTEDPASS"})
MESON_COUNT = re.compile(r"^(Fail|Timeout|Unexpected Pass): +(\d+) *$")
MESON_FILTERS = re.compile(r"[*?\[\]]")
AUTOMAKE = re.compile(r"^(FAIL|XPASS|ERROR): (\S.*?)(?: \(exit status: \d+\))?$")
AUTOMAKE_BEGINS = ("FAIL: ", "XPASS: ", "ERROR: ")
"""A runner's mark, which ends with a bracket, may precede it."""
AUTOMAKE_COUNT = re.compile(r"^# (FAIL|XPASS|ERROR): +(\d+)$")
AUTOMAKE_SUMMARY = "Testsuite summary for "
ENTERING = re.compile(r"^ninja: Entering directory [`'\u2018](.+?)['\u2019]$")
SHOWN, CUT = "\u2015\u2015\u2015", " \u2700 "
"""The rules around the output of a test, and the scissors in the first of them."""
LONGEST_NAME, MOST_LINES, SAID_LINES = 200, 1_000, 20


class Meson(Parser):
    """Parser of `meson test`, and `ninja test` of Meson's projects; failures are repeated at the end."""

    tool: ClassVar[str] = "meson"
    wakes: ClassVar[tuple[str, ...]] = (
        *(
            " FAIL  ",
            " TIMEOUT  ",
            " ERROR  ",
            " UNEXPECTEDPASS  ",
            "Summary of Failures:",
            "ninja: Entering directory ",
        ),
        *("Expected Fail:  ", "Fail:  "),
    )
    first_line: ClassVar[str] = r".*/\d+ |.*Entering directory |.*Fail: +\d|.*Timeout: +\d|.*Pass: +\d"

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._counts: dict[str, int] = {}
        self._folder = ""
        self._last: Failure | None = None
        self._shown: list[str] | None = None
        self._inside: set[str] = set()

    def read(self, line: Line) -> bool:
        """Read a line; awake within the output of a test, and within the totals at the end."""
        text = strip_prefix(line.text)
        if self._shown is not None or (self._last and text.startswith(SHOWN) and CUT in text):
            self._read_output(text)
            return True
        if text[:1] == "n" and (folder := ENTERING.match(text)):
            self._folder = relative(folder[1])
            return False
        if text[:1] in {"F", "T", "U"} and (count := MESON_COUNT.match(text)):
            self._counts[count[1]], self._last = int(count[2]), None
            return True
        found = MESON.match(text) if "/" in text[:30] else None
        if found:
            self._last = None
        if found and found[3] in BAD and len(found[2]) <= LONGEST_NAME and len(self._found) < MOST_FAILURES:
            self._add_failure(line.number, found)
        return bool(self._counts and ": " in text) or bool(self._last and not text.startswith("Summary of"))

    def _read_output(self, text: str) -> None:
        """Read a line of a test's output, which is between rules."""
        if self._shown is None:
            self._shown = []
        elif text.startswith(SHOWN) and self._last:
            if any(INNER.search(line) or OTHERS.search(line) for line in self._shown):
                self._inside.add(self._last.name)  # a framework reports what failed in it
            said = [line for line in self._shown if line.strip() and line not in {"stdout:", "stderr:"}]
            message = join_message([self._last.message, *said[-SAID_LINES:]])
            self._last = self._found[self._last.name] = evolve(self._last, message=message)
            self._shown = None
        elif len(self._shown) < MOST_LINES:
            self._shown.append(text)

    def _add_failure(self, number: int, found: re.Match[str]) -> None:
        suite, name, said = found[1] or "", found[2], found[4] or found[5] or ""
        kind: Kind = "timeout" if found[3] == "TIMEOUT" else "test"
        message = f"{found[3]}: {said}" if said else found[3]
        one = Failure(
            tool=self.tool, kind=kind, name=f"{suite} / {name}" if suite else name, message=message, log_line=number
        )
        place = self._folder if not self._folder.startswith("/") else ""
        self._last = self._found.setdefault(one.name, evolve(one, selector=name, place=place))

    def finish(self) -> Iterable[Failure]:
        """Return each test once; without the totals at the end with less certainty."""
        found = [one for one in self._found.values() if one.name not in self._inside]
        if self._counts:
            return found if any(self._counts.values()) else []
        return [evolve(one, confidence="medium") for one in found]

    def total(self) -> int | None:
        """Return the sum of its own totals."""
        return sum(self._counts.values()) - len(self._inside) if self._counts else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for tests by their names, which Meson takes as patterns."""
        names = each_once(MESON_FILTERS.sub("?", one.selector.rpartition(":")[2]) for one in failures)
        into = ("-C", failures[0].place) if failures[0].place else ()
        return command("meson", "test", *into, "--print-errorlogs", *names)


class Automake(Parser):
    """Parser of `make check` with Automake's parallel harness; lines outside of a summary are ignored."""

    tool: ClassVar[str] = "automake"
    wakes: ClassVar[tuple[str, ...]] = (
        *(f"{before}{word}" for word in AUTOMAKE_BEGINS for before in ("\n", "]")),
        AUTOMAKE_SUMMARY,
    )

    def __init__(self) -> None:
        self._pending: list[tuple[str, str, int]] = []
        self._found: list[Failure] = []
        self._summary = False
        self._counts: dict[str, int] = {}
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake within a summary."""
        text = strip_prefix(line.text)
        if text.startswith(AUTOMAKE_SUMMARY):
            self._summary, self._counts = True, {}
        elif self._summary and (count := AUTOMAKE_COUNT.match(text)):
            self._counts[count[1]] = int(count[2])
        elif self._summary and len(self._counts) == len({"FAIL", "XPASS", "ERROR"}):
            self._end()
        elif not self._summary and text.startswith(AUTOMAKE_BEGINS):
            found = AUTOMAKE.match(text)
            if found and len(self._pending) < MOST_FAILURES:
                self._pending.append((found[2], text, line.number))
        return self._summary

    def _end(self) -> None:
        """End a run: its totals count the first tests of each kind; further ones are output of tests."""
        once = {(name, text[0]): (name, text, number) for name, text, number in reversed(self._pending)}
        for kind, count in self._counts.items():
            some = [one for one in reversed(once.values()) if one[1].startswith(f"{kind}: ")]
            self._found += [
                Failure(tool=self.tool, name=name, message=text, selector=name, log_line=number)
                for name, text, number in some[:count]
            ]
        self._counted = (self._counted or 0) + sum(self._counts.values())
        self._pending, self._summary, self._counts = [], False, {}

    def finish(self) -> Iterable[Failure]:
        """Return each test once."""
        if self._summary:
            self._end()
        once = {one.name: one for one in reversed(self._found)}
        return sorted(once.values(), key=lambda one: one.log_line)

    def total(self) -> int | None:
        """Return the sum of its summaries' totals."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for these programs; a test within one is run with its whole program."""
        return command("make", "check", f"TESTS={' '.join(each_once(one.selector.split()[0] for one in failures))}")
