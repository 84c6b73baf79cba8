"""`dart test` and `flutter test`: the compact and expanded reporters, and that for GitHub.

    00:01 +1 -1: test/account_test.dart: when nested adds [E]         ::group::❌ test/account_test.dart: adds (failed)
      Expected: <3>                                                   Expected: <3>
        Actual: <2>                                                     Actual: <2>
      package:matcher            expect                               test/account_test.dart 7:33  main.<fn>
      test/account_test.dart 7:33  main.<fn>                          ::endgroup::

Errors that Flutter's framework catches are in boxes above the test's own line, or in its group. No log of these
tools was available: this follows their sources.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.platforms.dart_blocks import FLUTTER, Box, DartBlock
from ci_failures.parsers.text_helpers import command, each_once

STATUS = re.compile(r"^(?:\d\d:\d\d )?\+\d+(?: ~\d+)?(?: -(\d+))?: (.*)$")
UNFINISHED = " - did not complete"
GROUP = re.compile(r"^(?:::group::|##\[group\])❌ (.{1,1000}?) \(failed(?:, retry \d+| after test completion)?\)$")
GROUP_ENDS = ("::endgroup::", "##[endgroup]")
COUNTS = re.compile(r"^(?:::error::|##\[error\])\d+ tests? passed, (\d+) failed")
BOXED = re.compile(r"══╡ EXCEPTION CAUGHT BY [A-Z ]{1,60} ╞══")
OVER = re.compile(r"^\s*(?:To run this test again: |Failing tests:$|Consider enabling the flag chain-stack-traces)")
PLAIN = re.compile(r"([\\^$.*+?()\[\]{}|])")


class Dart(Parser):
    """Parser of the blocks of these reporters."""

    tool: ClassVar[str] = "dart"
    wakes: ClassVar[tuple[str, ...]] = (" [E]", "❌ ", ": Some tests failed.", " failed.", " failed, ", "══╡ EXCEPTION")
    first_line: ClassVar[str] = r"(?:\d\d:\d\d )?\+\d|.*❌ |.*══╡ EXCEPTION|(?:::error::|##\[error\])\d+ tests? passed"

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._block: DartBlock | None = None
        self._box: Box | None = None
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a block or a box, or the beginning or end of one."""
        text = line.text.rstrip()
        if found := GROUP.match(text):
            self._begin(found[1], line.number)
        elif found := STATUS.match(text):
            self._status(found, line.number)
        elif text.startswith(GROUP_ENDS):
            self._end()
        elif BOXED.search(text):
            self._box = self._box or Box()
            self._box.begin()
        elif found := COUNTS.match(text):
            self._end()
            self._counted = (self._counted or 0) + int(found[1])
        elif OVER.match(text):
            self._end()
        elif self._box and not self._box.closed:
            self._box.take(text)
        elif self._block:
            self._block.take(text)
        return self._block is not None or self._box is not None

    def _status(self, found: re.Match[str], number: int) -> None:
        """Read a status, which ends the block before it, and may report a failed test."""
        self._end()
        if found[2].endswith(" [E]"):
            name = found[2].removesuffix(" [E]")
            self._begin(name.removesuffix(UNFINISHED), number)
            if name.endswith(UNFINISHED) and self._block:
                self._block.lines.append(UNFINISHED.removeprefix(" - "))
        elif found[2] == "Some tests failed." and found[1]:
            self._counted = (self._counted or 0) + int(found[1])
            self._box = None

    def _begin(self, name: str, number: int) -> None:
        self._end()
        self._block = DartBlock(name, number)

    def _end(self) -> None:
        """Record the open block, with the messages of its boxes."""
        block, self._block = self._block, None
        if block is None:
            return
        if self._box:
            block.add_box(self._box)
            self._box = None
        if len(self._found) < MOST_FAILURES:
            one = block.failure()
            self._found.setdefault(one.name, one)

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if the tool counts another number."""
        self._end()
        sure = len(self._found) == self.total()
        return [one if sure else evolve(one, confidence="medium") for one in self._found.values()]

    def total(self) -> int | None:
        """Return how many failed or did not end, by the statuses of all runs."""
        if self._counted is None:
            return None
        return self._counted + sum(one.message == UNFINISHED.removeprefix(" - ") for one in self._found.values())

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these by name; a set-up has none, and its file is run."""
        tool = "flutter" if any(one.selector.startswith(FLUTTER) for one in failures) else "dart"
        said = [one.selector.removeprefix(FLUTTER) for one in failures]
        files = each_once(
            one.name.partition(": ")[0] if ".dart: " in one.name else own
            for one, own in zip(failures, said, strict=True)
        )
        files = [file for file in files if file.endswith(".dart")]
        names = [own for one, own in zip(failures, said, strict=True) if one.kind == "test" and own[:1] != "("]
        if not names or len(names) < len(failures):
            return command(tool, "test", *files) if files else ""
        pattern = "|".join(PLAIN.sub(r"\\\1", name) for name in dict.fromkeys(names))
        return command(tool, "test", *files, "--name", f"^(?:{pattern})$")
