"""Catch2, versions 2 and 3, console reporter: a heading of rules around names that wrap, then `file:line: FAILED:`.

Names are wrapped at 79 columns, mostly at spaces. Sections are indented by two. A failure that its test's
tags expect looks like any other; only the totals at the end show that there was one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Line, Parser
from ci_failures.parsers.native.program_context import RUNNING, Surroundings, each_once, source, through
from ci_failures.parsers.text_helpers import join_message

WIDTH = 79
RULE, END, DOTS = "-" * WIDTH, "=" * WIDTH, "." * WIDTH
PLACE = re.compile(r"((?:[A-Za-z]:[\\/])?[^:()]+)[:(](\d+)\)?$")
FAILED = re.compile(r"((?:[A-Za-z]:[\\/])?[^:()]+)[:(](\d+)\)?: FAILED:$")
BREAKABLE = re.compile(r"[\s\[({<|)\]}>.,:;*+=&/\\-]")
WITHIN = ("/", "\\", "::", "=", "<", "(", "[", "{", "_")
"""Characters at which a name is wrapped without a space."""
CASES = re.compile(r"test cases: +\d+ \|")
COUNT = re.compile(r"\| +(\d+) failed *(?=\||$)")
BANNER = " host application."
NONE = re.compile(r"No assertions in test case '(.+)'$")
COMPACT = re.compile(r"((?:[A-Za-z]:[\\/])?[^:()]+)[:(](\d+)\)?: failed: (.*)$")
COMPACT_END = re.compile(r"Failed (?:both |all )?(?:\d+ )?test cases?, failed .*assertions?\.$")
"""The end of the compact reporter, which names places, and no cases."""
SECTION = 2
"""Columns by which a section is indented."""
LONGEST = 30
MOST_NAMES = 40


@define
class Heading:
    """The lines between two rules.

    Args:
        lines: The names, wrapped.
        number: The number of the line in the log.
    """

    number: int
    lines: list[str] = field(factory=list)

    def names(self) -> list[str]:
        """Return the name of the case and those of its sections."""
        names: list[str] = []
        hang, last = 0, ""
        for line in self.lines:
            indent = len(line) - len(line.lstrip())
            if names and (indent == hang if hang != SECTION else indent == hang and _fits_not(last, line)):
                names[-1] = _join_wrapped(names[-1], line.strip(), last)
            else:
                names.append(line.strip())
                base = SECTION if len(names) > 1 else 0
                hang = base + (line[base:].find(": ") + 2 if ": " in line else 0)
            last = line
        return names


def _fits_not(line: str, following: str) -> bool:
    """Check whether the first word of a line was too long for the one before, which shows that the name continues."""
    return len(line) + 1 + len(following.split(maxsplit=1)[0]) > WIDTH


def _join_wrapped(name: str, rest: str, last: str) -> str:
    """Join wrapped parts: at a space, behind or before a special character, or within a word at a hyphen."""
    if last.endswith("-") and last[-2:-1].isalnum():
        return (name if BREAKABLE.search(last[:-1]) else name[:-1]) + rest
    inside = last.endswith(WITHIN) and any(sign.isalnum() for sign in last.rpartition(" ")[2])
    if inside or rest.startswith((":", "<", ",", ")", "]")):
        return name + rest
    return f"{name} {rest}"


class Catch2(Parser):
    """Parser of Catch2's console reporter, also under ctest."""

    tool: ClassVar[str] = "catch2"
    wakes: ClassVar[tuple[str, ...]] = (
        f"{RULE}\n",
        BANNER,
        "test cases: ",
        "No assertions in test case '",
        ": failed: ",
        " test case, failed ",
        " test cases, failed ",
        *RUNNING,
    )

    def __init__(self) -> None:
        self._around = Surroundings()
        self._state = ""
        self._heading: Heading | None = None
        self._names: list[str] = []
        self._lines: list[str] | None = None
        self._failures: dict[tuple[str, str], Failure] = {}
        self._messages: dict[tuple[str, str], list[str]] = {}
        self._counts: list[int | None] = [None]
        self._ended = False
        self._compact: dict[str, Failure] = {}
        self._is_compact = False

    def read(self, line: Line) -> bool:
        """Read a line; awake from a heading to the end of its details."""
        text = self._around.inside(line.text)
        if text is None:
            self._heading, self._names, self._lines, self._state = None, [], None, ""
            return False
        if text == RULE:
            self._rule(line.number)
        elif self._state == "names":
            self._take_name(text)
        elif self._state == "place":
            self._state = "dots" if PLACE.match(text) else ""
        elif self._state == "dots" and text == DOTS and self._heading:
            self._names, self._state, self._lines = self._heading.names(), "body", None
        elif self._state == "body":
            self._body(text, line.number)
        elif self._ended and CASES.match(text):
            failed = COUNT.search(text)
            self._counts[-1] = int(failed[1]) if failed else 0
        elif text.endswith(BANNER) and " is a Catch" in text:
            self._counts.append(None)
        else:
            self._alone(text, line.number)
        self._ended = text == END
        return bool(self._state or self._ended)

    def _alone(self, text: str, number: int) -> None:
        """Read a line that is complete by itself."""
        if found := NONE.match(text):
            self._fail(found[1], ("", None), number, ["No assertions in test case"])
        elif ": failed: " in text and (said := COMPACT.match(text)):
            self._assertion(said, number)
        elif (text.startswith("Failed ") and COMPACT_END.match(text)) or (self._compact and CASES.match(text)):
            self._is_compact = True

    def _assertion(self, said: re.Match[str], number: int) -> None:
        """Read an assertion of the compact reporter; below ctest, at least the name of ctest's test is known."""
        file, at = source(said[1]), int(said[2])
        if "#" not in self._around.place and len(self._compact) < MOST_FAILURES:
            name = f"{file}:{at}"
            one = Failure(tool="catch2", name=name, message=said[3], file=file, line=at, log_line=number)
            self._compact.setdefault(name, evolve(one, confidence="low"))

    def _rule(self, number: int) -> None:
        """Read a rule: the first begins a heading, the second ends its names."""
        if self._state == "names" and self._heading and self._heading.lines:
            self._state = "place"
        else:
            self._heading, self._state = Heading(number), "names"

    def _take_name(self, text: str) -> None:
        if self._heading and text.strip() and len(text) <= WIDTH + 1 and len(self._heading.lines) < MOST_NAMES:
            self._heading.lines.append(text.rstrip())
        else:  # a rule in the output of a test, as benchmarks print
            self._heading, self._state = None, "body" if self._names else ""

    def _body(self, text: str, number: int) -> None:
        """Read a line below a heading: assertions, and output of the test."""
        if found := FAILED.match(text):
            name, *sections = self._names
            self._lines = [" / ".join(sections)] if sections else []
            self._fail(name, (source(found[1]), int(found[2])), number, self._lines)
        elif text == END:
            self._state, self._lines, self._names = "", None, []
        elif not text.strip():
            self._lines = None
        elif self._lines is not None and len(self._lines) < LONGEST:
            self._lines.append(text.rstrip())

    def _fail(self, name: str, place: tuple[str, int | None], number: int, lines: list[str]) -> None:
        """Record that a case failed; lines may still be added to its message."""
        key = self._around.place, name
        if key in self._failures or len(self._failures) >= MOST_FAILURES:
            return
        self._failures[key] = Failure(
            tool="catch2",
            name=name,
            file=place[0],
            line=place[1],
            selector=re.sub(r'([\\,\[\]"])', r"\\\1", name),
            place=key[0],
            log_line=number,
        )
        self._messages[key] = lines

    def finish(self) -> Iterable[Failure]:
        """Return each case once, however many of its sections failed; for the compact reporter, each place."""
        if self._is_compact and not self._failures:
            return list(self._compact.values())
        counted = self.total()
        if counted == 0:  # all failures were expected
            return []
        failures = each_once(
            evolve(one, message=join_message(line.strip() for line in self._messages[key]))
            for key, one in self._failures.items()
        )
        confidence: Confidence = "high" if counted == len(failures) else "medium"
        return [evolve(one, confidence=confidence) for one in failures]

    def total(self) -> int | None:
        """Return the sum of the totals at the end of each program."""
        counts = [count for count in self._counts if count is not None]
        return sum(counts) if counts else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a call with the names, in which commas, brackets, quotes and backslashes are escaped."""
        names = ",".join(dict.fromkeys(one.selector for one in failures if one.selector))
        return through(failures[0].place, *([names] if names else []))
