"""TRX, the result file of VSTest and of Microsoft.Testing.Platform."""

import re
from collections.abc import Mapping

from attrs import define, evolve, field

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import parse_count
from ci_failures.results.dotnet import place, qualified
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text
from ci_failures.results.xml import Element, read_elements

FAILED = {"Failed", "Error", "Timeout", "Aborted"}
COUNTED = ("failed", "error", "timeout", "aborted")
CLASS = re.compile(r"[^,\[]*")
"""The name of a class, without the types of a generic one, and without its assembly."""


@define
class Result:
    """A result whose elements are being read: the end of the file has its class, found by the test's id."""

    attributes: Mapping[str, str]
    message: str = ""
    stack: str = ""
    inner: int = 0


@define
class TrxReader:
    """Reader of the elements of a file; MSTest writes the definitions of tests before the results, VSTest after."""

    tally: Tally
    open: list[Result] = field(factory=list)
    waiting: list[tuple[str, Failure]] = field(factory=list)
    failed: set[str] = field(factory=set)
    classes: dict[str, str] = field(factory=dict)
    test: str = ""
    has_results: bool = False

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag == "UnitTestResult":
            self.has_results = True
            self.open.append(Result(element.attributes))
        elif element.tag == "UnitTest":
            self.test = element.attributes.get("id", "")
        elif element.tag == "TestMethod" and (self.test in self.failed or not self.has_results):
            self.classes[self.test] = CLASS.findall(element.attributes.get("className", ""))[0]
        elif element.tag == "Counters":
            said = [element.attributes.get(name, "") for name in COUNTED]
            self.tally.add_count(sum(map(parse_count, said)))

    def ends(self, element: Element) -> None:
        """Read the end of an element."""
        if element.tag == "UnitTestResult":
            self._result(self.open.pop())
        elif self.open and element.tag == "Message":
            self.open[-1].message = self.open[-1].message or (element.text or "")
        elif self.open and element.tag == "StackTrace":
            self.open[-1].stack = self.open[-1].stack or (element.text or "")

    def _result(self, result: Result) -> None:
        """Record a failed result; if parts of it failed, only these."""
        if result.attributes.get("outcome") not in FAILED:
            self.tally.ran += 1
            return
        if self.open:
            self.open[-1].inner += 1
        if result.inner:
            return
        file, line = place(result.stack)
        name = result.attributes.get("testName", "")
        failure = Failure(tool="dotnet", name=name, message=result.message.strip(), file=file, line=line)
        test = result.attributes.get("testId", "")
        self.failed.add(test)
        self.waiting.append((test, failure))

    def finish(self) -> None:
        """Record what failed, with its class."""
        for test, failure in self.waiting:
            self.tally.record_failed(evolve(failure, name=qualified(self.classes.get(test, ""), failure.name)))


def read(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    reading = TrxReader(tally)
    try:
        read_elements(text, reading)
    finally:
        reading.finish()
