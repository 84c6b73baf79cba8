"""Runs of several packages in one log, of which a heading alone tells where they are.

pnpm, and npm up to 6, tell a folder before a run: > @acme/api@1.0.0 test /home/runner/work/app/app/packages/api
Under GitHub Actions turbo makes a group of each run, and only a heading of one that fails: web:test
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.logs.streams import MOST, ROOT, TASK, Stream
from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.common import relative

SCRIPT = re.compile(r"> \S{1,120}@\S{1,60} \S{1,60} (/\S.{0,400})$")
SCRIPTS = ("test /", *(f":{task} /" for task in ("unit", "ci", "e2e", "coverage", "integration")))
"""What the line has that tells a folder."""
GROUP = re.compile(rf"^(?:##\[group\]|::group::)?(?P<place>[@\w.-][@\w./-]{{0,79}}):{TASK}$")
GROUPS = ("##[group]", "::group::", "##[endgroup]", "::endgroup::", " Tasks: ")
TASKS = (":test\n", ":tests\n", ":test:", ":test-")
"""What such a heading has; the names of pytest's tests, of which logs are full, have none of it."""


class Packages(Parser):
    """Gives each run under a heading a parser of its own."""

    one: ClassVar[type[Parser]]
    """The parser of a run."""

    def __init__(self) -> None:
        self._run = self.one()
        self._runs: dict[Stream, Parser] = {ROOT: self._run}
        self._words = [literal.strip("\n") for literal in self.one.wakes]
        self._awake = False

    def read(self, line: Line) -> bool:
        """Take a line, and give it to the parser of its run."""
        text = line.text
        heading = text.startswith(GROUPS) or (":test" in text and " " not in text)
        if (heading and not self._group(text)) or (text.startswith("> ") and self._script(text)):
            return self._awake
        if self._awake or self.one.before or any(map(text.__contains__, self._words)):
            self._awake = self._run.read(line)
        return self._awake

    def _script(self, text: str) -> bool:
        """Take the folder in which a script of a package runs; what follows comes from there."""
        if not (found := SCRIPT.match(text)):
            return False
        folder = relative(found[1] + "/").rstrip("/")
        self._begin("" if folder.startswith("/") else folder, folder=True)
        return True

    def _group(self, text: str) -> bool:
        """Take the beginning or the end of a group; give whether it may mean something to a parser as well."""
        found = GROUP.match(text)
        if found or text.startswith(GROUPS):
            self._begin(found["place"] if found else "", folder=False)
        return not found

    def _begin(self, place: str, *, folder: bool) -> None:
        """Go over to the run at a place; very many share one."""
        stream = Stream(place, place, folder) if place else ROOT
        if stream not in self._runs and len(self._runs) < MOST:
            self._runs[stream] = self.one()
        run = self._runs.get(stream, self._runs[ROOT])
        self._run, self._awake = run, self._awake and run is self._run

    def finish(self) -> Iterable[Failure]:
        """Give what failed in all runs, and where."""
        for stream, run in self._runs.items():
            yield from map(stream.placed, run.finish())

    def counted(self) -> int | None:
        """Give what the runs count together."""
        counts = [count for run in self._runs.values() if (count := run.counted()) is not None]
        return sum(counts) if counts else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give the command of the tool."""
        return cls.one.rerun(failures)


def packages(one: type[Parser]) -> type[Parser]:
    """Make the parser that gives each run one of these."""
    wakes = (*one.wakes, *GROUPS[:2], *TASKS, *SCRIPTS)
    told = {"one": one, "tool": one.tool, "wakes": wakes, "before": one.before, "__doc__": one.__doc__}
    return type(one.__name__, (Packages,), told)
