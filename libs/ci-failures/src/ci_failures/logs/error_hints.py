"""The last resort: a line like an error before the line by which a runner reports that a step failed.

Of a step that an action fails, GitHub's runner prints nothing but the error that the action itself reports.
"""

import re
from collections.abc import Sequence

from ci_failures.logs.recent_lines import RecentLines
from ci_failures.logs.steps import MOST_STEPS, Steps
from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure

CATEGORY = "+ CategoryInfo "
"""The kind of an error of Windows PowerShell, which prints its message some lines above."""
NAMED = 120
"""Characters of the line that the failure's name quotes."""
OF_RUNNERS = re.compile(
    r"(?:##\[error\]|Error: )?(?:Process completed|The process '.*' failed|Bash exited) with exit ?code "
)
"""What runners print in the form of errors, and what says only that a step failed."""
ABSENT = re.compile(r".{0,200}: (?:command )?not found$")
"""What a shell prints before it ends with ABSENT_CODE."""
ABSENT_CODE = re.compile(r"(?:code|status|with) 127\b")
WEAK = re.compile(
    r"(?!\s*(?:at |\$ |> |##\[|(?i:try|see|run|to|for|note|hint|help|tip|read|please|check|warn(?:ing)?|notice)\b))"
    r"(?!.{0,60}\b(?i:warn(?:ing)?|notice)\b)"
    r"(?!.{0,200}\b(?i:0|no|without|zero) (?i:errors?|fail(?:ed|ures?)|vulnerabilities|problems?)\b)"
    r"(?:(?:[a-z_]\w{0,80}\.){1,8}[A-Z]\w{0,80}: +\S|(?:\w{1,80}\.){0,8}\w{0,80}(?:Error|Exception)$"  # of a traceback
    r"|.{0,300}(?<![\w-])(?:ERRORS?|ERR!|HTTP [45]\d\d"
    r"|(?i:[1-9]\d* errors?|errors? (?:occurred|found|while|when|during|in)"
    r"|fail(?:ed|ure|ures|s)?|cannot|can't|could(?:n't| not)|unable|aborted|aborting"
    r"|(?:is|are|was|were|does|do|did|has) not|not (?:found|ready|allowed|permitted|supported|available|set|installed)"
    r"|must|requires?d?|unexpected|forbidden|unauthori[sz]ed|unsupported|undefined|conflicts?|expired|killed|differs?"
    r"|missing|invalid|violat(?:es?|ed|ions?)|refused|denied|rejected|mismatch|exceed(?:s|ed)?|timed out|no such"
    r"|vulnerabilit(?:y|ies)|unbound|unknown|panicked|broken|below|outdated|terminated|timeout|exec format))(?![\w-]))"
)
"""A line that tells of a failure in words alone; it counts if it is one of the last lines of a step that failed."""
BY_PLUGIN = re.compile(r"Build step '[^']{1,200}' changed build result to ")
"""What Jenkins prints of a step behind the commands of a job, which needs no error of its own."""
COMMAND = re.compile(r"##\[error\]|::error[^:]{0,200}::")
PLACE = re.compile(r"(?:\./)?((?:[\w@+.-]+/)*[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,9})[:(](\d{1,7})\b")
"""A file and a line, with which many compilers begin their errors; each of these is a hint, not only the first."""
_WORDS = ("ERROR", "FATAL", "Fatal", "Error")
CROSSES = ("\u274c", "\u2717", "\u2718", "\u2716", "\u2a2f")
"""What scripts print before the reason why they fail."""
_STARTS = (*_WORDS, *CROSSES)
ERRORS = (
    r"(?!.*(?:(?i:\bwarn(?:ing)?(?:[:\]]| +\[))|\becho +\\?[\"']))"
    r"(?:.{0,200}?(?<![\w-])(?:(?:[A-Za-z_][\w.]{0,120})?(?:Error|Exception): +\S"
    r"|(?i:fatal|(?:fatal |internal )?error|panic)(?:\[[^\]]{1,60}\]| [A-Z]{0,8}\d{1,6})?: +\S"
    r"|\[(?i:error|fatal)\]:? +\S)"
    rf"|(?:{'|'.join(_WORDS)}) +\S|[\d:.,TZ\[\]/-]{{8,30}} +\[?(?:ERROR|FATAL)\]? +\S|\[!\] +\S"
    rf"| *(?:{'|'.join(CROSSES)})[^\w\s]? *\S"
    r"|.{0,100}?\bFAIL(?:ED|URE)?: +\S"
    r"|.{0,300}\((?:[A-Z]\w{0,60}::){0,6}[A-Z]\w{0,80}(?:Error|Exception)\)$"  # Ruby
    r"|.{0,200}: (?:command not found|not found|No such file or directory|[Pp]ermission denied)$"
    r"|\w[\w.-]{0,100}: (?:[A-Za-z]:)?[\\/].{1,300}\.psm?1:\d+$|Write-Error: +\S| +\+ CategoryInfo +: \S)"  # PowerShell
)
"""Lines like errors of any tool; not its warnings, nor what scripts show before they run."""
_FORM = re.compile(ERRORS)
REPORTS = re.compile(
    r"BUILD FAIL|\bexit(?:ed)?(?: with)?(?: non-zero)?(?: exit)? (?:code|status|\d)|[Cc]ommand failed"
    r"|CalledProcessError|\*\*\* \[|\bELIFECYCLE\b"
    r"|npm (?:ERR!|error) (?:code|errno|path|command|signal|Lifecycle|A complete log)"
)
"""What the caller of a program that failed says: not why."""


def may_be_error(text: str) -> bool:
    """Check whether a line has a sign that each line like an error has: its pattern takes 40 times as long to fail."""
    return ": " in text or "] " in text or " ERROR " in text or text.lstrip().startswith(_STARTS)


def is_error(text: str) -> bool:
    """Check whether a line is like an error."""
    return may_be_error(text) and bool(_FORM.match(text))


class ErrorHints:
    """A line like an error of each step, until that step failed: the first one right before, or of all of its lines.

    Of a compiler that is not known, each line with a place counts.

    A package manager or a build tool reports a failure also in a step that passes nevertheless (`npm test || true`), so
    that a runner's report of a later step counts more.

    Args:
        steps: The steps of the log, known as far as lines are read.
        recent: The last lines of the log, as far as it is read.
    """

    def __init__(self, steps: Steps, recent: RecentLines) -> None:
        self._steps = steps
        self._recent = recent
        self._first: dict[int, tuple[int, str]] = {}
        self._places: tuple[int, list[tuple[int, str]]] = (0, [])
        self._absent: dict[int, tuple[int, str]] = {}
        self._failed: dict[int, bool] = {}
        self._messages: dict[int, tuple[int, str]] = {}

    def wants(self, number: int, text: str) -> bool:
        """Check whether an error is the first one of its step, has a place, or may be why a command was not found."""
        step = self._steps.find(number)
        if step in self._failed:
            return False
        return step not in self._first or text.endswith("not found") or bool(PLACE.match(text))

    def add(self, number: int, text: str) -> None:
        """Read a line like an error."""
        step = self._steps.find(number)
        if step not in self._failed and len(self._first) < MOST_STEPS and not OF_RUNNERS.match(text):
            self._first.setdefault(step, (number, text))
            if PLACE.match(text):
                self._add_place(step, number, text)
            if text.endswith("not found") and ABSENT.match(text):
                self._absent[step] = number, text

    def _add_place(self, step: int, number: int, text: str) -> None:
        """Keep an error with a place, of the last step with one."""
        if self._places[0] != step:
            self._places = step, []
        if len(self._places[1]) < MOST_FAILURES:
            self._places[1].append((number, text))

    def drop(self, number: int) -> None:
        """Forget a line like an error that is the report itself, and so tells no reason."""
        step = self._steps.find(number)
        if self._first.get(step, (0, ""))[0] == number:
            del self._first[step]

    def read_report(self, number: int, text: str, *, is_message: bool, by_runner: bool) -> None:
        """Read a report of a failure.

        Args:
            number: The number of its line.
            text: The line.
            is_message: Whether it tells what is wrong; otherwise it tells that the step failed.
            by_runner: Whether a runner reports it, and not a tool that runs others.
        """
        step = self._steps.find(number)
        if COMMAND.match(text) and not OF_RUNNERS.match(text) and len(self._messages) < MOST_STEPS:
            self._messages.setdefault(step, (number, text))
        if is_message:
            self.add(number, text)
        elif step in self._failed:
            self._failed[step] |= by_runner
        elif len(self._failed) < MOST_STEPS:
            self._failed[step] = by_runner
            self._explain(step, number, text)

    def _explain(self, step: int, number: int, report: str) -> None:
        """Choose another line than the first one like an error, if the report shows which one or the step has none."""
        if BY_PLUGIN.match(report):
            self._first[step] = number, report
        elif step in self._absent and ABSENT_CODE.search(report):  # not the first error, but that of the command
            self._first[step] = self._absent[step]
        else:
            self._look_back(step, self._list_recent(number))

    def _list_recent(self, number: int) -> Sequence[tuple[int, str]]:
        """Return the last lines before a line that belong to its step, the last one first."""
        begin = self._steps.find_begin(self._steps.find(number))
        return [line for line in self._recent.list_before(number) if line[0] > begin]

    def _look_back(self, step: int, recent: Sequence[tuple[int, str]]) -> None:
        """Prefer the errors right before the report: a step may go on behind an early one."""
        if step in self._first and not PLACE.match(self._first[step][1]):
            errors = (line for line in recent if is_error(line[1]) and not REPORTS.search(line[1]))
            self._first.update((step, line) for line in errors if CATEGORY not in line[1])
        known = self._first.get(step) or self._messages.get(step)
        if not known or CATEGORY in known[1] or REPORTS.search(known[1]):
            found = [line for line in recent if WEAK.match(line[1])]
            found.sort(key=lambda line: bool(REPORTS.search(line[1])))
            self._first.update((step, line) for line in found[:1])

    def find_recent(self, number: int) -> str:
        """Return the last line before a line, in its step, that tells of a failure; empty for none."""
        return next((text for _, text in self._list_recent(number) if is_error(text) or WEAK.match(text)), "")

    def find(self) -> Sequence[Failure]:
        """Return the errors of the first step that failed, or what an action reports in the last one."""
        failed = next((step for step, by_runner in self._failed.items() if by_runner), next(iter(self._failed), None))
        last = max(self._messages, default=None)
        if failed in self._first:
            return self._list_errors(failed)
        return [_create_failure(*self._messages[last])] if last is not None and failed in {None, last} else ()

    def knows(self, step: int) -> bool:
        """Check whether a step has an error."""
        return step in self._first or step in self._messages

    def find_in(self, step: int) -> Sequence[Failure]:
        """Return the errors of a step that failed."""
        if step not in self._first and step in self._messages:
            return [_create_failure(*self._messages[step])]
        return self._list_errors(step)

    def _list_errors(self, step: int) -> Sequence[Failure]:
        """Return the first error of a step and, if it has a place, all others with one."""
        if step not in self._first:
            return ()
        first = self._first[step]
        further = self._places[1] if self._places[0] == step and PLACE.match(first[1]) else ()
        return [_create_failure(number, text) for number, text in dict.fromkeys([first, *further])]


def _create_failure(number: int, text: str) -> Failure:
    """Return the failure of a step of which a line is known."""
    text = COMMAND.sub("", text.strip(), count=1)
    place = PLACE.match(text)
    return Failure(
        tool="runner",
        kind="step",
        name=text if len(text) <= NAMED else f"{text[:NAMED]}…",
        message=text[:MOST_TEXT],
        file=place[1] if place else "",
        line=int(place[2]) if place else None,
        log_line=number,
        confidence="low",
    )
