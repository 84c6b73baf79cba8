"""RSpec 2 and 3: all formatters for people end with the same two lists.

    Failures:

      1) Auth rejects
         Failure/Error: expect(1).to eq(2)
         …
         # ./spec/auth_spec.rb:5:in `block (2 levels) in <top (required)>'

    Finished in 0.08 seconds (files took 0.25 seconds to load)
    28 examples, 18 failures, 4 pending, 1 error occurred outside of examples

    Failed examples:

    rspec ./spec/auth_spec.rb:4 # Auth rejects

The second list has the names, the first the messages. Output of the examples precedes both.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.scripting.ruby import frame
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

HEADING = re.compile(r"^ {2}(\d+)\) (.+)$")
LISTED = re.compile(r"^rspec (?:'([^']+)'|(\S+)) #(?: (.*))?$")
COUNTS = re.compile(
    r"^(\d+) examples?, (\d+) failures?(?:, \d+ pendings?)?(?:, (\d+) errors? occurred outside of examples)?$"
)
ERROR = re.compile(
    r"^An error occurred (?:while loading (?P<file>\S+?)\.?(?: - Did you mean\?)?$"
    r"|in an? `(?P<hook>[^`']{1,80})[`'] hook\.?$)"
)
TOLD = re.compile(r"^ {5,9}(?:(?:\d+\.1\) )?Failure/Error:|Expected pending '.* to fail\.)")
"""The beginning of an example's failure, also where a formatter prints it at once and not in a list."""
PART = re.compile(r"\d+\.\d+\) ")
LINED = re.compile(r"^(.+):(\d+)$")
MOST_LINES = 80
"""Lines of a message that are kept."""
MOST_TITLE = 5
"""Lines of a title, which an example of several lines has."""
LONGEST_BLOCK = 5_000
"""Lines without a heading after which a list is given up."""


@define
class RSpecBlock:
    """The failure of one example, or an error outside of examples."""

    title: str
    number: int
    kind: str = "example"
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = False

    def take(self, text: str) -> None:
        """Read a line of the message or of the backtrace."""
        bare = text.strip()
        if PART.match(bare):
            self.framed = False
        if bare.startswith("# "):
            self.framed = self.framed or bool(bare[2:].strip())
            self.place = self.place or frame(bare)
        elif not self.framed and len(self.lines) < MOST_LINES:
            self.lines.append(text)

    @property
    def message(self) -> str:
        """The message."""
        return join_message(self.lines).removeprefix("Failure/Error: ").removeprefix("Failure/Error:").strip()


class Rspec(Parser):
    """Parser of the lists, and of errors outside of examples."""

    tool: ClassVar[str] = "rspec"
    wakes: ClassVar[tuple[str, ...]] = (
        "\nFailures:", "\nPending:", "\nFailed examples:", "seconds to load)", "An error occurred while loading ",
        "An error occurred in a", "\nrspec ./", "\nrspec '",
        "     Failure/Error:", ".1) Failure/Error:", "     Expected pending '",
    )  # fmt: skip
    before: ClassVar[int] = 5

    def __init__(self) -> None:
        self._section = ""
        self._blocks: dict[str, deque[RSpecBlock]] = defaultdict(deque)
        self._listed: dict[str, Failure] = {}
        self._titles: dict[str, str] = {}
        self._errors: dict[str, Failure] = {}
        self._block: RSpecBlock | None = None
        self._heading: tuple[int, RSpecBlock] | None = None
        self._idle = 0
        self._next = 1
        self._summed = self._summed_list = False
        self._sure: set[str] = set()
        self._expected: int | None = None
        self._told = 0
        self._orphaned = False

    def read(self, line: Line) -> bool:
        """Read a line of a list, of an error, or the totals."""
        text = line.text.rstrip()
        if self._begins(text, line.number):
            return True
        if self._section == "counts":
            self._count(text)
        elif self._section == "listed":
            self._list(text, line.number)
        elif self._section == "failures":
            self._in_failures(text, line.number)
        elif self._section == "error":
            self._in_error(text)
        elif self._section == "pending":  # its blocks look like those of failures
            self._section = "" if text and not text.startswith(" ") else "pending"
        elif not self._listed and LISTED.match(text):
            self._enter("listed")
            self._orphaned = True
            self._list(text, line.number)
        else:
            self._at_once(text, line.number)
        return bool(self._section)

    def _begins(self, text: str, number: int) -> bool:
        if text == "Failures:":
            self._enter("failures")
            self._next = 1
        elif text.startswith("Pending:"):
            self._enter("pending")
        elif text == "Failed examples:":
            self._enter("listed")
            self._summed, self._summed_list = False, self._summed
        elif text.startswith("Finished in ") and text.endswith("seconds to load)"):
            self._enter("counts")
        elif text.startswith("An error occurred ") and (found := ERROR.match(text)):
            self._enter("error")
            self._block = RSpecBlock(found["file"] or found["hook"], number, "compile" if found["file"] else "hook")
        else:
            return False
        return True

    def _enter(self, section: str) -> None:
        self._end()
        if self._orphaned and section in {"failures", "pending", "listed"}:
            self._listed.clear()  # what looked like the end of a log that was cut off was output of an example
        self._orphaned = False
        self._section, self._idle = section, 0

    def _count(self, text: str) -> None:
        self._section = "counts" if not text else ""
        if found := COUNTS.match(text):
            self._summed = True
            self._expected = (self._expected or 0) + int(found[2]) + int(found[3] or 0)

    def _list(self, text: str, number: int) -> None:
        found = LISTED.match(text)
        if found is None:  # perhaps the next line of a title
            self._idle += bool(text)
            self._section = "listed" if self._idle < MOST_TITLE and not HEADING.match(text) else ""
            if not self._section:
                self._at_once(text, number)
            return
        self._idle = 0
        self._told += self._summed_list
        name = found[1] or found[2]
        if name in self._listed and self._titles[name] != (found[3] or ""):
            name = f"{name} # {found[3]}"  # one place for several examples, as parallel runners print it
        self._sure |= {name} if self._summed_list else set()
        if name in self._listed or len(self._listed) >= MOST_FAILURES:
            return
        lined = LINED.match(found[1] or found[2])
        file = relative(lined[1]) if lined else relative(name.partition("[")[0])
        self._titles[name] = found[3] or ""
        self._listed[name] = Failure(
            tool=self.tool, name=name, selector=found[1] or found[2], file=file, log_line=number,
            line=int(lined[2]) if lined else None, title=f"{file} {found[3] or ''}",
        )  # fmt: skip

    def _at_once(self, text: str, number: int) -> None:
        """Read a failure that is printed while other examples still run."""
        if text[:2] == "  " and (found := HEADING.match(text)):
            self._heading = int(found[1]), RSpecBlock(found[2].removesuffix(" FIXED"), number)
        elif self._heading and TOLD.match(text):
            ordinal, block = self._heading
            self._enter("failures")
            self._next, self._block, self._heading = ordinal + 1, block, None
            block.take(text)

    def _in_failures(self, text: str, number: int) -> None:
        self._idle += 1
        found = HEADING.match(text)
        if found and int(found[1]) == self._next:
            self._end()
            self._next, self._idle = self._next + 1, 0
            self._block = RSpecBlock(found[2].removesuffix(" FIXED"), number)
        elif text and not text.startswith(" ") and self._block and not self._block.lines and self._idle < MOST_TITLE:
            return  # the next line of a title
        elif (text and not text.startswith(" ")) or self._idle > LONGEST_BLOCK:
            self._enter("")
        elif self._block:
            self._block.take(text)

    def _in_error(self, text: str) -> None:
        self._idle += 1
        if self._block:
            if (not text and self._block.framed) or self._idle > MOST_LINES:
                self._enter("")
            else:
                self._block.take(text)

    def _end(self) -> None:
        """Record the open block."""
        block, self._block = self._block, None
        if block is None:
            return
        if block.kind == "example":
            if len(self._blocks) < MOST_FAILURES:
                self._blocks[block.title].append(block)
        elif len(self._errors) < MOST_FAILURES:
            self._told += 1
            one = _outside(block)
            self._errors.setdefault(one.name, one)

    def finish(self) -> Iterable[Failure]:
        """Return what failed, with the messages of the first list."""
        self._end()
        believed = self._certain_names()
        failures = [self._join_block(name, one) for name, one in self._listed.items() if name in believed]
        if not failures and self._expected != self._told:  # the log ends before the second list
            told = (block for blocks in self._blocks.values() for block in blocks)
            failures = [_alone(block) for block in told if block.place and block.place[0].endswith(".rb")]
        failures = sorted([*failures, *self._errors.values()], key=lambda one: one.log_line)
        if self._expected == self._told:
            return failures
        return [evolve(one, confidence="medium") for one in failures]

    def _certain_names(self) -> set[str]:
        """Return what is listed below totals; without totals the log is cut. Examples may print lists of other runs."""
        return self._sure or set(self._listed)

    def _join_block(self, name: str, failure: Failure) -> Failure:
        blocks = self._blocks.get(self._titles[name])
        if not blocks:
            return failure
        block = blocks.popleft()
        file, line = (failure.file, failure.line) if failure.line else block.place or (failure.file, None)
        return evolve(failure, message=block.message, file=file, line=line, log_line=block.number)

    def total(self) -> int | None:
        """Return how many failed according to RSpec; what was run twice counts once."""
        if self._expected is None:
            return None
        return len(self._certain_names()) + len(self._errors) + self._expected - self._told

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these examples."""
        selectors = each_once(one.selector for one in failures)
        return command("rspec", *selectors) if selectors else ""


def _outside(block: RSpecBlock) -> Failure:
    """Create a failure of an error outside of examples."""
    file, line = block.place or ("", None)
    if block.kind == "compile":
        own = relative(block.title)
        if block.place is None:
            file = own
            found = re.search(re.escape(own) + r":(\d{1,7})", block.message)
            line = int(found[1]) if found else None
        return Failure(
            tool="rspec", kind="compile", name=block.title, message=block.message, file=file, line=line,
            selector=block.title, log_line=block.number,
        )  # fmt: skip
    where = f" ./{file}:{line}" if file else ""
    return Failure(
        tool="rspec", name=f"{block.title} hook{where}", message=block.message, file=file, line=line,
        selector=f"./{file}" if file.endswith("_spec.rb") else "", log_line=block.number,
    )  # fmt: skip


def _alone(block: RSpecBlock) -> Failure:
    """Create a failure of a block whose example is not listed."""
    file, line = block.place or ("", None)
    return Failure(
        tool="rspec", name=block.title, message=block.message, file=file, line=line, log_line=block.number,
        confidence="medium",
    )  # fmt: skip
