"""Surefire and Failsafe, from 2.12 to 3.5: what Maven prints of tests by JUnit and TestNG.

Each failure has a block (`NAME  Time elapsed: … <<< FAILURE!` and its trace), and a line of the summary. If blocks are
missing, lines of the summary complete them up to the tool's total.
"""

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Confidence, Failure, Line, Parser
from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.maven import is_error, parted_level, without_level
from ci_failures.parsers.jvm.surefire_names import WHOLE_CLASS, bare, pattern, split_header
from ci_failures.parsers.jvm.surefire_summary import Listed, Summary

GOAL = re.compile(r"--- (?:maven-)?(surefire|failsafe)(?:-plugin)?:([\w.-]+):[\w-]+ \([^)]*\) @ (\S+)")
UNLEVELLED = re.compile(r"2\.1?\d(?!\d)")
"""Versions before 2.20, whose lines have no level of Maven's."""
HEADER = re.compile(r"([\d.,]+) s(?:ec)?\s+<<< (?:FAILURE|ERROR)!\s*$")
OPENINGS = ("Results:", "Results :", "Failures:", "Errors:")
"""Summaries of the quiet mode begin without `Results:`."""
OLD_HEADINGS = ("Failed tests: ", "Tests in error: ")
NONE_IS_FINE = "-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false"
OF_SEVERAL = re.compile(r"\[INFO\]   from \S+/pom\.xml\s*$")
EXIT = re.compile(r"Process Exit Code: \d+")
MOST_OF_A_BLOCK = 600
ANY = "*"
"""Stands for any method of a class."""
Key: TypeAlias = tuple[str, str, str]
"""A class, a method and a module."""


@define
class SurefireBlock:
    """A failed test as its block reports it."""

    head: str
    known: str
    number: int
    trace: Trace = field(factory=Trace)
    lines: int = 0


class Surefire(Parser):
    """Parser of the blocks; `Summary` parses the summaries."""

    tool: ClassVar[str] = "surefire"
    wakes: ClassVar[tuple[str, ...]] = (
        " <<< FAILURE!", " <<< ERROR!", "surefire-plugin:", "--- surefire:", "failsafe-plugin:", "--- failsafe:",
        "] Results:", "Results :", "] Failures:", "] Errors:", "Crashed tests:", "Process Exit Code: ",
        "Reactor Build Order:", "MultiThreadedBuilder", "/pom.xml", "\nFailed tests: ", "\nTests in error: ",
    )  # fmt: skip

    def __init__(self) -> None:
        self._found: dict[Key, Failure] = {}
        self._named: dict[str, dict[tuple[str, str], Key]] = defaultdict(dict)
        self._known = ""
        self._block: SurefireBlock | None = None
        self._summary: Summary | None = None
        self._silent: list[tuple[str, str, Failure]] = []
        self._exit = ""
        self._blocks = 0
        self._distinct: Counter[Key] = Counter()
        self._counted: int | None = None
        self._goal, self._module = "test", ""
        self._modules = self._mixed = self._crashed = self._levelled = False

    def read(self, line: Line) -> bool:
        """Read a line of the open part, or the beginning of another one."""
        if self._summary is not None:
            if self._summary.read(line):
                return True
            self._settle(self._summary)
        text, block = line.text, self._block
        if block is not None and text.startswith("\tat ") and not self._crashed:
            block.lines += 1
            if block.lines <= MOST_OF_A_BLOCK:
                block.trace.take(text)
                return True
        if self._crashes(line) or self._begins(line):
            return True
        block = self._block
        if block is None:
            return False
        block.lines += 1
        if self._ends(text, block):
            self._close()
        else:
            block.trace.take(text)
        return self._block is not None

    def finish(self) -> Iterable[Failure]:
        """Return what failed, also if the log ends within it."""
        self._close()
        if self._summary is not None:
            self._settle(self._summary)
        return self._found.values()

    def total(self) -> int | None:
        """Return how many failed according to the summaries; one name is counted once."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a call of Maven for the tests of a module, and one for the integration tests that it would hide.

        A test with parameters is run with all of them.
        """
        goals: dict[str, dict[str, list[str]]] = {}
        for one in failures:
            goal, _, selected = one.selector.partition("=")
            of, _, method = selected.partition("#")
            goals.setdefault(goal, {}).setdefault(of, []).append(method)
        return "; ".join(call(goal, methods, failures[0].place) for goal, methods in goals.items())

    def _begins(self, line: Line) -> bool:
        """Check whether a block, a class, a summary or a goal begins here."""
        text = line.text
        if "Time elapsed: " in text and " <<< " in text:
            if self._is_output(text):
                return False
            self._levelled |= bool(parted_level(text)[0])
            return self._header(line)
        if text.rstrip().endswith(OPENINGS) and self._is_opening(text, opening := without_level(text).rstrip()):
            self._close()
            self._summary = Summary(levelled=not text.startswith(opening))
            self._summary.read(line)
            return True
        if (
            text.startswith(OLD_HEADINGS) and self._block is None and not self._is_output(text)
        ):  # output of tests can replace `Results :`
            self._summary = Summary(levelled=False)
            self._summary.read(line)
            return True
        if "--- " in text and (goal := GOAL.search(text)):
            self._close()
            self._goal, self._module = ("it.test" if goal[1] == "failsafe" else "test"), goal[3]
            self._levelled = bool(parted_level(text)[0]) and not UNLEVELLED.match(goal[2])
        elif self._block is None:
            self._modules |= "Reactor Build Order:" in text or OF_SEVERAL.match(text) is not None
            self._mixed |= "MultiThreadedBuilder" in text
        return False

    def _is_opening(self, text: str, opening: str) -> bool:
        """Check whether a summary begins; within a block, `Errors:` without a level is a line of the message."""
        if self._is_output(text):
            return False
        return opening in OPENINGS and (self._block is None or opening in OPENINGS[:2] or not text.startswith(opening))

    def _is_output(self, text: str) -> bool:
        """Check whether a test printed a line: those of Surefire itself have a level here."""
        return self._levelled and not self._mixed and not parted_level(text)[0]

    def _crashes(self, line: Line) -> bool:
        """Read the classes whose virtual machine ended before they did."""
        listing, self._crashed = self._crashed, False
        if "Exit Code: " in line.text and (exited := EXIT.search(line.text)):
            self._exit = f" ({exited[0]})"
        if "Crashed tests:" in line.text:
            self._close()
            self._crashed = True
        elif listing and WHOLE_CLASS.fullmatch(of := without_level(line.text).strip()):
            self._crashed = True
            said = f"The forked VM terminated without properly saying goodbye{self._exit}"
            self._add(of, "", Failure(
                tool=self.tool, name=of, message=said, selector=self._selector(of, ""), log_line=line.number,
                place=self._place,
            ))  # fmt: skip
        elif listing:
            self._exit = ""
        return self._crashed

    def _header(self, line: Line) -> bool:
        text = without_level(line.text)
        if text.startswith("Tests run:"):
            self._close()
            self._known = text.partition("- in ")[2] if "! -" in text else self._known
            return False
        head, _, rest = text.rpartition("Time elapsed: ")
        if not HEADER.match(rest) or not head.strip() or head[0].isspace():  # Gradle indents what tests print
            return False
        self._close()
        self._block = SurefireBlock(head.rstrip().removesuffix(" --").rstrip(), self._known, line.number)
        return True

    def _ends(self, text: str, block: SurefireBlock) -> bool:
        """Check whether a line is behind a block; a message may have empty lines, and look like the summary."""
        if block.trace.framed and not text:
            return True
        level, bare = parted_level(text)
        outside = (level and not is_error(level)) or bare.startswith(("Running ", "Results :"))
        counts = bare.startswith("Tests run:") and (level or "Time elapsed:" in bare)
        return bool(outside or counts) or block.lines > MOST_OF_A_BLOCK

    def _close(self) -> None:
        """Record the failure of the open block."""
        block, self._block = self._block, None
        if block is None:
            return
        of, method = split_header(block.head, block.known)
        of = block.trace.class_of(of, bare(method))
        file, row = block.trace.place(of)
        failure = Failure(
            tool=self.tool, name=f"{of}#{method}" if method else of, message=block.trace.message, file=file, line=row,
            selector=self._of_block(of, method, block), log_line=block.number, confidence="medium", place=self._place,
        )  # fmt: skip
        if not failure.message:  # it was only output of a test, or the summary counts it
            self._silent.append((of, method, failure))
            return
        self._blocks += 1
        self._distinct[of, method, failure.place] += 1
        self._add(of, method, failure)

    def _of_block(self, of: str, method: str, block: SurefireBlock) -> str:
        """Return the selector of a test.

        Engines such as Cucumber's print features instead of the class that runs them.
        """
        known = block.known if WHOLE_CLASS.fullmatch(block.known) else ""
        runs = of if "." in of or not known else known
        if block.trace.sets_up or not runs.endswith(of):
            return self._selector(runs, "")
        ran = [one.method for one in block.trace.frames_with(of) if one.of == of] if " " in method else ()
        return self._selector(runs, method, ran)

    def _add(self, of: str, method: str, failure: Failure) -> None:
        key = of, method, failure.place
        if len(self._found) < MOST_FAILURES and key not in self._found:
            self._found[key] = failure
            simple = of.rpartition(".")[2]
            self._named[failure.place] |= {(simple, bare(method)): key, (simple, method): key}

    @property
    def _place(self) -> str:
        """The module whose tests run, if the build has several and runs one after the other."""
        return self._module if self._modules and not self._mixed else ""

    def _selector(self, of: str, method: str, ran: Sequence[str] = ()) -> str:
        selected = pattern(method, ran) if method else ""
        return f"{self._goal}={of}" + (f"#{selected}" if selected else "")

    def _settle(self, summary: Summary) -> None:
        """Compare a summary with the blocks before it: what is flaky, what is missing, and how many failed."""
        self._summary = None
        by_name = self._named[self._place]
        missing: list[Listed] = []
        for entry in summary.entries:
            simple = entry.of.rpartition(".")[2]
            key = by_name.get((simple, entry.method)) or by_name.get((simple, bare(entry.method)))
            if key is None or key not in self._found:
                missing.append(entry)
            elif entry.flaky or entry.runs:
                self._found[key] = evolve(self._found[key], flaky=entry.flaky, attempts=max(entry.runs, 1))
        unlisted = self._pair(missing, summary.entries)
        if summary.total is not None:  # without a total it was output of a test
            self._discard(unlisted, 0 if missing else self._blocks - summary.total)
            self._count(summary.total, missing)
            self._blocks = max(0, self._blocks - summary.total) if self._mixed else 0
            self._distinct.clear()
        elif summary.over and len(unlisted) == len(self._distinct):
            self._discard(unlisted, self._blocks)
            self._take(missing, "medium")  # all that is printed if blocks and totals are switched off

    def _pair(self, missing: list[Listed], entries: Sequence[Listed]) -> list[Key]:
        """Remove entries whose test has a block of another name, and return the blocks of classes without an entry.

        Summaries name the method of the innermost frame: one that sets up, or one in which a stack overflows.
        """
        listed = {(entry.of.rpartition(".")[2], bare(entry.method)) for entry in entries}
        spare = {key: None for key in self._distinct if (key[0].rpartition(".")[2], bare(key[1])) not in listed}
        near: dict[tuple[str, str], list[Key]] = defaultdict(list)
        for key in reversed(spare):
            of = outermost(key[0])
            near[of, bare(key[1])].append(key)
            near[of, ANY].append(key)
        missing[:] = [
            entry
            for entry in missing
            if not any(pop_first(spare, near[outermost(entry.of), one]) for one in (bare(entry.method), ANY))
        ]
        classes = {outermost(entry.of) for entry in entries}
        return [key for key in spare if outermost(key[0]) not in classes]

    def _discard(self, blocks: Sequence[Key], most: int) -> None:
        """Discard blocks that the summary neither names nor counts: tests printed them."""
        if self._mixed:  # they may be those of another module
            return
        for key in blocks[: max(0, most)]:
            self._blocks -= self._distinct.pop(key)
            self._found.pop(key, None)

    def _count(self, total: int, missing: Sequence[Listed]) -> None:
        self._blocks = max(0, self._blocks - self._count_repetitions())
        for of, method, failure in self._silent[: max(0, total - self._blocks - len(missing))]:
            self._add(of, method, evolve(failure, place=self._place))
            self._blocks += 1
            self._distinct[of, method, self._place] += 1
        self._silent.clear()
        firm = {key for key in self._distinct if key not in self._found or not self._found[key].flaky}
        self._take(missing[: max(0, total - self._blocks)], "high")
        if self._blocks >= total:
            for key in firm & self._found.keys():  # beyond the bound they are counted, and not kept
                self._found[key] = evolve(self._found[key], confidence="high")
        self._counted = (self._counted or 0) + (len(firm) if self._blocks == total else total)

    def _count_repetitions(self) -> int:
        """Return how many blocks are of tests that were run again: of each, one counts at most."""
        told = ((self._found[key], blocks) for key, blocks in self._distinct.items() if key in self._found)
        return sum(blocks - (not one.flaky) for one, blocks in told if one.flaky or one.attempts > 1)

    def _take(self, missing: Sequence[Listed], confidence: Confidence) -> None:
        """Record what only the summary names, mostly without its package."""
        for entry in missing:
            self._add(entry.of, entry.method, Failure(
                tool=self.tool, name=f"{entry.of}#{entry.method}" if entry.method else entry.of, message=entry.message,
                selector=self._selector(entry.of, entry.method), log_line=entry.number, flaky=entry.flaky,
                attempts=max(entry.runs, 1), confidence=confidence, place=self._place,
            ))  # fmt: skip


def pop_first(spare: dict[Key, None], keys: list[Key]) -> bool:
    """Remove the last of the keys that is still spare, and return whether there was one."""
    while keys:
        key = keys.pop()
        if key in spare:
            del spare[key]
            return True
    return False


def outermost(of: str) -> str:
    """Return the name of a class without its package, of a nested one that of the class around it."""
    return of.partition("$")[0].rpartition(".")[2]


def call(goal: str, methods: Mapping[str, Sequence[str]], module: str) -> str:
    """Return one call of Maven for some methods, or for a whole class if one of its methods cannot be selected."""
    wanted = (f"{of}#{'+'.join(dict.fromkeys(own))}" if all(own) else of for of, own in methods.items())
    asked = shlex.quote(f"-D{goal}={','.join(wanted)}")
    where = f"-pl :{shlex.quote(module)} -am " if module else ""
    if goal == "it.test":
        return f"mvn verify {where}{asked} -Dtest=NoUnitTests {NONE_IS_FINE}"
    return f"mvn test {where}{asked}" + (f" {NONE_IS_FINE}" if module else "")
