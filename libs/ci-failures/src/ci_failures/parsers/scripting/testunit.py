"""test-unit 3, for Ruby: a block for each failure between rules during the run, or a numbered list after it.

===============================================================================
Failure: test_adds(Shop::TestCart)
test/test_cart.rb:5:in `test_adds'
     4:   def setup; @x = 1; end
  => 5:   def test_adds; assert_equal(3, 2, "wrong"); end
wrong
<3> expected but was
<2>
===============================================================================

25 tests, 12 assertions, 9 failures, 3 errors, 1 pendings, 1 omissions, 1 notifications
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.scripting.ruby import frame
from ci_failures.parsers.text_helpers import command, each_once, join_message

RULE = re.compile(r"^={40,}$")
HEADING = re.compile(
    r"^(?: *(\d{1,6})\) )?(?:Failure|Error): (\S.{0,500}?\([A-Z][\w:]*(?: [^()]{0,200})?\))(?::(?: (.*))?)?$"
)
LINE_ABOVE = re.compile(r"^-{20,}$")
OTHER = re.compile(r"^ *\d{1,6}\) \w+: ")
COUNTS = re.compile(r"^\d+ tests, \d+ assertions, (\d+) failures, (\d+) errors, \d+ pendings, \d+ omissions, ")
SNIPPET = re.compile(r"^ {2}(?:=>|  ) *\d{1,7}:(?: |$)")
FRAME = re.compile(r"^\S.{0,400}:\d{1,7}:in [`']")
OWN = re.compile(r"(.*)\(([^()]*)\)")
LITERAL = re.compile(r"([\\^$.*+?()\[\]{}|/])")
MOST_LINES = 60
LONGEST_BLOCK = 300


@define
class TestUnitBlock:
    """The message and the place of one failed test.

    Args:
        framed: Whether its backtrace may come later: it follows directly if the heading has no message.
    """

    name: str
    number: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = True
    read: int = 0

    def take(self, text: str) -> bool:
        """Read a line of the block, and return whether there may be more."""
        self.read += 1
        if not self.framed:
            self.framed = bool(FRAME.match(text))
            if not self.framed:
                return False
        if FRAME.match(text):
            self.place = self.place or frame(text)
        elif not SNIPPET.match(text) and not text.startswith("::error ") and len(self.lines) < MOST_LINES:
            self.lines.append(text)
        return self.read < LONGEST_BLOCK

    def failure(self) -> Failure:
        """Create a failure of the block."""
        file, line = self.place or ("", None)
        return Failure(
            tool="test-unit",
            name=self.name,
            message=join_message(self.lines),
            file=file,
            line=line,
            log_line=self.number,
            selector=self.name,
        )


class TestUnit(Parser):
    """Parser of the blocks and the totals."""

    __test__ = False
    tool: ClassVar[str] = "test-unit"
    wakes: ClassVar[tuple[str, ...]] = ("\nFailure: ", "\nError: ", ") Failure: ", ") Error: ", " pendings, ")
    before: ClassVar[int] = 1

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: TestUnitBlock | None = None
        self._past = ""
        self._next, self._again = 1, 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a block, or its beginning or end."""
        text = line.text.rstrip()
        heading = HEADING.match(text) if "Failure: " in text or "Error: " in text else None
        if heading and (int(heading[1]) >= self._next if heading[1] else RULE.match(self._past)):
            self._end()
            self._next = int(heading[1] or 0) + 1
            self._block = TestUnitBlock(heading[2], line.number, [heading[3]] if heading[3] else [])
            self._block.framed = text.endswith(":") or bool(heading[3])
        elif LINE_ABOVE.match(self._past) and (found := COUNTS.match(text)):
            self._end()
            self._counted, self._next = (self._counted or 0) + int(found[1]) + int(found[2]), 1
        elif self._block and (RULE.match(text) or OTHER.match(text) or not self._block.take(text)):
            self._end()
        self._past = text
        return self._block is not None

    def _end(self) -> None:
        block, self._block = self._block, None
        if block and (block.lines or block.place) and len(self._found) < MOST_FAILURES:
            self._again += block.name in self._found
            self._found.setdefault(block.name, block.failure())

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if the totals differ."""
        self._end()
        sure = len(self._found) == self.total()
        return [one if sure else evolve(one, confidence="medium") for one in self._found.values()]

    def total(self) -> int | None:
        """Return how many failed, according to the totals of all runs; a failed test may also raise in its teardown."""
        return self._counted - self._again if self._counted is not None else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for each file, with patterns of names and of classes: no pattern selects a whole name."""
        commands = []
        for file in each_once(one.file for one in failures if one.file.startswith("test")):
            own = [OWN.fullmatch(one.selector) for one in failures if one.file == file]
            parts = [(found[1], found[2]) for found in own if found]
            words = ("-n", _pattern(name for name, _ in parts), "-t", _pattern(of for _, of in parts))
            commands.append(command("ruby", "-Ilib:test", file, *words))
        return " && ".join(commands)


def _pattern(names: Iterable[str]) -> str:
    return "/^(?:" + "|".join(LITERAL.sub(r"\\\1", name) for name in each_once(names)) + ")$/"
