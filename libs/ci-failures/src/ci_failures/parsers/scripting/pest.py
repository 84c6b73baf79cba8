r"""Pest, and `php artisan test`, which prints as Pest does.

       FAIL  Tests\Unit\ExampleTest
      x it is great                                                    0.01s
      ─────────────────────────────────────────────────────────────────────
       FAILED  Tests\Unit\ExampleTest > it is great
      Failed asserting that false is true.

      at tests/Unit/ExampleTest.php:4

      Tests:    1 failed, 1 passed (2 assertions)

Titles in the blocks are cut at the width of a terminal, those of the tree are not; `x` is a cross. No log
of Pest was available: this follows its sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.scripting.php import place
from ci_failures.parsers.text_helpers import command, each_once, join_message

SUITE = re.compile(r"^ {2,3}(FAIL|PASS|WARN)  ([A-Z][\w\\]{0,300})$")
CROSS = "\N{VECTOR OR CROSS PRODUCT}"
CASE = re.compile(rf"^ {{2}}{CROSS} (.{{1,600}}?)(?:(?<! ) {{2,}}[\d.]+s)?$")
BLOCK = re.compile("^ {2,3}(?:FAILED {2}|\N{BULLET} )" r"([A-Z][\w\\]{0,300}) > (.{1,600}?)(?:(?<! ) {2,}[\w\\]+)?$")
COUNTS = re.compile(r"^ {2}Tests: +(?:\d+ \w+, )*(\d+) failed(?:,| \(|$)")
FRAME = re.compile(r"^ {2}(?:at|\d{1,3}) +(\S.*)$")
SPECIAL = re.compile(r"([\\.+*?\[^\]$(){}|/#])")
CUT = "\N{HORIZONTAL ELLIPSIS}"
"""The mark that replaces the rest of a title that is too long for the terminal."""
MOST_LINES = 60


@define
class PestBlock:
    """The message and the place of one failed test."""

    suite: str
    title: str
    number: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = False

    def whole(self, titles: Iterable[tuple[str, str]]) -> tuple[str, str]:
        """Return the suite and the title from the tree, if it has them: those of the block may be cut."""
        begin = self.title.removesuffix(CUT)
        fitting = (title for suite, title in titles if suite == self.suite and title.startswith(begin))
        return self.suite, next(fitting, self.title) if begin != self.title else self.title

    def take(self, text: str) -> None:
        """Read a line of the block."""
        if found := FRAME.match(text):
            self.framed = True
            self.place = self.place or place(found[1])
        elif not self.framed and len(self.lines) < MOST_LINES and "▕" not in text and "───" not in text:
            self.lines.append(text)


class Pest(Parser):
    """Parser of the tree, the blocks below it, and the totals."""

    tool: ClassVar[str] = "pest"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\n  FAIL  ", "\n   FAIL  ", "\n  FAILED  ", "\n   FAILED  ", "\n  \N{BULLET} ", "\n   \N{BULLET} "),
        *(f"\n  {CROSS} ", "\n  Tests:  "),
    )

    def __init__(self) -> None:
        self._suite = ""
        self._titles: list[tuple[str, str, int]] = []
        self._blocks: list[PestBlock] = []
        self._open = False
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of the tree or of a block."""
        text = line.text.rstrip()
        if found := SUITE.match(text):
            self._suite, self._open = found[2] if found[1] == "FAIL" else "", False
        elif (found := CASE.match(text)) and self._suite and len(self._titles) < MOST_FAILURES:
            self._titles.append((self._suite, found[1], line.number))
        elif (found := BLOCK.match(text)) and len(self._blocks) < MOST_FAILURES:
            self._blocks.append(PestBlock(found[1], found[2], line.number))
            self._open = True
        elif found := COUNTS.match(text):
            self._counted, self._open = (self._counted or 0) + int(found[1]), False
        elif self._open:
            self._blocks[-1].take(text)
        return self._open

    def finish(self) -> Iterable[Failure]:
        """Return what failed: titles of the tree, with the details of their blocks, in the same order."""
        titles = [(suite, title) for suite, title, _ in self._titles]
        whole = len(titles) == len(self._blocks)
        found: dict[str, Failure] = {}
        for index, block in enumerate(self._blocks):
            suite, title = titles[index] if whole else block.whole(titles)
            file, line = block.place or ("", None)
            one = Failure(
                tool=self.tool, name=f"{suite} > {title}", message=join_message(block.lines), file=file, line=line,
                selector=title, log_line=block.number, confidence="medium",
            )  # fmt: skip
            found.setdefault(one.name, one)
        if not self._blocks:
            for suite, title, number in self._titles:
                name = f"{suite} > {title}"
                one = Failure(tool=self.tool, name=name, selector=title, log_line=number, confidence="medium")
                found.setdefault(name, one)
        sure = len(found) == self._counted
        return [evolve(one, confidence="high") if sure else one for one in found.values()]

    def total(self) -> int | None:
        """Return how many failed according to the totals."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command with a pattern of these titles.

        Titles of PHPUnit's classes are derived from the methods' names.
        """
        titles = each_once(one.selector.removesuffix(CUT) for one in failures)
        said = (SPECIAL.sub(r"\\\1", title) for title in titles)
        pattern = "|".join(one if one.startswith("it ") else one.replace(" ", "[ _]?") for one in said)
        return command("vendor/bin/pest", "--filter", pattern) if pattern else ""
