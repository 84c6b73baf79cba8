"""Several runs in one log, each with its own words before every line: turbo, pnpm, lerna, yarn, concurrently, compose.

web:test: FAIL src/a.test.ts
packages/api test:   ● Auth › rejects
#12 3.456 FAILED tests/test_a.py::test_a

pnpm, and npm up to 6, tell a folder before a run: > @acme/api@1.0.0 test /home/runner/work/app/app/packages/api
"""  # noqa: RUF002 -- the sign is Jest's

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from stithy_ci.parsers.common import relative
from stithy_ci.spi import Failure, Line, LogParser

BUILD = r"(?P<build>#\d{1,4}) \d{1,6}\.\d{1,3} "
"""What BuildKit puts before what runs while an image is built: a number, and seconds."""
TASK = r"(?:test|build|lint|check|type-?check|ci|e2e|unit|jest|vitest|mocha|playwright|coverage|verify)[\w:.-]{0,40}"
PREFIX = re.compile(
    rf"(?P<turbo>[@\w./-]{{1,80}}):{TASK}: "
    rf"|(?P<pnpm>[@\w./-]{{1,120}}) {TASK}: "
    r"|(?:lerna: )?(?P<lerna>@[\w.-]{1,60}/[\w.-]{1,60}): "
    r"|➤ YN\d{4}: (?:[│┌└] )?(?:\[(?P<berry>[^\]]{1,80})\]: )?"
    r"|\[(?!tsl\])(?P<yarn>[@\w./:-]{1,60})\]:? "  # [tsl] is of ts-loader
    rf"|(?P<compose>[\w.-]{{1,60}}) +\| |{BUILD}"
)
CONTAINER = re.compile(rf"{BUILD}|(?P<compose>[\w.-]{{1,60}}[-_]\d{{1,3}}) +\| ")
SCRIPT = re.compile(r"> \S{1,120}@\S{1,60} \S{1,60} (/\S.{0,400})$")
SCRIPTS = ("test /", *(f":{task} /" for task in ("unit", "ci", "e2e", "coverage", "integration")))
"""What the line has that tells a folder."""
GROUP = re.compile(rf"^(?:##\[group\]|::group::)?(?P<place>[@\w./-]{{1,80}}):{TASK}$")
"""Under GitHub Actions turbo makes a group of each run instead, and only a heading of one that fails."""
GROUPS = ("##[group]", "::group::", "##[endgroup]", "::endgroup::", " Tasks: ")
TASKS = (":test\n", ":tests\n", ":test:", ":test-")
"""What such a heading has; the names of pytest's tests, of which logs are full, have none of it."""
MOST = 64
BARE = frozenset((*" \t", ""))
"""What a line with a prefix does not begin with."""


class Streams(LogParser):
    """Gives each run of a log a parser of its own."""

    one: ClassVar[type[LogParser]]
    """The parser of a run."""

    def __init__(self) -> None:
        self._runs: dict[str, LogParser] = {"": self.one()}
        self._words = [literal.strip("\n") for literal in self.one.wakes]
        self._places: dict[str, str] = {"": ""}
        self._folders: set[str] = set()
        self._awake: set[str] = set()
        self._grouped = ""

    def read(self, line: Line) -> bool:
        """Take a line, and give it, without what stands before it, to the parser of its run."""
        text = line.text
        heading = text.startswith(GROUPS) or (":test" in text and " " not in text)
        if (heading and not self._group(text)) or (text.startswith("> ") and self._script(text)):
            return bool(self._awake)
        if not self._awake and not self.one.before and not any(map(text.__contains__, self._words)):
            return False
        found = PREFIX.match(text) if _may_be_prefixed(text) else None
        prefix = found["build"] or found[0].rstrip() if found else self._grouped
        run = self._run(prefix, _place(found) if found else prefix)
        if found and found["pnpm"]:
            self._folders.add(prefix)
        return self._given(run, prefix, Line(line.number, text[found.end() :]) if found else line)

    def _given(self, run: LogParser, prefix: str, line: Line) -> bool:
        """Give a line to the parser of its run, and say whether any run wants the next one."""
        if run.read(line):
            self._awake.add(prefix)
        else:
            self._awake.discard(prefix)
        return bool(self._awake)

    def _script(self, text: str) -> bool:
        """Take the folder in which a script of a package runs; what follows comes from there."""
        if not (found := SCRIPT.match(text)):
            return False
        folder = relative(found[1] + "/").rstrip("/")
        self._grouped = "" if folder.startswith("/") else folder
        self._folders.add(self._grouped)
        return True

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
            place, folder = self._places[prefix], prefix in self._folders
            yield from (_at(one, place, folder=folder) if place else one for one in run.finish())

    def counted(self) -> int | None:
        """Give what the runs count together."""
        counts = [count for run in self._runs.values() if (count := run.counted()) is not None]
        return sum(counts) if counts else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give the command of the tool."""
        return cls.one.rerun(failures)


class Containers(Streams):
    """Gives each run in a container a parser of its own, as docker compose and docker build print them."""

    def __init__(self) -> None:
        super().__init__()
        self._plain = self._runs[""].read

    def read(self, line: Line) -> bool:
        """Take a line, and give it, without what stands before it, to the parser of its run."""
        text = line.text
        if text[:1] != "#" and "| " not in text[:70]:  # as most are
            return self._plain(line) or bool(self._awake)
        if not (found := CONTAINER.match(text)):
            return self._plain(line) or bool(self._awake)
        prefix = found["build"] or found["compose"]
        return self._given(self._run(prefix, ""), prefix, Line(line.number, text[found.end() :]))


def streams(one: type[LogParser]) -> type[LogParser]:
    """Make the parser that gives each run one of these."""
    return _made(one, Streams, (*one.wakes, *GROUPS[:2], *TASKS, *SCRIPTS))


def containers(one: type[LogParser]) -> type[LogParser]:
    """Make the parser that gives each run in a container one of these."""
    return _made(one, Containers, one.wakes)


def _made(one: type[LogParser], kind: type[Streams], wakes: Sequence[str]) -> type[LogParser]:
    told = {"one": one, "tool": one.tool, "wakes": tuple(wakes), "before": one.before, "__doc__": one.__doc__}
    return type(one.__name__, (kind,), told)


def _may_be_prefixed(text: str) -> bool:
    """Say quickly of most lines that PREFIX does not match them."""
    return text[:1] not in BARE and (": " in text or "| " in text or text.startswith(("[", "➤", "#")))


def _place(found: re.Match[str]) -> str:
    """Give the place that a prefix names; a step of a build is none."""
    return "" if found["build"] else next((word for word in found.groups() if word), "")


def _at(failure: Failure, place: str, *, folder: bool) -> Failure:
    """Say where a run was; its files lie in there, if it is a folder."""
    inside = not failure.file or failure.file.startswith(f"{place}/") or not folder or place == "."
    return evolve(failure, place=failure.place or place, file=failure.file if inside else f"{place}/{failure.file}")
