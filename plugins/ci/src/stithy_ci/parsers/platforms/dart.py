"""`dart test` and `flutter test`: the compact and expanded reporters, and that for GitHub.

    00:01 +1 -1: test/account_test.dart: when nested adds [E]         ::group::❌ test/account_test.dart: adds (failed)
      Expected: <3>                                                   Expected: <3>
        Actual: <2>                                                     Actual: <2>
      package:matcher            expect                               test/account_test.dart 7:33  main.<fn>
      test/account_test.dart 7:33  main.<fn>                          ::endgroup::

No log of these tools was to be had: this follows their sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from stithy_ci.parsers.common import command, cut, each_once, relative
from stithy_ci.spi import MOST_FAILURES, Failure, Line, LogParser

FAILED = re.compile(r"^(?:\d\d:\d\d )?\+\d+(?: ~\d+)?(?: -\d+)?: (.{1,1000}?) \[E\]\s*$")
GROUP = re.compile(r"^(?:::group::|##\[group\])❌ (.{1,1000}?) \(failed(?:, retry \d+)?\)$")
STATUS = re.compile(r"^(?:\d\d:\d\d )?\+\d+(?: ~\d+)?(?: -(\d+))?: ")
SUITE = re.compile(r"^(?:\[[\w ,]{1,40}\] )?((?:\S{0,400}/)?\S{1,200}\.dart): (.+)$")
LOADING = re.compile(r"^loading (\S{1,400}\.dart)$")
FRAME = re.compile(r"^\s*(?:#\d+ .{1,300}\()?(?:file://)?(\S{1,400}?\.dart)(?: |:)(\d{1,7}):\d{1,7}\)?(?:\s|$)")
THROWN = "EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK"
"""What stands above what went wrong in a test of widgets; its `[E]` comes after that."""
CAUGHT = re.compile(r"^\s*(?:file://)?(\S{1,400}_test\.dart) line (\d{1,7})$")
AGAIN = "Test failed. See exception logs above."
FOREIGN = ("package:", "dart:", "/", "org-dartlang")
MOST_LINES = 60


@define
class Block:
    """What went wrong in one test."""

    name: str
    number: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    done: bool = False

    def take(self, text: str) -> None:
        """Take a line of it: of the message, or of the stack."""
        found = FRAME.match(text) if ".dart" in text else None
        if found is None:
            if self.place is None and not text.lstrip().startswith("package:") and len(self.lines) < MOST_LINES:
                self.lines.append(text)
            return
        file = relative(found[1])
        if not file.startswith(FOREIGN) and (self.place is None or not self.place[0].endswith("_test.dart")):
            self.place = file, int(found[2])

    def throw(self, text: str) -> None:
        """Take a line of what Flutter's framework caught: the message ends at its stack."""
        if found := CAUGHT.match(text):
            self.place = relative(found[1]), int(found[2])
        elif text.startswith(("When the exception was thrown", "════")):
            self.done = True
        elif not self.done and len(self.lines) < MOST_LINES and not text.startswith("The following "):
            self.lines.append(text)

    def failure(self) -> Failure:
        """Make a failure of it."""
        suite, loading = SUITE.match(self.name), LOADING.match(self.name)
        file, line = self.place or ("", None)
        own = relative(suite[1]) if suite else file if file.endswith("_test.dart") else ""
        if loading:
            own = relative(loading[1])
            return Failure(
                tool="dart", kind="compile", name=own, message=cut(self.lines), file=file or own, line=line,
                selector=own, log_line=self.number,
            )  # fmt: skip
        title = suite[2] if suite else self.name
        return Failure(
            tool="dart", name=f"{own}: {title}" if own else title, message=cut(self.lines), file=file or own,
            line=line, selector=title, place="", log_line=self.number,
        )  # fmt: skip


class Dart(LogParser):
    """Reads blocks of these reporters."""

    tool: ClassVar[str] = "dart"
    wakes: ClassVar[tuple[str, ...]] = (" [E]", "❌ ", ": Some tests failed.", " failed.", THROWN)

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: Block | None = None
        self._thrown: Block | None = None
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Take a line of a block, or see one begin or end."""
        text = line.text.rstrip()
        if found := FAILED.match(text) or GROUP.match(text):
            self._end()
            self._block = Block(found[1], line.number)
        elif THROWN in text:
            self._end()
            self._thrown = Block("", line.number)
        elif self._thrown and not self._block and not STATUS.match(text):
            self._thrown.throw(text)
        elif found := STATUS.match(text):
            self._end()
            if text.endswith(": Some tests failed.") and found[1]:
                self._counted = (self._counted or 0) + int(found[1])
        elif text.startswith(("::endgroup::", "##[endgroup]")):
            self._end()
        elif found := re.match(r"^(?:::error::|##\[error\])\d+ tests? passed, (\d+) failed", text):
            self._end()
            self._counted = (self._counted or 0) + int(found[1])
        elif self._block:
            self._block.take(text)
        return self._block is not None or self._thrown is not None

    def _end(self) -> None:
        block, self._block = self._block, None
        if block and self._thrown and AGAIN in cut(block.lines):
            block.lines, block.place, self._thrown = self._thrown.lines, self._thrown.place, None
        if block and len(self._found) < MOST_FAILURES:
            one = block.failure()
            self._found.setdefault(one.name, one)

    def finish(self) -> Iterable[Failure]:
        """Give what failed; with less confidence where the tool counts another number."""
        self._end()
        sure = len(self._found) == self._counted
        return [one if sure else evolve(one, confidence="medium") for one in self._found.values()]

    def counted(self) -> int | None:
        """Give how many failed, as the last status says."""
        return self._counted

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Give a command that runs these by their names; Flutter takes the same words."""
        files = each_once(one.name.partition(": ")[0] if ".dart: " in one.name else one.selector for one in failures)
        files = [file for file in files if file.endswith(".dart")]
        names = [one.selector for one in failures if one.kind == "test"]
        if not names or len(names) < len(failures):
            return command("dart", "test", *files)
        pattern = "|".join(re.sub(r"([\\^$.*+?()\[\]{}|])", r"\\\1", name) for name in dict.fromkeys(names))
        return command("dart", "test", *files, "--name", f"^(?:{pattern})$")
