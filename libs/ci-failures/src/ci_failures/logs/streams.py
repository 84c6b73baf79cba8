"""Several runs in one log, each with its own prefix of every line; a run is a stream of lines.

web-1  | FAILED tests/test_a.py::test_a         Docker Compose
#12 3.456 FAILED tests/test_a.py::test_a        Docker's builds: a step, and its seconds
web:test: FAIL src/a.test.ts                    turbo
packages/api test: FAIL src/a.test.ts           pnpm
@acme/api: FAIL src/a.test.ts                   lerna
[@acme/api]: FAIL src/a.test.ts                 yarn, and wsrun
[0] FAIL src/a.test.ts                          concurrently, npm-run-all, melos

GitHub's problem matchers put a mark before all that, which is kept: ##[error]packages/api build: src/a.ts(1,7): error …

Prefixes that other lines may have as well count only after the log has announced them: names of containers without a
number by Compose's `Attaching to web`, folders without a slash by pnpm's `api test$ jest`, words in brackets by the
call of a tool that prints such.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from attrs import evolve

from ci_failures.model import Failure

MOST = 64
"""Streams that are distinguished; further ones share one."""
TASK = r"(?:test|build|lint|check|type-?check|ci|e2e|unit|jest|vitest|mocha|playwright|coverage|verify)[\w:.-]{0,40}"
MARK = re.compile(r"##\[(?:error|warning)\]")
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
LABELLING = re.compile(r"(?:[>$+] (?:\w+ ){0,3}|npx |yarn )(?:concurrently|npm-run-all|run-p|wsrun|melos)\b")
"""Calls of tools that print arbitrary words in brackets."""
CANDIDATE = re.compile(
    rf"\n(?=(?:{MARK.pattern})?+"
    rf"(?:[@\w.-][@\w./-]{{0,119}}+(?:[: ]{TASK}[:$] | *+\|[ \n])|#\d++ \d++\.\d|➤ YN0000: |lerna: "
    rf"|\[?@[\w.-]++/[\w.-]++\]?: |{ATTACHED}|{LABELLING.pattern}))".encode()
)
"""Lines that may have a prefix, found by one pass in C over many lines."""
LABELLED = re.compile(CANDIDATE.pattern + rf"|\n(?=(?:{MARK.pattern})?+\[[\w@])".encode())
"""The same, after a tool was called that prints arbitrary words in brackets."""


def join_lines(texts: Iterable[str]) -> bytes:
    """Return lines as one text, each between two line feeds."""
    return "\n".join(("", *texts, "")).encode()


class Stream(NamedTuple):
    """One run in a log.

    Args:
        name: The prefix of its lines; empty for lines without one.
        place: The package or the folder in the prefix; empty for none.
        folder: Whether the place is certainly a folder.
    """

    name: str = ""
    place: str = ""
    folder: bool = False

    def placed(self, failure: Failure) -> Failure:
        """Return a failure with the run's place; if that is a folder, the file is relative to it."""
        if not self.place:
            return failure
        inside = not failure.file or failure.file.startswith(f"{self.place}/") or not self.folder or self.place == "."
        file = failure.file if inside else f"{self.place}/{failure.file}"
        return evolve(failure, place=failure.place or self.place, file=file)


ROOT = Stream()


class Streams:
    """The streams of one log.

    Attributes:
        beyond: The first name of a stream that was not distinguished; empty if all were.
    """

    def __init__(self) -> None:
        self.beyond = ""
        self._containers: set[str] = set()
        self._folders: set[str] = set()
        self._labels = False
        self._known: dict[str, Stream] = {}

    def part(self, texts: list[str], data: bytes) -> Mapping[int, Stream]:
        """Remove the prefixes of lines, and return the streams of those lines; other lines belong to no stream.

        Args:
            texts: The lines, which are changed.
            data: The lines as one text, each between two line feeds.
        """
        found: dict[int, Stream] = {}
        index, seen = -1, 0
        while candidate := (LABELLED if self._labels else CANDIDATE).search(data, seen):
            index += data.count(b"\n", seen, candidate.end())
            seen = candidate.end()
            text = texts[index]
            start = mark.end() if (mark := MARK.match(text)) else 0
            if prefix := self._prefix(text[start:]):
                found[index], texts[index] = prefix[0], text[:start] + text[start + prefix[1] :]
        return found

    def named(self, names: Mapping[int, str], found: Mapping[int, Stream]) -> Mapping[int, Stream]:
        """Return the streams of lines, some of which have names that the log's prefix tells.

        Args:
            names: The names by index.
            found: The streams that `part` found in these lines.
        """
        streams = dict(found)
        for index, name in names.items():
            stream = found.get(index, ROOT)
            streams[index] = self._kept(stream._replace(name=f"{name} {stream.name}"))
        return streams

    def _prefix(self, line: str) -> tuple[Stream, int] | None:
        """Return the stream of a line, and where its text begins."""
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
        """Record the names that Compose and pnpm announce, and calls of tools with words in brackets."""
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
        """Return the stream, or the common one if there are too many."""
        if len(self._known) < MOST:
            self._known.setdefault(stream.name, stream)
        elif not self.beyond and stream.name not in self._known:
            self.beyond = stream.name
        return self._known.get(stream.name, ROOT)
