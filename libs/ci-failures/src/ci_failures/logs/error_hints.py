"""The last resort: a line like an error before the line by which a runner reports that a step failed.

Of a step that an action fails, GitHub's runner prints nothing but the error that the action itself reports.
"""

import re
from itertools import islice

from ci_failures.logs.recent_lines import RecentLines
from ci_failures.logs.steps import MOST_STEPS, Steps
from ci_failures.model import MOST_TEXT, Failure

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
    r"(?!.{0,200}\b(?i:0|no|without|zero) (?i:errors?|fail(?:ed|ures?)|vulnerabilities|problems?)\b)"
    r".{0,300}(?<![\w-])(?:ERRORS?|(?i:[1-9]\d* errors?|errors? (?:occurred|found|while|when|during|in)"
    r"|fail(?:ed|ure|ures|s)?|cannot|can't|could(?:n't| not)|unable|aborted|aborting"
    r"|(?:is|are|was|were|does|do|did|has) not|not (?:found|ready|allowed|permitted|supported|available|set|installed)"
    r"|missing|invalid|refused|denied|rejected|mismatch|exceed(?:s|ed)?|timed out|vulnerabilit(?:y|ies)))(?![\w-])"
)
"""A line that tells of a failure in words alone; it counts if it is one of the last lines of a step that failed."""
BY_PLUGIN = re.compile(r"Build step '[^']{1,200}' changed build result to ")
"""What Jenkins prints of a step behind the commands of a job, which needs no error of its own."""
COMMAND = re.compile(r"##\[error\]|::error[^:]{0,200}::")
PLACE = re.compile(r"(?:\./)?((?:[\w@+.-]+/)*[\w@+-][\w@+.-]*\.[A-Za-z]\w{0,9})[:(](\d{1,7})\b")
"""A file and a line, with which many compilers begin their errors."""
_WORDS = ("ERROR", "FATAL", "Fatal", "Error")
CROSS = "\u274c"
"""What scripts print before the reason why they fail."""
_STARTS = (*_WORDS, CROSS)
ERRORS = (
    r"(?!.*(?i:\bwarn(?:ing)?[:\]]))(?:.{0,200}?(?<![\w-])(?:(?:[A-Za-z_][\w.]{0,120})?(?:Error|Exception): +\S"
    r"|(?i:fatal|(?:fatal |internal )?error|panic)(?:\[[^\]]{1,60}\]| [A-Z]{0,8}\d{1,6})?: +\S"
    r"|\[(?i:error|fatal)\]:? +\S)"
    rf"|(?:{'|'.join(_WORDS)}) +\S|{CROSS}[^\w\s]? *\S"
    r"|.{0,100}?\bFAIL(?:ED|URE)?: +\S"
    r"|.{0,200}: (?:command not found|not found|No such file or directory|[Pp]ermission denied)$"
    r"|\w[\w.-]{0,100}: (?:[A-Za-z]:)?[\\/].{1,300}\.psm?1:\d+$|Write-Error: +\S| +\+ CategoryInfo +: \S)"  # PowerShell
)
"""Lines like errors of any tool; not its warnings."""


def may_be_error(text: str) -> bool:
    """Check whether a line has a sign that each line like an error has: its pattern takes 40 times as long to fail."""
    return ": " in text or "] " in text or text.startswith(_STARTS)


class ErrorHints:
    """The first line like an error of each step, until that step failed.

    Args:
        steps: The steps of the log, known as far as lines are read.
        recent: The last lines of the log, as far as it is read.
    """

    def __init__(self, steps: Steps, recent: RecentLines) -> None:
        self._steps = steps
        self._recent = recent
        self._first: dict[int, tuple[int, str]] = {}
        self._absent: dict[int, tuple[int, str]] = {}
        self._failed: dict[int, None] = {}
        self._messages: dict[int, tuple[int, str]] = {}

    def wants(self, number: int, text: str) -> bool:
        """Check whether an error would be the first one of its step, or may be why a command was not found."""
        step = self._steps.find(number)
        return step not in self._failed and (text.endswith("not found") or step not in self._first)

    def add(self, number: int, text: str) -> None:
        """Read a line like an error."""
        step = self._steps.find(number)
        if step not in self._failed and len(self._first) < MOST_STEPS and not OF_RUNNERS.match(text):
            self._first.setdefault(step, (number, text))
            if text.endswith("not found") and ABSENT.match(text):
                self._absent[step] = number, text

    def drop(self, number: int) -> None:
        """Forget a line like an error that is the report itself, and so tells no reason."""
        step = self._steps.find(number)
        if self._first.get(step, (0, ""))[0] == number:
            del self._first[step]

    def read_report(self, number: int, text: str, *, is_message: bool) -> None:
        """Read a runner's report.

        Args:
            number: The number of its line.
            text: The line.
            is_message: Whether it tells what is wrong; otherwise it tells that the step failed.
        """
        step = self._steps.find(number)
        if COMMAND.match(text) and not OF_RUNNERS.match(text) and len(self._messages) < MOST_STEPS:
            self._messages.setdefault(step, (number, text))
        if is_message:
            self.add(number, text)
        elif step not in self._failed and len(self._failed) < MOST_STEPS:
            self._failed[step] = None
            self._explain(step, number, text)

    def _explain(self, step: int, number: int, report: str) -> None:
        """Choose another line than the first one like an error, if the report shows which one or the step has none."""
        if BY_PLUGIN.match(report):
            self._first[step] = number, report
        if step in self._absent and ABSENT_CODE.search(report):  # not the first error, but that of the command
            self._first[step] = self._absent[step]
        if step not in self._first and step not in self._messages and OF_RUNNERS.match(report):
            begin = self._steps.find_begin(step)
            found = (line for line in self._recent.list_before(number) if line[0] > begin and WEAK.match(line[1]))
            self._first.update((step, line) for line in islice(found, 1))

    def find(self) -> Failure | None:
        """Return the error of the first step that failed, or what an action reports in the last one; None for none."""
        failed = next(iter(self._failed), None)
        last = max(self._messages, default=None)
        found = self._first.get(failed) if failed is not None else None
        if not found and last is not None and failed in {None, last}:
            found = self._messages[last]
        return _create_failure(*found) if found else None

    def find_in(self, step: int) -> Failure | None:
        """Return the error of a step that failed; None for none."""
        found = self._first.get(step) or self._messages.get(step)
        return _create_failure(*found) if found else None


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
