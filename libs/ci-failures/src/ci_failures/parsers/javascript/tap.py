"""TAP 12 to 14 of any producer: `not ok 3 - name`, its diagnostics below, and nested results of any depth.

A nested result precedes its parent (or follows it, in braces), and a parent only reports that one below it failed.
`# TODO` and `# SKIP` are not failures. Other programs print such lines, too: without a plan or a version they are
ignored.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser, describe_cut
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.stacks import frame, inside
from ci_failures.parsers.text_helpers import join_message, relative

RESULT = re.compile(r"^( {0,80})(not ok|ok)(?: +(?P<number>\d{1,9})(?![^ ]))?(?: +-)? *(?P<name>.*)$")
BEGINNINGS = frozenset("onT1-}#")
"""The first characters of lines of TAP, behind their indentation."""
DIRECTIVE = re.compile(r"(?<!\\) # ?(TODO|SKIP|todo|skip|Todo|Skip)\b.*$")
SUFFIX = re.compile(r"(?: # time=[\d.]+m?s)?(?: # \{time=.{0,60}\})?( \{)?$")
PLAN = re.compile(r"^ *1\.\.(\d{1,9})(?: |$)")
ENDED = re.compile(r"^# (?:fail +(\d+)|ok|failed \d+ of \d+.*)$")
LOCATION = re.compile(r"^(?:location|at): ['\"]?(?:.*\()?((?:file://)?[^()'\"]+?):(\d+):\d+\)?['\"]?$")
FILE = re.compile(r"^(?:fileName|file): ['\"]?(.+?)['\"]?$")
LINE = re.compile(r"^(?:lineNumber|line): (\d+)$")
SCALAR = re.compile(r"[|>][+-]?$")
MESSAGE = re.compile(r"^(?:error|message): (.*)$")
UNENDED = "test exited without ending: "
BATS = re.compile(r"\((?:in test file|from function) ")
MOST_BELOW = 200
MOST_STRAYS = 20
TITLED = "severity: failed"
"""What QUnit prints below a result whose title contains a directive."""
DOUBTED = 30
"""Lines that are read after a result before any plan or version was seen: other tools' tests print such results."""


@define
class Result:
    """A result that is not ok, or that has such results below it."""

    depth: int
    names: list[str]
    number: int
    bad: bool = True
    title: str = ""
    excused: bool = False
    """Whether it is not ok, but has a directive."""
    parent: bool = False
    block: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)
    counted: bool = False
    """Whether a total behind it has been read."""

    def value(self, key: str) -> str:
        """Return the value of a key of the YAML block."""
        return next(
            (line.strip()[len(key) + 2 :].strip("'\"") for line in self.block if line.strip().startswith(f"{key}: ")),
            "",
        )


class TapReader(Parser):
    """Reader of TAP; subclasses create the failures."""

    wakes: ClassVar[tuple[str, ...]] = ("not ok ", "TAP version 1", "1..", "# Subtest: ")
    first_line: ClassVar[str] = r"\s*(?:not )?ok\b|\s*1\.\.\d|TAP version 1|\s*# Subtest: |#"

    def __init__(self) -> None:
        self._failed = Failed()
        self._believed = False
        self._plan = self._last = 0
        self._cut = self._dropped = False
        self._live = 0
        self._results: list[Result] = []
        self._braces: list[tuple[Result, int]] = []
        self._current: Result | None = None
        self._in_block = False
        self._fresh = False
        self._title = self._rest = ""
        self._above: dict[int, str] = {}
        """Announced titles by depth, for a stream that breaks off."""
        self._counted: int | None = None
        self._orders: dict[int, tuple[int, int, tuple[Result, ...]]] = {}
        """By depth, the next number, and the last numbers and results that were not in order."""

    def read(self, line: Line) -> bool:
        """Read a line; those of a stream are wanted until it ends, or until nothing of it was found for long."""
        text = line.text
        if self._live:
            self._live -= 1
        fresh, self._fresh = self._fresh, False
        if self._in_block and self._current:
            self._block(text, self._current)
            return self._live > 0
        bare = text.strip()
        begin = bare[:1]
        if (fresh or self._rest) and self._current:
            self._continue_title(text, self._current, fresh=fresh)
        if begin not in BEGINNINGS:
            pass
        elif begin in {"o", "n"} and (found := RESULT.match(text)):
            self._result(found, line.number)
        elif text.startswith("TAP version 1") or (begin == "1" and (plan := PLAN.match(text))):
            self._plan = int(plan[1]) if begin == "1" and text[0] == "1" and plan else 0
            if begin == "T" and not self._believed:
                self._results, self._current = [], None  # they were printed before the stream
            if begin == "T":
                self._orders = {}
            self._believed, self._live = True, MOST_BELOW
        else:
            self._other(text, bare)
        return self._live > 0

    def _result(self, found: re.Match[str], number: int) -> None:
        self._live = MOST_BELOW if self._believed else DOUBTED
        text = found["name"]
        end = SUFFIX.search(text)
        name = text[: end.start()] if end else text
        excused = DIRECTIVE.search(name) is not None
        bad = found[2] == "not ok"
        titles = [name.replace("\\#", "#").strip()]
        result = Result(len(found[1]), titles, number, bad and not excused, self._title, excused=bad and excused)
        if end and end[1] and len(self._braces) < MOST_BELOW:
            self._braces.append((result, len(self._results)))
        else:
            first = len(self._results)
            while first and self._results[first - 1].depth > result.depth:
                first -= 1
            self._close(result, first)
        self._order(result, int(found["number"] or 0))
        self._current, self._fresh = result, True
        self._last = 0 if found[1] else int(found["number"] or 0)

    def _continue_title(self, text: str, result: Result, *, fresh: bool) -> None:
        """Keep a line behind a result, which belongs to its title if an indented message follows, as Mocha prints."""
        if self._rest and text.startswith("  ") and text.strip() != "---":
            result.names[-1] += f"\n{self._rest}"
        self._rest = text if fresh and result.bad and text.strip() and _is_foreign(text) else ""

    def _order(self, result: Result, number: int) -> None:
        """Compare the number of a result with those before it: what a test printed itself is not in their order.

        It is left out as soon as the number that was expected in its place follows.
        """
        depth = result.depth
        for deeper in [one for one in self._orders if one > depth]:
            del self._orders[deeper]
        expected, stray, strays = self._orders.get(depth, (1, 0, ()))
        if not number or number == expected:
            for one in strays if number else ():
                one.bad = False
            self._orders[depth] = expected + 1, 0, ()
        elif number == expected - 1:  # Mocha gives a hook the number of the test after it
            return
        elif strays and 1 < number <= stray:  # numbers grow, but the parser may have slept until the first of these
            for one in strays:
                one.bad = False
            self._orders[depth] = number + 1, 0, ()
        elif number in {1, stray + 1} or len(strays) >= MOST_STRAYS:
            self._orders[depth] = number + 1, 0, ()
        else:
            self._orders[depth] = expected, number, (*strays, result)

    def _close(self, parent: Result, first: int) -> None:
        """Place a parent behind the results below it: they have its name, and count only if it is not ok itself."""
        below, self._results[first:] = self._results[first:], []
        if not parent.bad:
            return
        if len(self._results) >= MOST_FAILURES:
            self._cut = True
            return
        for one in below:
            one.depth = parent.depth
            one.names = [*parent.names, *one.names]
        parent.parent = bool(below)
        self._results += [*below, parent]

    def _other(self, text: str, stripped: str) -> None:
        if stripped == "---":
            self._in_block = self._current is not None
        elif stripped.startswith("# Subtest: "):
            depth = len(text) - len(text.lstrip())
            self._above = {other: name for other, name in self._above.items() if other < depth}
            self._above[depth] = stripped[len("# Subtest: ") :].replace("\\#", "#")
        elif stripped == "}" and self._braces:
            parent, first = self._braces.pop()
            self._close(parent, first)
        elif text.startswith("#"):
            self._note(text)

    def _block(self, text: str, result: Result) -> None:
        bare = text.strip()
        if bare == "...":
            self._in_block = False
        elif bare == TITLED and result.excused and len(result.block) < MOST_BELOW:
            self._restore(result, text)
        elif len(result.block) < MOST_BELOW:
            result.block.append(text)
            self._live = MOST_BELOW if self._believed else DOUBTED

    def _restore(self, result: Result, text: str) -> None:
        """Keep a result whose directive is part of its title, as QUnit reports: its own directives have no title."""
        result.bad, result.excused = True, False
        result.block.append(text)
        if len(self._results) >= MOST_FAILURES:
            self._cut = True
        elif not result.depth:
            self._results.append(result)

    def _note(self, text: str) -> None:
        """Read a comment: the end of a stream, the title of what follows, or a note on the result before."""
        if ended := ENDED.match(text):
            self._live = 0
            if ended[1]:
                self._counted = (self._counted or 0) + int(ended[1])
            if ended[1] or self._title.startswith("pass "):  # as tape, which prints `# ok` below
                self._check_results(int(ended[1] or 0))
        elif self._current and len(self._current.notes) < MOST_BELOW and not text.startswith(("# tests ", "# pass ")):
            self._current.notes.append(text)
        self._title = text[2:].strip()

    def _check_results(self, count: int) -> None:
        """Leave out what the tested code printed, if a stream counts less failures: it has no block, unlike others."""
        bad: list[Result] = []
        for one in reversed(self._results):
            if one.counted:
                break
            one.counted = True
            bad += [one] if one.bad and not one.parent else []
        if len(bad) > count and (count == 0 or any(one.block for one in bad)):
            for one in bad:
                one.bad = bool(one.block)

    def _keep(self) -> None:
        for result in self._results:
            if not result.bad or (result.parent and result.value("failureType") in {"", "subtestsFailed"}):
                continue
            if failure := self.failure(result):
                self._failed.add(failure)
        self._results = []

    def failure(self, result: Result) -> Failure | None:
        """Create a failure of a result; None for one that another parser reports."""
        raise NotImplementedError

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        if not self._believed:
            return ()
        self._results += [one for one, _ in self._braces]
        if self._in_block or (self._fresh and not self._is_whole()):
            # Broken off: its block, which is missing, would show the producer.
            self._dropped = any(one is self._current and one.bad for one in self._results)
            self._results = [one for one in self._results if one is not self._current]
        for one in self._results:
            above = [name for depth, name in sorted(self._above.items()) if depth < one.depth]
            one.names = [*above, *one.names]
        self._keep()
        counted = self.total()
        return self._failed.with_confidence(len(self._failed) if counted is None else counted)

    def _is_whole(self) -> bool:
        """Check whether the last result has the number of the plan, of a producer that prints no diagnostics."""
        others = [one for one in self._results if one.bad and one is not self._current]
        return 0 < self._last == self._plan and bool(others) and not any(one.block or one.notes for one in others)

    def gap(self) -> str:
        """Return that results were left out: those beyond a bound, or the last one."""
        if self._cut:
            return describe_cut(self.tool)
        return "the results of TAP break off, and the last one was not read" if self._dropped else ""

    def total(self) -> int | None:
        """Return the total at the end of the stream; some count assertions, of which a test may have several."""
        return self._failed.adjust_total(self._counted) if len(self._failed) else None


def _is_foreign(text: str) -> bool:
    """Check whether a line at the left margin is outside of TAP."""
    return text[0] not in " #}-" and not (RESULT.match(text) or PLAN.match(text) or text.startswith(("TAP ", "Bail ")))


class Tap(TapReader):
    """Parser of tape, node-tap, Perl's Test::More and others."""

    tool: ClassVar[str] = "tap"
    wakes: ClassVar[tuple[str, ...]] = (*TapReader.wakes, "#   Failed test ")

    def __init__(self) -> None:
        super().__init__()
        self._perl = False

    def read(self, line: Line) -> bool:
        """Read a line, and check for Perl, which another parser reads."""
        if line.text[:1] == "#" and line.text.startswith("#   Failed test "):
            self._perl = True
        return not self._perl and super().read(line)

    def finish(self) -> Iterable[Failure]:
        """Return what failed, unless Perl printed it."""
        return () if self._perl else super().finish()

    def failure(self, result: Result) -> Failure | None:
        """Create a failure: tape's are its tests, whose assertions it counts."""
        if result.value("failureType") or any(map(BATS.search, (*result.notes, *result.block))):
            return None
        names = [result.title] if result.value("operator") and result.title and len(result.names) == 1 else result.names
        if result.names[0].startswith(UNENDED):  # tape tells at its end which tests did not end
            names = [result.names[0].removeprefix(UNENDED)]
        file, line = _place(result)
        return Failure(
            tool="tap",
            name=" > ".join(name for name in names if name) or f"line {result.number}",
            message=message(result),
            file=file,
            line=line,
            selector=file,
            log_line=result.number,
        )


def message(result: Result) -> str:
    """Return the message of the YAML block or of the comments."""
    lines = [line.strip() for line in result.block]
    for index, line in enumerate(lines):
        if found := MESSAGE.match(line):
            if SCALAR.match(found[1]):
                indent = len(result.block[index]) - len(result.block[index].lstrip())
                return join_message(_deeper(result.block[index + 1 :], indent))
            return _unquote(found[1])
    wanted = [f"{key}: {result.value(key)}" for key in ("operator", "expected", "actual") if result.value(key)]
    notes = [note[1:] for note in result.notes if note.startswith("#")]
    return "\n".join([*result.names[-1:], *wanted]) if wanted else join_message(notes[:20]) or result.names[-1]


def _unquote(text: str) -> str:
    """Return a scalar of YAML; QUnit writes those in double quotes as JSON does."""
    if text[:1] == '"' and "\\" in text:
        try:
            return str(json.loads(text))
        except ValueError:
            pass
    return text.strip("'\"")


def _deeper(lines: Sequence[str], indent: int) -> Iterable[str]:
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            return
        yield line


def _place(result: Result) -> tuple[str, int | None]:
    file, number = "", None
    for line in (one.strip() for one in result.block):
        if (found := LOCATION.match(line)) and (place := inside(found[1], int(found[2]))):
            return place
        if named := FILE.match(line):
            file = file or relative(named[1])
        elif counted := LINE.match(line):
            number = number or int(counted[1])
    if file:
        return file, number
    start = next((index for index, line in enumerate(result.block) if line.strip() == "stack: |"), 0)
    return next(
        (place for line in result.block[start:] if (place := frame(line))), ("", None)
    )  # QUnit has a stack only
