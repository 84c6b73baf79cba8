"""The last resort: a line like an error before the line by which a runner reports that a step failed.

Of a step that an action fails, GitHub's runner prints nothing but the error that the action itself reports.
"""

import re

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
    """The first line like an error of each step, until a step failed.

    Args:
        steps: The steps of the log, known as far as lines are read.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._first: dict[int, tuple[int, str]] = {}
        self._absent: dict[int, tuple[int, str]] = {}
        self._failed: int | None = None
        self._message: tuple[int, int, str] | None = None

    def wants(self, number: int, text: str) -> bool:
        """Check whether an error would be the first one of its step, or may be why a command was not found."""
        return self._failed is None and (text.endswith("not found") or self._steps.find(number) not in self._first)

    def add(self, number: int, text: str) -> None:
        """Read a line like an error."""
        if self._failed is None and len(self._first) < MOST_STEPS and not OF_RUNNERS.match(text):
            step = self._steps.find(number)
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
        self._read_message(number, text)
        if is_message:
            self.add(number, text)
        elif self._failed is None:
            self._failed = self._steps.find(number)
            if BY_PLUGIN.match(text):
                self._first[self._failed] = number, text
            if self._failed in self._absent and ABSENT_CODE.search(
                text
            ):  # not the first error, but that of the command
                self._first[self._failed] = self._absent[self._failed]

    def _read_message(self, number: int, text: str) -> None:
        """Keep the first error that a command reports in the last step with one, since a job ends with that step."""
        step = self._steps.find(number)
        if COMMAND.match(text) and not OF_RUNNERS.match(text) and (self._message is None or step > self._message[0]):
            self._message = step, number, text

    def find(self) -> Failure | None:
        """Return the first error of the step that failed, or what an action reports; None for none."""
        found = None if self._failed is None else self._first.get(self._failed)
        if not found and self._message and self._failed in {None, self._message[0]}:
            found = self._message[1:]
        if not found:
            return None
        number, text = found
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
