r"""PHPUnit with `--testdox`: methods are not named, only their names as words are printed.

    Account (App\Tests\Account)
     ✘ Raises deep in the code
       │
       │ InvalidArgumentException: not a number
       │
       │ /home/runner/work/app/app/src/Account.php:12
       │ /home/runner/work/app/app/tests/AccountTest.php:19
       │

So a failure is named `Class::words`, and its class is run again as a whole.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure, Line
from ci_failures.parsers.scripting.php import pattern, place
from ci_failures.parsers.scripting.phpunit import PhpUnit
from ci_failures.parsers.text_helpers import join_message

CLASS = re.compile(r"^\S.{0,300} \(([A-Z][\w\\]{0,300})\)$")
BARE = re.compile(r"^(?!\d+\))[A-Z][\w ]{0,300}$")
"""The name of a class without a namespace, as words."""
TITLE = re.compile(r"^ ✘ (\S.{0,600}?)(?: \[?\d+(?:\.\d+)? ms\]?)?$")
BAR = re.compile(r"^ {3}[│├┊┴┐╵] ?(.*)$")
PROVIDER = re.compile(r"The data provider specified for ([\w\\]{1,300}::\w{1,200}) is invalid")
"""The error of a test that has no class of its own in the list."""
MOST_LINES = 60


@define
class TestDoxBlock:
    """The message and the place of one failed test."""

    of: str
    title: str
    number: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None

    def take(self, text: str) -> None:
        """Read a line of the block."""
        if found := place(text):
            self.place = found
        elif not self.place and not (text.startswith("/") and ".php:" in text) and len(self.lines) < MOST_LINES:
            self.lines.append(text)

    def failure(self) -> Failure:
        """Create a failure of the block: the file shows the name of its class, which is printed without `Test`."""
        file, line = self.place or ("", None)
        provider = PROVIDER.match(join_message(self.lines))
        stem = file.rpartition("/")[2].removesuffix(".php")
        namespace, _, short = self.of.rpartition("\\")
        if stem.endswith("Test") and stem.startswith(short):
            short = stem
        of = f"{namespace}\\{short}" if namespace else short or stem
        whole = of if stem and of.endswith(stem) else ""
        return Failure(
            tool="phpunit",
            name=provider[1] if provider else f"{of}::{self.title}" if of else self.title,
            message=join_message(self.lines),
            file=file,
            line=line,
            selector=f"{pattern(f'{whole}::')}.*" if whole else "",
            log_line=self.number,
            confidence="medium",
        )


class PhpUnitTestdox(PhpUnit):
    """Parser of the blocks, each once: a summary may repeat them."""

    wakes: ClassVar[tuple[str, ...]] = ("\n ✘ ",)
    before: ClassVar[int] = 50

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[tuple[str, str], TestDoxBlock] = {}
        self._of = ""
        self._block: TestDoxBlock | None = None

    def read(self, line: Line) -> bool:
        """Read a line of a block, or its beginning."""
        text = line.text.rstrip()
        if found := CLASS.match(text):
            self._of, self._block = found[1], None
        elif found := TITLE.match(text):
            self._block = TestDoxBlock(self._of, found[1], line.number)
        elif self._block and (bar := BAR.match(text)):
            if len(self._blocks) < MOST_FAILURES:
                self._blocks.setdefault((self._of, self._block.title), self._block)
            self._block.take(bar[1])
        elif text:
            self._of = "" if BARE.match(text) else self._of
            self._block = None
        return self._block is not None

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        return [block.failure() for block in self._blocks.values()]

    def total(self) -> int | None:
        """Return None: the totals below are of tests of all kinds."""
        return None
