"""Several runs in one log, each with its own words before every line: turbo, pnpm, lerna, yarn, concurrently, compose.

web:test: FAIL src/a.test.ts
packages/api test:   ● Auth › rejects
"""  # noqa: RUF002 -- the sign is Jest's

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from stithy_ci.spi import Failure, Line, LogParser

TASK = r"(?:test|build|lint|check|type-?check|ci|e2e|unit|jest|vitest|mocha|playwright|coverage|verify)[\w:.-]{0,40}"
PREFIX = re.compile(
    rf"(?P<turbo>[@\w./-]{{1,80}}):{TASK}: "
    rf"|(?P<pnpm>[@\w./-]{{1,120}}) {TASK}: "
    r"|(?:lerna: )?(?P<lerna>@[\w.-]{1,60}/[\w.-]{1,60}): "
    r"|➤ YN\d{4}: (?:[│┌└] )?(?:\[(?P<berry>[^\]]{1,80})\]: )?"
    r"|\[(?P<yarn>[@\w./:-]{1,60})\]:? "
    r"|(?P<compose>[\w.-]{1,60}) +\| "
)
GROUP = re.compile(rf"^(?:##\[group\]|::group::)?(?P<place>[@\w./-]{{1,80}}):{TASK}$")
"""Under GitHub Actions turbo makes a group of each run instead, and only a heading of one that fails."""
GROUPS = ("##[group]", "::group::", "##[endgroup]", "::endgroup::", " Tasks: ")
MOST = 64


class Streams(LogParser):
    """Gives each run of a log a parser of its own."""

    one: ClassVar[type[LogParser]]
    """The parser of a run."""

    def __init__(self) -> None:
        self._runs: dict[str, LogParser] = {"": self.one()}
        self._places: dict[str, str] = {"": ""}
        self._awake: set[str] = set()
        self._grouped = ""

    def read(self, line: Line) -> bool:
        """Take a line, and give it, without what stands before it, to the parser of its run."""
        heading = line.text.startswith(GROUPS) or ":test" in line.text[:120]
        if heading and not self._group(line.text):
            return bool(self._awake)
        found = PREFIX.match(line.text)
        prefix = found[0].rstrip() if found else self._grouped
        run = self._run(prefix, next((word for word in found.groups() if word), "") if found else prefix)
        if run.read(Line(line.number, line.text[found.end() :]) if found else line):
            self._awake.add(prefix)
        else:
            self._awake.discard(prefix)
        return bool(self._awake)

    def _group(self, text: str) -> bool:
        """Take the beginning or the end of a group; give whether it may mean something to a parser as well."""
        found = GROUP.match(text)
        if found or text.startswith(GROUPS):
            self._grouped = found["place"] if found else ""
        return not found

    def _run(self, prefix: str, place: str) -> LogParser:
        """Give the parser of a run; of very many the rest shares one."""
        if prefix not in self._runs:
            if len(self._runs) >= MOST:
                return self._runs[""]
            self._runs[prefix] = self.one()
            self._places[prefix] = place
        return self._runs[prefix]

    def finish(self) -> Iterable[Failure]:
        """Give what failed in all runs, and where."""
        for prefix, run in self._runs.items():
            place = self._places[prefix]
            yield from (evolve(one, place=place) if place else one for one in run.finish())

    def counted(self) -> int | None:
        """Give what the runs count together."""
        counts = [count for run in self._runs.values() if (count := run.counted()) is not None]
        return sum(counts) if counts else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give the command of the tool."""
        return cls.one.rerun(failures)


def streams(one: type[LogParser]) -> type[LogParser]:
    """Make the parser that gives each run one of these."""
    return type(
        one.__name__,
        (Streams,),
        {"one": one, "tool": one.tool, "wakes": (*one.wakes, *GROUPS[:2], ":test"), "__doc__": one.__doc__},
    )
