"""PHP's fatal errors, of the interpreter, of `php -l`, and of PHPUnit when it loads a file.

PHP Parse error:  syntax error, unexpected token ";", expecting ")" in /home/runner/work/app/app/tests/ATest.php on line 9
PHP Fatal error:  Uncaught ParseError: syntax error, unexpected token ";" in /home/runner/work/app/app/tests/ATest.php:9
...E.PHP Fatal error:  Type of Till::$size must not be defined (as in class Box) in /home/runner/work/app/app/Till.php on line 19
"""  # noqa: E501 -- as PHP prints them

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative

PARSED = re.compile(r"^(?:PHP )?Parse error: +(syntax error, .{1,600}?) in (\S{1,400}) on line (\d{1,7})$")
UNCAUGHT = re.compile(r"^.{0,40}\bParseError: (syntax error, .{1,600}?) in (\S{1,400}\.\w+):(\d{1,7})$")

FATAL = re.compile(
    r"^.{0,80}?(?:PHP )?Fatal error: +(?!Uncaught |Allowed memory )(\S.{0,600}?) in (\S{1,400}) on line (\d{1,7})$"
)
"""An error in a class that is loaded while tests run; the line begins with the progress of PHPUnit."""


class PhpSyntax(Parser):
    """Parser of errors, each once: PHP prints them to the log and to the output."""

    tool: ClassVar[str] = "php"
    wakes: ClassVar[tuple[str, ...]] = ("Parse error: ", "ParseError: syntax error", "Fatal error: ")

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line with an error."""
        text = line.text.rstrip()
        found = PARSED.match(text) or UNCAUGHT.match(text)
        fatal = None if found else FATAL.match(text)
        if (found := found or fatal) and len(self._found) < MOST_FAILURES:
            file = relative(found[2])
            name = f"{'FatalError' if fatal else 'ParseError'} {file}:{found[3]}"
            one = Failure(
                tool=self.tool, kind="compile", name=name, message=found[1], file=file, line=int(found[3]),
                selector=file, log_line=line.number,
            )  # fmt: skip
            self._found.setdefault(name, one)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that parses these files again."""
        return " && ".join(command("php", "-l", file) for file in each_once(one.selector for one in failures))
