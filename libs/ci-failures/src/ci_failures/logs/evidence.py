"""What a log proves if no failure was read from it: that known tools ended well, or that something failed.

A log in which nothing was recognized does not prove that its job passed.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import chain
from typing import NamedTuple

from attrs import frozen

from ci_failures.logs.error_hints import ErrorHints, may_be_error
from ci_failures.logs.parser_run import ParserResult
from ci_failures.logs.recent_lines import RecentLines
from ci_failures.logs.run_spans import RunSpans
from ci_failures.logs.steps import Steps
from ci_failures.logs.tool_marks import MARKS, TOOLS, Mark, counts_failures
from ci_failures.model import Failure

MOST_SHOWN = 120
"""Characters of a line that a reason quotes."""
STAMP = r"(?:\[[^\]\n]{1,60}\] *|\d\d:\d\d:\d\d +|\d{4}-\d\d-\d\dT[\d:.]{8,20}Z )?(?:\d\d[OE]\+? ?)?"
"""Prefixes of runners that `cleaning` keeps; a report of a failure counts behind them, too."""
FAMILIES = (
    "unittest django nose trial zope.testrunner green stestr testtools nose2",
    "go gotestsum ginkgo gocheck",
    "cargo nextest rustc clippy",
    "tap tap-spec node:test ava bats prove",
    "bats exunit eunit",
    "mocha cypress karma",
    "surefire maven gradle kotlinc javac junit junit-console testng ant scalatest sbt zio-test specs2 munit cucumber",
    "ctest gtest catch2 doctest boost meson automake bazel",
    "phpunit pest",
    "dotnet msbuild nunit",
    "minitest test-unit",
    "rspec hspec",
    "tsc ruff eslint lint biome black oxlint stylelint",
)
"""Tools that run each other, or that print the same total: a failure of one explains a total of another."""
APART = frozenset({"ava"})
"""Tools that print either a total of their own or that of another tool, never both in a run."""
_TOOLS_OF_FAMILIES = [frozenset(family.split()) for family in FAMILIES]
LINTERS = frozenset(
    {
        "ruff",
        "ruff or tsc or deno",
        "mypy",
        "eslint",
        "golangci-lint",
        "phpstan",
        "psalm",
        "rubocop",
        "checkstyle",
        "black",
        "pyright",
        "pylint",
        "prettier",
        "biome",
        "oxlint",
        "stylelint",
        "markdownlint",
        "swiftlint",
        "scalafmt",
        *("textlint", "spectral", "cspell", "djlint", "doc8", "cpplint", "ansible-lint", "bandit", "luacheck", "gosec"),
    }
)
"""Tools whose findings in a step that passed are not failures."""
TESTED_WITH: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("bundler", "gem"), ("rspec", "minitest", "test-unit", "cucumber")),
    **dict.fromkeys(("pip", "uv", "poetry"), ("pytest", "unittest")),
    "composer": ("phpunit", "pest"),
    "cargo": ("cargo", "nextest"),
}
"""Package managers without whose packages the tests of their language cannot run, and the tools of these tests."""
RUNNERS = frozenset(
    {"a runner", "act", "GitLab's runner", "Jenkins", "Azure", "CircleCI", "Buildkite", "AppVeyor", "CodeBuild"}
    | {"Cloud Build", "TeamCity", "Docker"}
)
"""The tools whose reports of a failure mean that a job of theirs failed, whatever another job reports."""
VERDICTS = frozenset({"GitHub's runner", "act", "GitLab's runner", "Jenkins", "Travis"})
"""The runners that print at the end of a job whether the whole job passed."""
NOTHING_RAN = "no tests ran"
"""What a total without tests says."""
MOST_EXITS = 1_000
"""Steps that failed which are distinguished."""
MOST_HINTS = 100
"""Steps whose errors are entries, and how many of these are compared with all failures."""
EXITED = re.compile(r".{0,300}?\bexit(?:ed|s)?(?: with)?(?: exit)? ?(?:code|status)\b")
"""What runners and actions print of a command that failed, and not of one that was cancelled."""
MOST_JOBS = 1_000
"""Jobs without an end that are kept; each further one replaces the last."""
MOST_AFTER = 30
"""Lines that a runner prints after that report: on GitHub one for each process that it ends."""
MESSAGES = ("a runner", "a shell")
"""The tools of reports that may tell why a step failed, and not that it did."""
ONCE = "go"
"""The tool whose start is printed for each test."""
LOOKED_FOR = "no failure, no total and no start of a known tool was found in {}"


@frozen
class Outcome:
    """What a log without read failures shows.

    Args:
        recognized: Whether it contains a known tool, or a runner's report of a passed job.
        doubt: Why something may have failed nevertheless; empty if nothing shows that.
        lines: How many lines it has.
        hints: Lines like errors of each step that failed and of which no known tool tells what failed in it.
        missed: If failures of other tools were read: for each tool that counts failures of which none was read, a
            sentence with its total. If none was, `doubt` says it.
        cuts: What was left out at a bound, a sentence each; it rarely matters to what failed.
        counting: The tool whose total is the doubt; empty if something else is.
    """

    recognized: bool
    doubt: str
    lines: int
    missed: Sequence[str] = ()
    hints: Sequence[Failure] = ()
    cuts: Sequence[str] = ()
    counting: str = ""

    @property
    def unknown(self) -> str:
        """Why it is not known whether anything failed; empty if it is known that nothing did."""
        if self.doubt or self.recognized:
            return self.doubt
        return LOOKED_FOR.format(f"its {self.lines:,} lines") if self.lines else "it is empty"


@cache
def _form(index: int) -> re.Pattern[str]:
    """Return the pattern of a mark, which most logs do not need."""
    mark = MARKS[index]
    return re.compile(f"{STAMP}(?:{mark.form})" if mark.role == "failure" else mark.form)


class FailingTotal(NamedTuple):
    """A total that counts failures.

    Args:
        number: The number of its line; 0 where a parser tells it.
        sentence: The tool and the total.
    """

    number: int
    sentence: str


class LogEvidence:
    """The marks of one log.

    Args:
        steps: The steps of the log, known as far as lines are read.
        recent: The last lines of the log, as far as it is read.
    """

    def __init__(self, steps: Steps, recent: RecentLines) -> None:
        self._steps = steps
        self._hints = ErrorHints(steps, recent)
        self._spans = RunSpans()
        self._started: dict[str, int] = {}
        self._ended: dict[str, int] = {}
        self._counts: dict[str, FailingTotal] = {}
        self._unread: dict[str, FailingTotal] = {}
        self._failure = self._idle = ""
        self._exits: dict[int, str] = {}
        self._failed_steps: set[int] = set()
        self._reports: dict[int, str] = {}
        self._steps_with_totals: set[int] = set()
        self._passed = False
        self._verdict = 0
        self._action = 0, ""
        self._action_doubt = ""
        self._job_failed = False
        self._open_jobs: dict[str, list[int]] = defaultdict(list)

    def read(self, number: int, text: str, marks: Iterable[int]) -> None:
        """Read a line that contains the literals of some marks.

        A total that belongs to the line above it belongs to no other tool.
        """
        for index in sorted(marks):
            mark = MARKS[index]
            if mark.role == "start" and mark.tool == ONCE and self._spans.is_open(ONCE):
                continue
            if mark.role == "hint" and not (may_be_error(text) and self._hints.wants(number, text)):
                continue
            if _form(index).match(text):
                self._read_mark(mark, number, text)
                if mark.near and self._ended.get(mark.tool) == number:
                    return

    def _read_mark(self, mark: Mark, number: int, text: str) -> None:
        """Read a line that matches a mark."""
        if mark.role in {"total", "unread total"}:
            self._read_total(mark, number, text)
        elif mark.role == "step":
            self._steps.begin(number)
        elif mark.role == "job":
            if mark.tool != "Jenkins" or not self._open_jobs[mark.tool]:  # which prints both why and that it starts
                self._open_jobs[mark.tool][MOST_JOBS:] = [number]
        elif mark.role == "done":
            self._passed = True
            del self._open_jobs[mark.tool][-1:]
            self._verdict = number if mark.tool in VERDICTS else self._verdict
        elif mark.role == "action":
            self._read_action(number, text)
        elif mark.role == "hint":
            self._hints.add(number, text)
        elif mark.role == "failure":
            self._read_failure(mark, number, text)
        else:
            self._read_begin(mark, number)

    def _read_action(self, number: int, text: str) -> None:
        """Read a line of the last step's action: that its container starts, that Node.js ended, or that all have ended.

        The runner does not print that a container failed or an action crashed, and ends the job like one that passed.
        """
        step = self._steps.find(number)
        if "docker run" in text:
            self._action = number, ""
        elif text.startswith("Node.js"):
            self._action = (number, text) if self._steps.is_action(step) else self._action
        elif self._action[0] and step == self._steps.find(self._action[0]):
            at, ended = self._action
            if said := self._hints.find_recent(number) or ended:
                self._action_doubt = f"the action of line {at} may have failed: {_quote(said)}"
            self._action = 0, ""

    def _read_begin(self, mark: Mark, number: int) -> None:
        """Read a line that shows that a tool runs."""
        if mark.role == "start":
            self._started[mark.tool] = number  # the last one: totals in an earlier run are not in this one
            self._spans.begin(mark.tool, number)
        elif mark.role == "command":
            self._spans.call(mark.tool, number)
        else:
            self._spans.show(mark.tool, number)

    def _read_failure(self, mark: Mark, number: int, text: str) -> None:
        """Read a report of a failure; the first one counts."""
        self._hints.drop(number)
        if '"' in text and mark.tool == "Travis":  # it names the command, which is all that is known of most
            self._hints.add(number, text)
        is_message = mark.tool in MESSAGES and "exit" not in text
        by_runner = mark.tool in RUNNERS
        self._hints.read_report(number, text, is_message=is_message, by_runner=by_runner)
        self._job_failed |= by_runner or (mark.tool == "Travis" and "our build" in text)
        step = self._steps.find(number)
        if not by_runner and len(self._reports) < MOST_EXITS:
            self._reports.setdefault(step, text.strip())
        is_exit = EXITED.match(text) if not is_message else mark.tool == "a runner" and self._steps.is_action(step)
        if self._failure and not is_exit:
            return
        said = f"{mark.tool} reports a failure in line {number}, {_quote(text)}"
        self._failure = self._failure or said
        if is_exit and len(self._exits) < MOST_EXITS:
            self._exits.setdefault(step, said)
            if by_runner:
                self._failed_steps.add(step)

    def _read_total(self, mark: Mark, number: int, text: str) -> None:
        """Read a total; one without failures shows that totals within its run were output of tests."""
        last = max(one.get(mark.tool, -mark.near) for one in (self._ended, self._started))
        if mark.near and number - last >= mark.near:
            return
        self._ended[mark.tool] = number
        failing = counts_failures(text)
        self._idle = ""
        if NOTHING_RAN in text:  # which is a failure for pytest, unless its caller accepts it
            self._hints.add(number, text.strip("= "))
            self._idle = f"{mark.tool} ran no tests, as it reports in line {number}"
        began = self._spans.end(mark.tool, number, failing=failing) or self._started.get(mark.tool, number)
        counts = self._unread if mark.role == "unread total" else self._counts
        if failing:
            self._steps_with_totals.add(self._steps.find(number))
            sentence = f"{mark.tool} counts failures in line {number}, {_quote(text)}"
            counts.setdefault(mark.tool, FailingTotal(number, sentence))
        elif mark.role == "total":
            self._counts = {tool: total for tool, total in counts.items() if tool != mark.tool and total.number < began}

    def count(self) -> int:
        """Return how many tools and reports of runners were recognized."""
        return len(self._started) + len(self._ended) + bool(self._failure) + self._passed

    def is_passed(self, lines: int) -> bool:
        """Check whether the log ends with the report of a runner that its job passed, and no job failed or has no end.

        Args:
            lines: How many lines the log has.
        """
        has_ended = 0 < self._verdict >= lines - MOST_AFTER
        return has_ended and not (self._job_failed or self._action_doubt or self._list_open_jobs())

    def drop_printed(self, tales: Sequence[ParserResult]) -> list[ParserResult]:
        """Leave out failed tests that a test of another tool printed, and what is counted only among these.

        If a runner reports a failure that nothing else explains, they may be the cause.
        """
        read = {one.tool for told in tales for one in told.failures}
        is_printed = self._spans.find_printed(self._steps, _relatives, read, self._ended)
        left = [_without_printed(told.keep(self._is_fatal), is_printed) for told in tales]
        if (self._failure or self._steps.any_failed) and not any(told.failures for told in left):
            return list(tales)
        self._counts = {tool: one for tool, one in self._counts.items() if not is_printed(tool, one.number)}
        return left

    def _is_fatal(self, one: Failure) -> bool:
        """Check whether nothing shows that packages were installed: a total of tests behind an error in its step does.

        Tests of programs that call a package manager print its errors.
        """
        if one.kind != "dependency":
            return True
        step = self._steps.find(one.log_line)
        ends = (self._ended.get(tool, 0) for tool in TESTED_WITH.get(one.tool, ()))
        return not any(end > one.log_line and self._steps.find(end) == step for end in ends)

    def _list_open_jobs(self) -> list[int]:
        """Return the numbers of the lines with which jobs began whose end is not in the log."""
        return [number for jobs in self._open_jobs.values() for number in jobs]

    def _list_unproved(self, ended: AbstractSet[str]) -> Iterator[str]:
        """Yield why something may have failed unseen: runs and jobs without an end, and runs without a test.

        A total is not that of a run of its tool that begins behind it.
        """
        if not self._passed:
            for tool, at in self._started.items():
                if tool not in ended or at > self._ended.get(tool, at):
                    yield f"{tool} began in line {at}, and its total is not in the log"
            yield from filter(None, [self._idle])
        yield from filter(None, [self._action_doubt])
        yield from (f"a job began in line {at}, and its end is not in the log" for at in self._list_open_jobs())

    def _list_hints(self, failures: Sequence[Failure], counts: Mapping[str, FailingTotal]) -> Iterator[Failure]:
        """Yield an error of each step that failed without a failure of its own.

        A failure that several steps report is in the first of them, so that totals count as failures, too.
        """
        told = {self._steps.find(one.log_line) for one in failures} | self._steps_with_totals
        if not counts and not failures and (first := self._hints.find()):
            told.add(self._steps.find(first[0].log_line))
            yield from first
        found = chain.from_iterable(map(self._hints.find_in, sorted(self._failed_steps - told)[:MOST_HINTS]))
        yield from (one for at, one in enumerate(found) if at >= MOST_HINTS or not _is_told(one, failures))

    def _list_unexplained(self, failures: Sequence[Failure], hints: Sequence[Failure]) -> Iterator[str]:
        """Yield a sentence on the steps that failed and have no failure of their own, if others have one."""
        told = {self._steps.find(one.log_line) for one in (*failures, *hints)}
        hinted = set(filter(self._hints.knows, self._failed_steps))
        begins = {one.message.partition("\n")[0].strip() for one in failures}
        repeated = {step for step, report in self._reports.items() if report in begins}
        explained = told | self._steps_with_totals | hinted | repeated
        silent = [said for step, said in self._exits.items() if step not in explained]
        if told and silent:
            others = len(silent) - 1
            more = f", nor in {others} more of the steps that failed" if others else ""
            yield f"{silent[0]}, and no failure of its own was read in that step{more}"

    def outcome(self, tales: Sequence[ParserResult], lines: int, *, is_passed: bool) -> Outcome:
        """Return what the log shows beside the failures that parsers read.

        Args:
            tales: What the parsers read; one that has a count has read its tool's own total.
            lines: How many lines the log has.
            is_passed: Whether the log ends with the report of a runner that its whole job passed.
        """
        if is_passed:
            return Outcome(recognized=True, doubt="", lines=lines)
        counts = self._unread | self._counts
        ended = set(self._ended)
        for told in tales:
            tool = told.parser.tool
            if told.counted:
                counts.setdefault(tool, FailingTotal(0, f"{tool} counts {told.counted:,} failures"))
            elif told.counted == 0:  # its parser distinguishes the tool's own total from output of tests
                counts.pop(tool, None)
                ended.add(tool)
        failures = [one for told in tales for one in told.failures]
        hints: dict[str, Failure] = {}
        for one in self._list_hints(failures, counts):
            hints.setdefault(one.name, one)
        doubt = self._failure or next((total.sentence for total in counts.values()), "")
        counting = "" if self._failure else next(iter(counts), "")
        if doubt:
            doubt = f"{doubt}, and no failure was read"
        elif gap := next((told.gap for told in tales if told.gap and not told.failures and told.counted is None), ""):
            doubt = gap
        else:
            doubt = next(self._list_unproved(ended), "")
        missed = [*_missed(counts, tales, self._steps), *self._list_unexplained(failures, list(hints.values()))]
        recognized = bool(ended or self._started or self._passed)
        return Outcome(recognized, doubt, lines, missed, tuple(hints.values()), counting=counting)


def _is_told(hint: Failure, failures: Sequence[Failure]) -> bool:
    """Check whether the error of a step is that of a failure, which is read in the first step with it only."""
    return any(
        (one.file and one.file in hint.message) or (one.message and one.message.partition("\n")[0] in hint.message)
        for one in failures
    )


def _missed(counts: Mapping[str, FailingTotal], tales: Sequence[ParserResult], steps: Steps) -> Sequence[str]:
    """Return a sentence for each total with failures of which none of the tool or its family was read."""
    if not counts:
        return ()
    failures = [failure for one in tales for failure in one.failures]
    if all(failure.flaky for failure in failures):
        return ()
    told = {name for tool in {failure.tool for failure in failures} for name in _family(tool)}
    if "annotation" in told:  # it does not name the linter that printed it
        told |= LINTERS
    told.update(one.parser.tool for one in tales if one.counted)  # whose count is compared with what was read
    return [
        f"{total.sentence}, and none of them was read"
        for tool, total in counts.items()
        if total.number
        and told.isdisjoint(_family(tool))
        and not (tool in LINTERS and steps.harmless("lint", total.number))
    ]


@cache
def _family(tool: str) -> frozenset[str]:
    """Return a tool and those whose failures explain its total; the total of several tools has their names."""
    names = frozenset(tool.split(" or "))
    return names.union(*(tools for tools in _TOOLS_OF_FAMILIES if not names.isdisjoint(tools)))


def _without_printed(told: ParserResult, is_printed: Callable[[str, int], bool]) -> ParserResult:
    """Leave out tests that other tests printed and, if there are any, what else their tool reports in such places."""
    printed = {one.kind for one in told.failures if is_printed(one.tool, one.log_line)}
    if "test" not in printed:
        return told
    left = told.keep(lambda one: not is_printed(one.tool, one.log_line))
    return left if left.failures else left._replace(counted=None, gap="")


@cache
def _relatives(tool: str) -> frozenset[str]:
    """Return a tool and those whose results may be a part of its own run."""
    return frozenset({tool}) if tool in APART else _family(tool) - APART


def looked_for(tools: Iterable[str]) -> list[str]:
    """Return the names of the tools that are recognized, also those of other distributions' parsers."""
    return sorted({*TOOLS, *tools}, key=str.lower)


def _quote(text: str) -> str:
    shown = text.strip()
    return f"'{shown[:MOST_SHOWN]}…'" if len(shown) > MOST_SHOWN else f"'{shown}'"
