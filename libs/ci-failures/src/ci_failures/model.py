"""The types that parsers and their users share: a line, a failure, and the base class of all parsers of logs."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import ClassVar, Literal, NamedTuple, TypeAlias, cast

from attrs import frozen

Kind: TypeAlias = Literal[
    "test", "compile", "lint", "dependency", "timeout", "cancelled", "out_of_memory", "runner_lost", "step"
]
"""What failed: a test, a build step, the environment that it ran in, or a step of which only an error is known."""
Confidence: TypeAlias = Literal["high", "medium", "low"]
"""How sure a failure is; `Failure.confidence` says what each word means."""

MOST_FAILURES = 10_000
"""Failures that a parser keeps at most; nobody reads a million of them, and memory has to be bounded."""
MOST_TEXT = 2_000
"""Characters of a message that are kept."""


class Line(NamedTuple):
    """A line of a log, without time stamps, colours, prefixes of other programs and control characters.

    Args:
        number: The line's number in the log, from 1 on. Parts separated by a bare carriage return share one number.
        text: At most 4,096 characters.
    """

    number: int
    text: str


@frozen(kw_only=True)
class Failure:
    """Something that failed, as one log or one result file reports it.

    Args:
        tool: The tool that reports it: pytest, jest, go, tsc.
        kind: What failed.
        name: Its canonical name in its tool: `tests/a.py::T::test_x[1]`, `pkg.TestA/sub`. For what is not a test, the
            rule and the place: `TS2322 src/t.ts:1:7`.
        message: The assertion or the error itself, not the banner. Line breaks are kept, at most MOST_TEXT characters.
        file: The source file, relative to the repository as far as the log shows; empty where it does not.
        line: The line in that file.
        selector: The argument that makes the tool run exactly this again: a node id or a pattern. Empty where the tool
            has none.
        place: Where to run it: a directory, a package, a module or a target; empty for the repository's root.
        log_line: The number of the first line of the log that reports it; 0 in a result file.
        attempts: How often it was run.
        flaky: Whether the last attempt passed.
        confidence: high where the tool's own summary or counts confirm it; medium from a single block; low for a hint.
        suggested_fix: The remedy that the tool itself printed.
        title: A second name, under which other sources may know it: an example of RSpec has its file and description
            here, and its id as its name.
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


class Parser:
    """Base class of the parsers of logs: a small state machine for one tool, fed with cleaned lines.

    Each log gets a new instance, and so does each run of a tool that prints into the same log. A parser sleeps until a
    line contains one of its `wakes`. It reads that line, and the following ones as long as `read` returns True. It
    never reads the script that a runner echoes before running it. Lines may be missing, start in the middle, or belong
    to another tool: a parser ignores what it does not recognize, and raises nothing. One that raises is left out of
    that log.
    """

    tool: ClassVar[str]
    """The tool's name, as in `Failure.tool`."""

    wakes: ClassVar[tuple[str, ...]]
    """Case-sensitive literals of at least three characters: the rarer, the faster.

    A literal that begins or ends with `\\n` matches only at the beginning or at the end of a line.
    """

    first_line: ClassVar[str] = ""
    """A pattern of the first line that the parser has to read, from its beginning; empty if that is any waking line.

    Tools print the literals of others. Until a waking line matches, the parser is not even imported. The pattern may
    match more lines than are needed; a new parser has to ignore all others.
    """

    before: ClassVar[int] = 0
    """How many lines before a waking one are passed to `look_back`, at most 50."""

    reads_with: "ClassVar[type[Parser] | None]" = None
    """A parser that reads the same lines in the same way: then it reads for both, and each returns its own failures."""

    @classmethod
    def sharing(cls, reader: "Parser") -> "Parser":
        """Create a parser that has read what `reader` has read, which is a `reads_with`; called before `finish`."""
        parser = cls()
        vars(parser).update(vars(reader))
        return parser

    def read(self, line: Line) -> bool:
        """Read a line, and return whether the parser wants the next one, too."""
        raise NotImplementedError

    def wants_before(self, text: str) -> bool:  # noqa: ARG002 -- for parsers that want them for some lines only
        """Return whether `look_back` is called for a waking line; asked only where `before` is not 0."""
        return True

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read the lines before a waking one that were not read yet; by default `read` reads each of them.

        A parser that needs them for some waking lines only keeps them here until its `read` knows.
        """
        for line in lines:
            self.read(line)

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each failure once, in the order of the log; called after the last line."""
        raise NotImplementedError

    def total(self) -> int | None:
        """Return how many failures the tool itself counts in this log; None where it prints no total.

        Any count, also 0, shows that the tool's own total was seen. Without one, a log without failures proves nothing.
        """
        return None

    def gap(self) -> str:
        """Return why failures may be missing although no total shows it, as a sentence; called after `finish`."""
        return ""

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the names of failures that only report that something else failed, with the lines that tell what.

        Such a failure is dropped if another parser reports a failure in its lines, which are given by their first and
        last numbers; called after `finish`. A first number of 0 is the beginning of the step that the failure is in,
        where the log shows the steps of its runner, and otherwise of the log.
        """
        return {}

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:  # noqa: ARG003 -- overrides use it
        """Return a POSIX shell command that runs exactly these again; empty if the tool has no such command.

        Args:
            failures: Failures of this tool, all with the same `place`, in which the command is to be run.
        """
        return ""


class LazyParser:
    """A parser whose module is imported when a log wakes it.

    Args:
        path: The module and the class: `package.module:Class`.
        tool: Its `tool`.
        wakes: Its `wakes`.
        reads_with: Its `reads_with`.
        first_line: Its `first_line`.
    """

    def __init__(
        self,
        path: str,
        tool: str = "",
        wakes: Sequence[str] = (),
        reads_with: "LazyParser | None" = None,
        first_line: str = "",
    ) -> None:
        self._path = path
        self.tool = tool
        self.wakes = wakes
        self.reads_with = reads_with
        self.first_line = first_line

    def load(self) -> type[Parser]:
        """Import the module, and return the class."""
        module, _, name = self._path.partition(":")
        return cast("type[Parser]", getattr(import_module(module), name))


def load_class(parser: type[Parser] | LazyParser) -> type[Parser]:
    """Return the class of a parser that may not be imported yet."""
    return parser.load() if isinstance(parser, LazyParser) else parser


def describe_cut(tool: str) -> str:
    """Return the gap of a parser that reached its bound, as a sentence."""
    return f"only the first {MOST_FAILURES:,} failures of {tool} were read"
