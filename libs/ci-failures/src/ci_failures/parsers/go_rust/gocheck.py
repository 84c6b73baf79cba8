"""gocheck (`gopkg.in/check.v1`) and its forks: a block for each test of a suite, between rules.

All its suites are a single test for Go, mostly called `Test`; the blocks name the failed ones.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.go_rust.ginkgo import GOTESTSUM
from ci_failures.parsers.go_rust.golang import NOT_OURS, Packages
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

RULE = "-" * 70
HEAD = re.compile(r"^(FAIL|PANIC): (\S+\.go):(\d+): (\w+\.\w+)(?:\t.*)?$")
START = re.compile(r"^START: \S+\.go:\d+: (\w+\.\w+)$")
"""The line before the output of a test with `-check.vv`; `FAIL: …` ends it."""
END = re.compile(r"^(?:(?:START|PASS|SKIP|MISS|FAIL|PANIC): \S+\.go:\d+: |OOPS: \d+ passed|OK: \d+ passed)")
PACKAGE = re.compile(r"^(?:FAIL|ok  )\t(\S+)\t")
PLACE = re.compile(r"^(\S+\.go):(\d+)(:)?$")
RELATED = "Fixture has panicked (see related PANIC)"
MOST_LINES, MOST_RUNNING = 100, 8


class Gocheck(Parser):
    """Parser of blocks, and of the package below them."""

    tool = "gocheck"
    wakes = (f"\n{RULE}\n", "OOPS: ", "=== FAIL: ", "START: ")

    def __init__(self) -> None:
        self._head: tuple[int, re.Match[str]] | None = None
        self._folder = ""
        self._after_rule = False
        self._lines: list[str] = []
        self._running: list[tuple[str, list[str]]] = []
        self._pending: list[Failure] = []
        self._found: list[Failure] = []
        self._packages = Packages()

    def read(self, line: Line) -> bool:
        """Read a line; awake within a block, and until the package is named."""
        text, after = line.text, self._after_rule
        self._after_rule = text == RULE
        if self._after_rule:
            self._end()
        elif self._running or (text.startswith("START: ") and START.match(text)):
            self._verbose(line.number, text)
        elif (after or self._head is None) and (head := HEAD.match(text)) and (after or self._pending):
            self._end()
            self._head, self._lines = (line.number, head), []
        elif END.match(text):
            self._end()
        elif self._head:
            if len(self._lines) < MOST_LINES:
                self._lines.append(text)
        elif package := PACKAGE.match(text):
            self._place(package[1])
        elif summary := GOTESTSUM.match(text):
            self._place("")
            self._folder = summary[1].strip(".")
        return bool(self._after_rule or self._head or self._pending or self._running)

    def _verbose(self, number: int, text: str) -> None:
        """Read a line of a test that has begun; a fixture begins within its test."""
        if started := START.match(text):
            del self._running[:-MOST_RUNNING]
            self._running.append((started[1], []))
        elif (head := HEAD.match(text)) and head[4] == self._running[-1][0]:
            self._head, self._lines = (number, head), self._running.pop()[1]
            self._end()
        elif END.match(text) or PACKAGE.match(text):
            self._running.pop()
        elif len(self._running[-1][1]) < MOST_LINES:
            self._running[-1][1].append(text)

    def _end(self) -> None:
        head, self._head = self._head, None
        if not head or len(self._found) + len(self._pending) >= MOST_FAILURES:
            return
        number, found = head
        said = join_message(line.removeprefix("... ") for line in self._lines if line.startswith("... "))
        if said.endswith(RELATED):  # the failure it is related to has its own block
            return
        places = [place for line in self._lines if (place := PLACE.match(line)) and not place[1].startswith("/")]
        file, line = found[2], int(found[3])
        if places and not any(part in places[0][1] for part in NOT_OURS):
            file, line = places[0][1], int(places[0][2])
        source = next((text.strip() for text in self._lines if text.startswith("    ")), "")
        message = "\n".join(part for part in (source, said) if part)
        self._pending.append(
            Failure(
                tool=self.tool,
                name=found[4],
                message=message or join_message(self._lines),
                file=relative(file),
                line=line,
                selector=rf"^{found[4].replace('.', chr(92) + '.')}$",
                log_line=number,
            )
        )

    def _place(self, package: str) -> None:
        """Set the package of the last tests."""
        if package:
            self._packages.add(package)
        place = package or (f"./{self._folder}" if self._folder else "")
        self._found += [evolve(one, place=place) for one in self._pending]
        self._pending, self._folder = [], ""

    def finish(self) -> Iterable[Failure]:
        """Return each test once, with the folder of its package."""
        self._end()
        self._place("")
        once: dict[tuple[str, str, int | None], Failure] = {}
        for one in map(self._packages.add_folder, self._found):
            once.setdefault((one.name, one.file.rpartition("/")[2], one.line), one)
        return list(once.values())

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command for tests of one package.

        A failed fixture has no test's name, so its whole suite is run.
        """
        places = each_once(one.place for one in failures)
        if not places:  # not every package defines the flag
            return ""
        chosen = each_once(_suite(one) if _is_fixture(one.name) else one.selector for one in failures)
        return command("go", "test", *places, "-count=1", f"-check.f={'|'.join(chosen)}")


def _is_fixture(name: str) -> bool:
    return name.partition(".")[2] in {"SetUpTest", "SetUpSuite", "TearDownTest", "TearDownSuite"}


def _suite(one: Failure) -> str:
    return rf"^{one.name.partition('.')[0]}\."
