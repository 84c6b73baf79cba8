r"""clojure.test, by itself, under Leiningen and the command line tools, and Kaocha.

Testing till.core-test

FAIL in (subtracts) (core_test.clj:4)
small numbers
expected: (= 3 (- 5 1))
  actual: (not (= 3 4))

Ran 5 tests containing 6 assertions.
2 failures, 2 errors.
"""

import re
from typing import ClassVar

from attrs import evolve

from ci_failures.model import Failure, Line
from ci_failures.parsers.javascript.failed import CountedParser
from ci_failures.parsers.text_helpers import MOST_LINES, join_message, parse_count

SPACE = re.compile(r"(?:Testing|lein test) ([\w.*+!?<>=-]{1,200}\.[\w.*+!?<>=-]{1,200}|[\w-]{1,100}-test)$")
BEGUN = re.compile(
    r"(?:FAIL|ERROR) in \(?(?:([^\s()/]{1,300})/)?([^\s()]{1,300})[^()]{0,200}\)? \(([^():]{1,300}):(\d{1,7})\)$"
)
EXPECTED = "expected: "
TRACE = re.compile(r"(?: at|   ) \S+ \(([^():]{1,200}):(\d{1,7})\)$")
LIBRARY = frozenset({"test.clj", "core.clj", "main.clj"})
"""Files of Clojure itself in a trace."""
TOTAL = re.compile(
    r"(\d{1,9}) failures?, (\d{1,9}) errors?\.$"
    r"|\d{1,9} tests?, \d{1,9} assertions?, (?:(\d{1,9}) errors?, )?(?:\d{1,9} pending, )?(\d{1,9}) failures?\.$"
)


class ClojureTest(CountedParser):
    """Parser of assertions that failed, of which a test may have several, and of the total of these."""

    tool: ClassVar[str] = "clojure.test"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nFAIL in ", "\nERROR in ", "\nTesting ", "\nlein test "),
        *(" failures, ", " failure, ", " failures.\n", " failure.\n"),
    )
    first_line: ClassVar[str] = r"(?:FAIL|ERROR) in \S.{0,500} \([^():]+:\d+\)$|(?:Testing|lein test) \S+$"

    def __init__(self) -> None:
        super().__init__()
        self._space = ""
        self._open: Failure | None = None
        self._said: list[str] = []
        self._traced = False

    def read(self, line: Line) -> bool:
        """Read the beginning of a namespace or of a failure, a line of it, or a total."""
        text = line.text.rstrip()
        if space := SPACE.match(text):
            self._end()
            self._space = space[1]
        elif begun := BEGUN.match(text):
            self._end()
            self._begin(begun, line.number)
        elif total := TOTAL.match(text):
            self._end()
            self._counted = (self._counted or 0) + sum(parse_count(count or "") for count in total.groups())
        elif not text:
            self._end()
        elif self._open:
            self._read_message(text)
        return self._open is not None

    def _begin(self, found: re.Match[str], number: int) -> None:
        space = found[1] or self._space
        name = f"{space}/{found[2]}" if space else found[2]
        self._open = Failure(tool=self.tool, name=name, file=found[3], line=int(found[4]), log_line=number)

    def _read_message(self, text: str) -> None:
        """Read a line of a failure; of a trace the first one in the file of the test is its place."""
        trace = TRACE.match(text)
        self._traced = self._traced or trace is not None
        is_own = trace and _is_clojure(trace[1]) and trace[1] not in LIBRARY
        if self._open and trace and is_own and not _is_clojure(self._open.file):
            self._open = evolve(self._open, file=trace[1], line=int(trace[2]))
        if not self._traced and len(self._said) < MOST_LINES:
            self._said.append(text)

    def _end(self) -> None:
        """Record the open failure; a test may print its first line, but hardly what was expected."""
        if self._open and any(text.startswith(EXPECTED) for text in self._said):
            one = self._open if _is_clojure(self._open.file) else evolve(self._open, file="", line=None)
            self._failed.add(evolve(one, message=join_message(self._said), file=_in_folder(one)))
        self._open, self._said, self._traced = None, [], False


def _is_clojure(file: str) -> bool:
    return file.endswith((".clj", ".cljc", ".cljs"))


def _in_folder(one: Failure) -> str:
    """Return the file of a test in the folders of its namespace, where both have the same name."""
    path = one.name.partition("/")[0].replace(".", "/").replace("-", "_")
    stem, _, ending = one.file.rpartition(".")
    return f"{path}.{ending}" if stem and path.rpartition("/")[2] == stem else one.file
