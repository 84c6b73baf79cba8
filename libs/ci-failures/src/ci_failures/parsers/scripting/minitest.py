r"""Minitest 5 and 4: the numbered list after a run, Rails' blocks within it, and those of minitest-reporters.

      1) Failure:                                              Failure:
    AccountTest#test_adds [test/account_test.rb:12]:         AccountTest#test_adds [test/account_test.rb:12]:
    Expected: 3                                              Expected: 3
      Actual: 2                                                Actual: 2

    14 runs, 12 assertions, 8 failures, 3 errors, 1 skips    bin/rails test test/account_test.rb:11

Output of tests may be between Rails' blocks: the command that reruns a test confirms one, or otherwise the totals.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.scripting.ruby import frame, inside
from ci_failures.parsers.text_helpers import command, each_once, join_message

HEADING = re.compile(r"^(?: {0,2}(\d+)\) )?(Failure|Error|Skipped):$")
NAMED = re.compile(r"^(\S.{0,300}?#test_.{1,500}?)(?: \[([^\[\]]{1,400}?):(\d{1,7})\])?:?$")
NAMED_BEFORE_5 = re.compile(r"^(test_.{1,300}?)\(([A-Z][\w:]{0,200})\)(?: \[([^\[\]]{1,400}?):(\d{1,7})\])?:$")
STATUS = re.compile(r"^(?:Progress: )?[ |=]{0,300}(FAIL|ERROR) ([A-Z].{0,300}?#test_.{1,500}?) \(\d+\.\d+s\)$")
BRACKETED = re.compile(r'^.{0,99}\b(?:FAIL|ERROR)\["(test_.{1,500}?)", (?:#<Class:)?([A-Z][\w:]*).{0,99}\]$')
INDENTED = re.compile(r"^ {2}(test_.{1,500}?)(?<! ) +(PASS|FAIL|ERROR|SKIP) \(\d+\.\d+s\)$")
CLASS = re.compile(r"^[^\s\d\W].{0,300}$")
COUNTS = re.compile(r"^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, \d+ skips")
RAILS = re.compile(r"^(?:(?:bin/)?rails test|bin/test) (\S.{0,400}:\d+)$")
LINED = re.compile(r":\d+$")
TESTS = re.compile(r"(?:^|/)(?:tests?|specs?)/|(?:_test|_spec)\.rb$|(?:^|/)test_[^/]*\.rb$")
PROMPT = re.compile(r"^(?:Minitest::(?:UnexpectedError|Assertion): +)")
LONGEST_BLOCK = 200
MOST_LINES = 60


@define
class MinitestBlock:
    """The message and the place of one failed test."""

    name: str
    number: int
    listed: bool
    place: tuple[str, int] | None = None
    lines: list[str] = field(factory=list)
    framed: bool = False
    test: str = ""
    again: str = ""
    read: int = 0

    def take(self, text: str) -> None:
        """Read a line of the message or of the backtrace."""
        self.read += 1
        if ".rb:" in text and (text.startswith(" ") or not self.lines or self.framed) and (found := frame(text)):
            self.framed = True
            self.place = self.place or found
            self.test = found[0] if TESTS.search(found[0]) else self.test
        elif not self.framed and len(self.lines) < MOST_LINES:
            self.lines.append(PROMPT.sub("", text))

    def failure(self) -> Failure:
        """Create a failure of the block."""
        file, line = self.place or ("", None)
        own = self.test or (file if TESTS.search(file) else "")
        return Failure(
            tool="minitest",
            name=self.name,
            message=join_message(self.lines),
            file=file,
            line=line,
            log_line=self.number,
            selector=self.again or (f"{own} {self.name}" if own and " " not in own else ""),
        )


class Minitest(Parser):
    """Parser of blocks of all these forms, and of the totals."""

    tool: ClassVar[str] = "minitest"
    wakes: ClassVar[tuple[str, ...]] = (
        "#test_",
        ") Failure:\n",
        ") Error:\n",
        " assertions/s",
        " assertions, ",
        'FAIL["test_',
        'ERROR["test_',
        "  test_",
    )
    before: ClassVar[int] = 2

    def __init__(self) -> None:
        self._listed: dict[str, Failure] = {}
        self._loose: dict[str, Failure] = {}
        self._block: MinitestBlock | None = None
        self._past = self._past_but_one = ""
        self._class = ""
        self._next = 0
        self._rails = False
        self._expected: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a list or a block, or the beginning of one."""
        text = line.text.rstrip()
        if not self._begins(text, line.number):
            self._goes_on(text)
        self._past_but_one, self._past = self._past, text
        return bool(self._next or self._block or HEADING.match(text))

    def _begins(self, text: str, number: int) -> bool:
        """Read the beginning of a block or of a list, or the end of one."""
        if ("#test_" in text or text.startswith("test_")) and self._read_name(text, number):
            return True
        if "test_" in text and (text.endswith(("s)", "]"))) and self._read_result(text, number):
            return True
        if text.startswith("Finished ") and " assertions/s" in text:
            self._end()
            self._next = 1
            return True
        if " assertions, " in text and (found := COUNTS.match(text)) and self._counts():
            self._end()
            self._next = 0
            self._expected = (self._expected or 0) + int(found[2]) + int(found[3])
            return True
        return False

    def _counts(self) -> bool:
        """Check whether totals are those of a run: they end a list, or follow `Finished in 0.1s`."""
        return bool(self._next) or self._past.startswith("Finished in ")

    def _read_name(self, text: str, number: int) -> bool:
        heading = HEADING.match(self._past)
        old = NAMED_BEFORE_5.match(text) if heading and text.startswith("test_") else None
        found = NAMED.match(f"{old[2]}#{old[1]}{text[old.end(2) + 1 :]}" if old else text)
        if not heading or not found:
            return False
        if heading[1] and int(heading[1]) != self._next:
            return False
        if self._block and self._block.lines[-1:] == [self._past]:
            self._block.lines.pop()
        self._end()
        self._next += 1 if heading[1] else 0
        if heading[2] != "Skipped":
            place = inside(found[2], int(found[3])) if found[2] else None
            self._block = MinitestBlock(found[1], number, bool(heading[1]), place)
        return True

    def _read_result(self, text: str, number: int) -> bool:
        """Read a result of one of minitest-reporters' reporters."""
        if found := INDENTED.match(text):
            if not self._past_but_one and CLASS.match(self._past):
                self._class = self._past
            self._end()
            if found[2] in {"FAIL", "ERROR"} and self._class:
                self._block = MinitestBlock(f"{self._class}#{found[1]}", number, listed=True)
        elif found := STATUS.match(text):
            self._end()
            self._block = MinitestBlock(found[2], number, listed=True)
        elif found := BRACKETED.match(text):
            self._end()
            self._block = MinitestBlock(f"{found[2]}#{found[1]}", number, listed=True)
        else:
            return False
        return True

    def _goes_on(self, text: str) -> None:
        block = self._block
        if block is None:
            return
        if found := RAILS.match(text):
            block.again, self._rails, block.listed = found[1], True, True
            if block.name in self._loose:  # it failed, and so did its teardown
                self._listed.setdefault(block.name, evolve(self._loose.pop(block.name), selector=found[1]))
            self._end()
        elif HEADING.match(text) and text.startswith(("Failure", "Error", "Skipped")):
            return
        elif block.read > LONGEST_BLOCK or (not text and block.framed and not self._next and block.listed):
            self._end()
        else:
            block.take(text)

    def _end(self) -> None:
        """Record the open block."""
        block, self._block = self._block, None
        if block and len(self._listed) + len(self._loose) < MOST_FAILURES:
            (self._listed if block.listed else self._loose).setdefault(block.name, block.failure())

    def finish(self) -> Iterable[Failure]:
        """Return what failed: of unconfirmed blocks only as many as the totals allow."""
        self._end()
        loose = {name: one for name, one in self._loose.items() if name not in self._listed}
        both = len(self._listed) + len(loose)
        fits = both <= self._expected if self._expected is not None else not self._rails
        found = [*self._listed.values(), *(loose.values() if fits else ())]
        sure = len(found) == self._expected
        return [
            one if sure else evolve(one, confidence="medium") for one in sorted(found, key=lambda one: one.log_line)
        ]

    def total(self) -> int | None:
        """Return how many failed or raised, according to the totals of all runs."""
        return self._expected

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: Rails' own, or Ruby with the files and a pattern of names."""
        selectors = each_once(one.selector for one in failures)
        if lined := [one for one in selectors if LINED.search(one)]:
            return command("bin/rails", "test", *lined)
        files = each_once(one.partition(" ")[0] for one in selectors)
        names = each_once(one.partition(" ")[2] for one in selectors)
        if not names:
            return ""
        pattern = names[0] if len(names) == 1 else "/^(?:" + "|".join(map(_escape_pattern, names)) + ")$/"
        if len(files) == 1:
            return command("ruby", "-Ilib:test", files[0], "-n", pattern)
        return command("ruby", "-Ilib:test", *(f"-r./{file}" for file in files), "-e", "", "--", "-n", pattern)


def _escape_pattern(name: str) -> str:
    return re.sub(r"([^\w\s#:'\"<>=,;!&%@~`])", r"\\\1", name).replace("/", r"\/").replace(r"\\/", r"\/")
