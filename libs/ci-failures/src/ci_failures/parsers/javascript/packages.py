"""Runs of several packages in one log; only a heading shows where each is.

pnpm, and npm up to 6, print a folder before a run: > @acme/api@1.0.0 test /home/runner/work/app/app/packages/api
Under GitHub Actions turbo prints each run as a group, and a failing one below a heading: web:test
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.logs.streams import MOST, ROOT, TASK, Stream
from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.text_helpers import relative

SCRIPT = re.compile(r"> \S{1,120}@\S{1,60} \S{1,60} (/\S.{0,400})$")
SCRIPTS = ("test /", *(f":{task} /" for task in ("unit", "ci", "e2e", "coverage", "integration")))
"""A part of each line that names a folder."""
GROUP = re.compile(rf"^(?:##\[group\]|::group::)?(?P<place>[@\w.-][@\w./-]{{0,79}}):{TASK}$")
GROUPS = ("##[group]", "::group::", "##[endgroup]", "::endgroup::", " Tasks: ")
HEADING = r"\S++$|> \S+@"
"""What headings that name a place contain, and few other lines: the place counts for lines that follow later."""
BEGINNINGS = frozenset({"##", "::", " T", "> "})
"""The first two characters of headings; a heading of turbo begins with any word."""
TASKS = (":test\n", ":tests\n", ":test:", ":test-")
"""A part of each such heading; names of pytest's tests, of which logs are full, do not contain it."""


class Packages(Parser):
    """Base of parsers that use an inner parser for each run below a heading."""

    one: ClassVar[type[Parser]]
    """The parser class for a single run."""
    words: ClassVar[tuple[str, ...]]
    """Its literals, without the line feeds of their anchors."""

    def __init__(self) -> None:
        self._run = self.one()
        self._runs: dict[Stream, Parser] = {ROOT: self._run}
        self._awake = False

    def read(self, line: Line) -> bool:
        """Read a line with the parser of its run."""
        text = line.text
        if (text[:2] in BEGINNINGS or ":test" in text) and self._heading(text):
            return self._awake
        if self._awake or self.one.before or any(map(text.__contains__, self.words)):
            self._awake = self._run.read(line)
        return self._awake

    def _heading(self, text: str) -> bool:
        """Read a heading; return whether the line is one that no inner parser needs."""
        if text.startswith(GROUPS) or (":test" in text and " " not in text):
            return not self._group(text)
        return text.startswith("> ") and self._script(text)

    def _script(self, text: str) -> bool:
        """Read the folder in which a package's script runs; the following lines come from there."""
        if not (found := SCRIPT.match(text)):
            return False
        folder = relative(found[1] + "/").rstrip("/")
        self._begin("" if folder.startswith("/") else folder, folder=True)
        return True

    def _group(self, text: str) -> bool:
        """Read the beginning or the end of a group; return whether the inner parser may need the line, too."""
        found = GROUP.match(text)
        if found or text.startswith(GROUPS):
            self._begin(found["place"] if found else "", folder=False)
        return not found

    def _begin(self, place: str, *, folder: bool) -> None:
        """Switch to the run at a place; beyond a limit, runs share one parser."""
        stream = Stream(place, place, folder) if place else ROOT
        if stream not in self._runs and len(self._runs) < MOST:
            self._runs[stream] = self.one()
        run = self._runs.get(stream, self._runs[ROOT])
        self._run, self._awake = run, self._awake and run is self._run

    def finish(self) -> Iterable[Failure]:
        """Return what failed in all runs, with the place."""
        for stream, run in self._runs.items():
            yield from map(stream.placed, run.finish())

    def total(self) -> int | None:
        """Return the sum of the runs' totals."""
        counts = [count for run in self._runs.values() if (count := run.total()) is not None]
        return sum(counts) if counts else None

    def gap(self) -> str:
        """Return the first run's reason why failures may be missing."""
        return next(filter(None, (run.gap() for run in self._runs.values())), "")

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command of the inner parser."""
        return cls.one.rerun(failures)


def packages(one: type[Parser]) -> type[Parser]:
    """Create the parser class that has an inner parser for each run."""
    wakes = (*one.wakes, *GROUPS[:2], *TASKS, *SCRIPTS)
    words = tuple(literal.strip("\n") for literal in one.wakes)
    own = one.first_line or "|".join(f".*{re.escape(word)}" for word in words)
    told = {
        "one": one,
        "words": words,
        "tool": one.tool,
        "wakes": wakes,
        "first_line": f"{own}|{HEADING}",
        "before": one.before,
        "__doc__": one.__doc__,
    }
    return type(one.__name__, (Packages,), told)
