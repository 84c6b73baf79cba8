"""Several runs in one log, each with its own words before every line; a run is a stream of lines.

web-1  | FAILED tests/test_a.py::test_a         Docker Compose
#12 3.456 FAILED tests/test_a.py::test_a        Docker's builds: a step, and its seconds
web:test: FAIL src/a.test.ts                    turbo
packages/api test: FAIL src/a.test.ts           pnpm
@acme/api: FAIL src/a.test.ts                   lerna
[@acme/api]: FAIL src/a.test.ts                 yarn, and wsrun
[0] FAIL src/a.test.ts                          concurrently, npm-run-all

What other lines may begin with as well counts only once the log has told of it: names of containers without a number
by Compose's `Attaching to web`, folders without a slash by pnpm's `api test$ jest`, words in brackets by the name of a
tool that writes such.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from attrs import evolve

from ci_failures.model import Failure

MOST = 64
"""Streams that are kept apart; of very many the rest is one."""
TASK = r"(?:test|build|lint|check|type-?check|ci|e2e|unit|jest|vitest|mocha|playwright|coverage|verify)[\w:.-]{0,40}"
BUILD = re.compile(r"(#\d{1,5}) \d{1,6}\.\d{1,3} ")
CONTAINER = re.compile(r"([A-Za-z][\w.-]{0,59}) +\|(?: |$)")
NUMBERED = re.compile(r"[-_]\d{1,3}$")
ATTACHED = "Attaching to "
PACKAGE = re.compile(
    rf"(?P<package>[@\w.-][@\w./-]{{0,79}}):{TASK}: |(?P<folder>[@\w.-][@\w./-]{{0,119}}) {TASK}: "
    r"|(?:lerna: )?(?P<scoped>@[\w.-]{1,60}/[\w.-]{1,60}): "
    r"|➤ YN0000: (?:[│┌└] )?(?:\[(?P<workspace>[^\]]{1,80})\]: )?|\[(?!\d+/)(?P<label>[@\w./:-]{1,60})\]:? "
)
SCRIPT = re.compile(rf"(?P<folder>[@\w.-][@\w./-]{{0,119}}) {TASK}\$ ")
LABELLING = re.compile(r"(?:[>$+] (?:\w+ ){0,3}|npx |yarn )(?:concurrently|npm-run-all|run-p|wsrun)\b")
"""Tools that put words of anybody's choice in brackets, as they are called."""
CANDIDATE = re.compile(
    rf"\n(?=[@\w.-][@\w./-]{{0,119}}+(?:[: ]{TASK}[:$] | *+\|[ \n])|#\d++ \d++\.\d|➤ YN0000: |lerna: "
    rf"|\[?@[\w.-]++/[\w.-]++\]?: |{ATTACHED}|{LABELLING.pattern})".encode()
)
"""Lines that are worth a closer look: told by one pass in C over many lines."""
LABELLED = re.compile(CANDIDATE.pattern + rb"|\n(?=\[[\w@])")
"""The same, once brackets may hold words of anybody's choice."""


class Stream(NamedTuple):
    """One run in a log.

    Args:
        name: What its lines begin with; empty for the lines that begin with nothing.
        place: The package or the folder that this names; empty for none.
        folder: Whether that is a folder for certain.
    """

    name: str = ""
    place: str = ""
    folder: bool = False

    def placed(self, failure: Failure) -> Failure:
        """Say where a run was; its files lie in there, if it is a folder."""
        if not self.place:
            return failure
        inside = not failure.file or failure.file.startswith(f"{self.place}/") or not self.folder or self.place == "."
        file = failure.file if inside else f"{self.place}/{failure.file}"
        return evolve(failure, place=failure.place or self.place, file=file)


ROOT = Stream()


class Streams:
    """Parts one log into its streams."""

    def __init__(self) -> None:
        self._containers: set[str] = set()
        self._folders: set[str] = set()
        self._labels = False
        self._known: dict[str, Stream] = {}

    def part(self, texts: list[str], data: bytes) -> Mapping[int, Stream]:
        """Take the words before lines away, and give the streams of those lines; the others have none.

        Args:
            texts: The lines, which are changed.
            data: The same, as one text in which each stands between two ends of lines.
        """
        found: dict[int, Stream] = {}
        index, seen = -1, 0
        while candidate := (LABELLED if self._labels else CANDIDATE).search(data, seen):
            index += data.count(b"\n", seen, candidate.end())
            seen = candidate.end()
            if prefix := self._prefix(texts[index]):
                found[index], texts[index] = prefix[0], texts[index][prefix[1] :]
        return found

    def _prefix(self, line: str) -> tuple[Stream, int] | None:
        """Give the stream that a line names, and where its text begins."""
        if found := BUILD.match(line):
            return self._kept(Stream(found[1])), found.end()
        self._learn(line)
        for form, stream in ((CONTAINER, self._container), (PACKAGE, self._package)):
            found = form.match(line)
            named = stream(found) if found else None
            if found and named:
                return self._kept(named), found.end()
        return None

    def _learn(self, line: str) -> None:
        """Take the names that Compose and pnpm tell before they use them, and that a tool of this kind is called."""
        self._labels = self._labels or LABELLING.match(line) is not None
        if len(self._containers) + len(self._folders) >= MOST:
            return
        if line.startswith(ATTACHED):
            self._containers.update(line.removeprefix(ATTACHED).split(", "))
        elif "$ " in line and (told := SCRIPT.match(line)):
            self._folders.add(told["folder"])

    def _container(self, found: re.Match[str]) -> Stream | None:
        name = found[1]
        return Stream(name) if name in self._containers or NUMBERED.search(name) else None

    def _package(self, found: re.Match[str]) -> Stream | None:
        place, name = found[found.lastgroup or 0], found[0].rstrip()
        if found["folder"]:
            return Stream(name, place, folder=True) if "/" in place or place in self._folders else None
        if found["label"]:
            return Stream(name, place) if self._labels or place.startswith("@") else None
        return Stream(name, place if found.lastgroup else "")

    def _kept(self, stream: Stream) -> Stream:
        """Give the stream, or that of all others where there are very many."""
        if len(self._known) < MOST:
            self._known.setdefault(stream.name, stream)
        return self._known.get(stream.name, ROOT)
