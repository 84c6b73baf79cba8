"""GoogleTest: `[  FAILED  ] Suite.Test` at the end of a test and again in the list at the end of a program.

A test that prints the output of another gtest has it between its own `[ RUN      ]` and its end: results inside of a
test that itself ends are ignored. A program that dies leaves its test without an end; such a test failed only if a
line reports the death.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.native.gtest_programs import GTestBlock, Program
from ci_failures.parsers.native.program_context import (
    DEATH,
    PROJECT,
    Result,
    each_once,
    frame_of,
    result_of,
    source,
    strip_prefix,
    through,
)
from ci_failures.parsers.text_helpers import command, relative

RUN, FAILED, OK, SKIPPED = "[ RUN      ] ", "[  FAILED  ] ", "[       OK ] ", "[  SKIPPED ] "
REPEATING = "Repeating all tests (iteration "
LISTED = re.compile(r"(\d+) test(?: suite| case)?s?, listed below:$")
PARAMETER = re.compile(r", where (?:TypeParam|GetParam\(\)) = ")
TIME = re.compile(r" \(\d+ ms\)$")
VERBOSE = re.compile(r"(\d+): (?=\[ RUN      \] |\[=|\[  FAILED|Test command: )")
TARGET = re.compile(r"=+ Test output for (//[^ ]+?):? ")
ROOTED = re.compile(r"(?<=[\w.%])/(?:home|__w|github/workspace|Users|builds|workspace)/")
"""The beginning of a path behind output of a test without an end of line."""
NAME = re.compile(r"[^\s.]+\.\S+|[^\s.:]+: SetUpTest(?:Suite|Case) or TearDownTest(?:Suite|Case)")


class Gtest(Parser):
    """Parser of GoogleTest of any version, also under `ctest -V` and `--output-on-failure`, and under Bazel."""

    tool: ClassVar[str] = "gtest"
    wakes: ClassVar[tuple[str, ...]] = (
        RUN, FAILED, ": Failure", ": Test command: ", "***Failed", "***Exception", "***Timeout", "Test output for //",
        PROJECT, f"\n{REPEATING}",
    )  # fmt: skip

    def __init__(self) -> None:
        self._main = Program()
        self._programs = {"": self._main}
        self._begun: Line | None = None
        self._done: list[Program] = []
        self._again = False
        self._folder = ""
        self._counted: int | None = None
        self._repeated = 0
        self._repeats = False

    def read(self, line: Line) -> bool:
        """Read a line; awake while a test runs or prints a failure."""
        if line.text[:1] == "#":
            line = Line(line.number, strip_prefix(line.text))
        text = line.text
        if text[:2] == "[ " and self._passing(line):
            return self._begun is not None
        if self._begun:
            self._materialise()
        numbered = text[:1].isdigit() or text[:2] == ": "
        if not (numbered and self._read_numbered(line)) and not self._surroundings(text):
            self._read(self._main, line)
        main = self._main
        if self._again or main.running or main.pending or (main.failures and "#" in main.place):
            return True  # in the last case it may pass in a repetition
        return any(program.running or program.pending for program in self._programs.values())

    def _read_numbered(self, line: Line) -> bool:
        """Read a line to which `ctest -V` added the number of its test; return whether it is one."""
        text = line.text
        found = VERBOSE.match(text)
        number, _, rest = text.partition(": ") if ": " in text[:8] else ("", "", "")
        if found and found[1] not in self._programs:
            self._programs[found[1]] = Program()
        if number not in self._programs:
            return False
        if rest:
            self._read(self._programs[number], Line(line.number, rest))
        return bool(rest) or number.isdigit()

    def _passing(self, line: Line) -> bool:
        """Read the beginning and the end of a test without output, as most are, at little cost."""
        text, begun = line.text, self._begun
        if begun:
            ended = text.startswith(OK) and text.startswith(begun.text[len(RUN) :] + " (", len(OK))
            self._begun = None if ended else begun
            return ended
        main = self._main
        if text.startswith(RUN) and not (main.running or main.pending) and len(self._programs) == 1:
            self._begun = line
        return self._begun is not None

    def _materialise(self) -> None:
        """Create the record of a test that has begun, once it has output."""
        if self._begun:
            self._main.begin(self._begun.text[len(RUN) :], self._begun.number)
            self._begun = None

    def _surroundings(self, text: str) -> bool:
        """Read the lines of ctest and Bazel around the output of a program."""
        if "Test " not in text and "Start " not in text and text[:4] != "====":
            return False
        if text.startswith(PROJECT):
            self._folder = relative(text.removeprefix(PROJECT).strip())
        elif "Test " in text[:30] and (result := result_of(text)):
            self._read_ctest_result(result, f"{self._folder}#{result.name}")
        elif "Start " in text[:20] and re.match(r" +Start +\d+: ", text):
            self._again = bool(self._main.failures)
            self._start("", "")
        elif text.startswith("====") and (target := TARGET.match(text)):
            self._start(target[1], "")
        else:
            return False
        return True

    def _read_ctest_result(self, result: Result, place: str) -> None:
        """Read ctest's result of a test, whose output precedes it with a number, or follows."""
        self._again, status = False, result.status
        for one in self._done:
            one.passed = one.passed or (status == "Passed" and one.place == place)
        dying = f"{status}: {result.detail}".strip(": ") if status in {"Exception", "Timeout"} else ""
        if program := self._programs.pop(result.number, None):
            program.place = program.place or place
            if program.running and dying:
                program.running[-1].death = program.running[-1].death or dying
            self._keep(program)
        self._start(place if status not in {"Passed", "Skipped", "Not Run"} else "", dying)

    def _start(self, place: str, dying: str) -> None:
        """Begin the output of another program."""
        self._keep(self._programs[""])
        self._main = self._programs[""] = Program(place, dying)

    def _keep(self, program: Program) -> None:
        program.record_death()
        if program.failures:
            self._done.append(program)

    def _read(self, program: Program, line: Line) -> None:
        text = line.text
        if "] " in text:
            if (at := text.find(RUN)) >= 0:
                program.begin(text[at + len(RUN) :], line.number, text[:at])
                return
            if (at := text.find(FAILED)) >= 0 and self._read_failed_tag(program, text, at, line.number):
                return
            if (OK in text or SKIPPED in text) and self._ended_well(program, text):
                return
        self._repeats |= text.startswith(REPEATING)
        if text.startswith("Test command: "):
            program.place = source(text.removeprefix("Test command: ").split(" ")[0])
            return
        self._read_details(program, line)

    def _ended_well(self, program: Program, text: str) -> bool:
        """Read the end of a test that did not fail."""
        for tag in (OK, SKIPPED):
            if (at := text.find(tag)) >= 0:
                return program.end(TIME.sub("", text[at + len(tag) :].split(", where ", maxsplit=1)[0])) is not None
        return False

    def _read_failed_tag(self, program: Program, text: str, at: int, number: int) -> bool:
        """Read `[  FAILED  ] …`: the end of a test, the heading of the list or a name in it."""
        rest = text[at + len(FAILED) :]
        if listed := LISTED.match(rest):
            if not (program.running or program.foreign):
                self._counted = (self._counted or 0) + int(listed[1])
            return True
        name = TIME.sub("", PARAMETER.split(rest, maxsplit=1)[0]).rstrip()
        if ended := program.end(name):
            program.fail(name, ended.block, number)
        elif at or not NAME.fullmatch(name):
            return False
        else:
            program.add_listed(name, number)
            if ": " in name:  # the list's heading does not count these
                self._counted = (self._counted or 0) + 1
        return True

    def _read_details(self, program: Program, line: Line) -> None:
        """Read a line without a tag: the place of a failure, its message, or the cause of a program's death."""
        running = program.running[-1] if program.running else None
        text = line.text.removeprefix(running.prefix) if running else line.text
        if text.endswith(": Failure") or "): error: " in text or text.startswith("unknown file: "):
            place = _parse_place(text, line.number)
            if place and program.add_place(place):
                return
        elif text.startswith("[------"):
            suite = text.split(" from ")[-1].split(" (")[0].split(",")[0]
            if text.endswith(" ms total)"):
                program.end_suite(suite)
            program.set_apart(suite)
            return
        elif not running:
            program.pending = None if text.endswith(": Skipped") else program.pending
        elif text.startswith("[==========] Running "):
            program.running[0].restarted = True
        elif not running.death and DEATH.search(text):
            running.death = text.strip()
        elif running.death and not running.block and (frame := frame_of(text)):
            running.block = GTestBlock(*frame, running.number, [running.death], whole=True)
        program.say(text)

    def finish(self) -> Iterable[Failure]:
        """Return the failed tests; one that failed repeatedly in one place is one."""
        self._materialise()
        for program in self._programs.values():
            self._keep(program)
        self._main = Program()
        self._programs = {"": self._main}
        told = [evolve(one, flaky=program.passed) for program in self._done for one in program.failures]
        once = each_once(told)
        self._repeated = sum(not one.flaky for one in told) - sum(not one.flaky for one in once)
        return once

    def total(self) -> int | None:
        """Return the sum of the lists' headings, without what `--gtest_repeat` counts again; call it after `finish`."""
        died = sum(program.deaths for program in self._done)
        if self._counted is None:
            return None
        return self._counted + died - (self._repeated if self._repeats else 0)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a call of the program with a filter; through ctest or Bazel if only they are known."""
        place = failures[0].place
        chosen = ":".join(dict.fromkeys(one.selector for one in failures))
        if "#" in place:
            return f"GTEST_FILTER={command(chosen)} {through(place)}"
        if place.startswith("//"):
            return command("bazel", "test", place, f"--test_filter={chosen}")
        return through(place, f"--gtest_filter={chosen}")


def _parse_place(text: str, number: int) -> GTestBlock | None:
    """Parse `a.cc:3: Failure`, or MSVC's `a.cc(3): error: …`; output of a test may precede it."""
    if text.startswith("unknown file: "):
        return GTestBlock("", None, number, [text.partition("error: ")[2]] if "error: " in text else [])
    head, sign, said = text.partition("): error: ")
    path, _, line = head.rpartition("(") if sign else text.removesuffix(": Failure").rpartition(":")
    if not path.strip() or not line.isdecimal():
        return None
    path = path if path.startswith("/") else path.rsplit(maxsplit=1)[-1]  # a folder may have a space in its name
    glued = None if path.startswith("/") else ROOTED.search(path)
    return GTestBlock(source(path[glued.start() :] if glued else path), int(line), number, [said] if sign else [])
