"""What authors of log parsers import: a parser is a small state machine that cleaned lines of a log are fed to.

A plugin brings its parsers by the hook `stithy_log_parsers`, which stithy-ci opens.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from attrs import frozen

from stithy_core.spi import hookspec

Kind: TypeAlias = Literal[
    "test", "compile", "lint", "dependency", "timeout", "cancelled", "out_of_memory", "runner_lost"
]
Confidence: TypeAlias = Literal["high", "medium", "low"]

MOST_FAILURES = 10_000
"""What a parser keeps at most: a log of a million failures is nobody's to read."""
MOST_TEXT = 2_000
"""Characters of a message that are kept."""


class Line(NamedTuple):
    """A line of a log, without time stamps, colours, words that tell whose line it is, and what else is not text.

    Args:
        number: As in the log, from 1 on. What a bare carriage return parts has one number.
        text: At most 4,096 characters.
    """

    number: int
    text: str


@frozen(kw_only=True)
class Failure:
    """Something that failed, as one log or one result file tells it.

    Args:
        tool: Whose it is: pytest, jest, go, tsc.
        kind: What it is.
        name: Its canonical name in its tool: `tests/a.py::T::test_x[1]`,
            `pkg.TestA/sub`. For what is no test its rule and place: `TS2322 src/t.ts:1:7`.
        message: The assertion or the error itself, not the banner; lines are kept, MOST_TEXT characters of it.
        file: The source file, relative to the repository as far as the log tells; empty where it does not.
        line: The line in it.
        selector: What the tool needs to run exactly this again: a node id, a pattern. Empty where nothing selects it.
        place: Where to run it: a directory, a package, a module or a target; empty for the root.
        log_line: The number of the line that tells it first.
        attempts: How often it was tried.
        flaky: Whether it passed at last.
        confidence: high where the tool's own summary or counts confirm it; medium from a block alone; low for a hint.
        suggested_fix: What the tool itself printed as a remedy.
        title: What else it is called, where other sources may know it by that alone: an example of RSpec has its file
            and its description here, and its id as its name.
    """

    tool: str
    kind: Kind = "test"
    name: str
    message: str = ""
    file: str = ""
    line: int | None = None
    selector: str = ""
    place: str = ""
    log_line: int = 0
    attempts: int = 1
    flaky: bool = False
    confidence: Confidence = "high"
    suggested_fix: str = ""
    title: str = ""


class LogParser:
    """Finds the failures of one tool in one log; a new one is made for each log, and for each run that prints into it.

    A parser sleeps. A line that holds one of `wakes` is given to it, and the lines after that as long as `read` says
    that it wants them. It is never given the script that a runner echoes before it runs it. Lines may be cut out, begin
    in the middle, or belong to another tool: a parser takes only what it knows, and raises nothing.
    """

    tool: ClassVar[str]
    """The tool's name, as `Failure.tool` has it."""

    wakes: ClassVar[tuple[str, ...]]
    """Literals, case as it is, each of at least three characters: the rarer, the faster.

    One that begins or ends with `\\n` stands only at the beginning or at the end of a line.
    """

    before: ClassVar[int] = 0
    """How many lines before one that wakes it are given to it as well, 50 at most."""

    def read(self, line: Line) -> bool:
        """Take a line, and say whether the next one is wanted, too."""
        raise NotImplementedError

    def finish(self) -> Iterable[Failure]:
        """Give what failed, each once, in the order of the log; called after the last line."""
        raise NotImplementedError

    def counted(self) -> int | None:
        """Return how many failures the tool itself counts in this log; None where it does not say.

        A count, 0 among them, shows that the tool's own total was seen: without any a log in which nothing failed is
        one of which nothing is known.
        """
        return None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- those who override it use them
        """Give a command for a POSIX shell that runs exactly these again, in `place` of theirs; empty for none.

        Args:
            failures: Some of this tool, of one `place`.
        """
        return ""


@hookspec
def stithy_log_parsers() -> "Iterable[type[LogParser]]":
    """Bring parsers of logs.

    Called once, when the first log is read; those of each plugin are added in order of the plugins' names. A hook that
    raises costs its own plugin's parsers.
    """
    raise NotImplementedError
