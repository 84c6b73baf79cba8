"""NUnit 3 (`<test-run>`, or a `<test-suite>` of it) and NUnit 2 (`<test-results>`)."""

from collections.abc import Mapping

from attrs import define, field

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import parse_count
from ci_failures.results.dotnet import place
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text
from ci_failures.results.xml import Element, read_elements

ROOTS = {"test-run", "test-results"}
TESTS = {"test-case", "test-suite"}


@define
class Test:
    """A case or a suite whose elements are being read."""

    tag: str
    attributes: Mapping[str, str]
    message: str = ""
    stack: str = ""
    failed: int = 0

    @property
    def wrong(self) -> bool:
        """Whether it failed."""
        said = self.attributes
        return said.get("result") in {"Failed", "Failure", "Error"} or said.get("success") == "False"


@define
class NUnitReader:
    """Reader of the elements of a file."""

    tally: Tally
    open: list[Test] = field(factory=list)
    failing: bool = False

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag in ROOTS:
            said = [element.attributes.get(name, "") for name in ("failed", "failures", "errors")]
            self.tally.add_count(sum(map(parse_count, said)))
        elif element.tag in TESTS:
            self.open.append(Test(element.tag, element.attributes))
        elif element.tag == "failure":
            self.failing = True

    def ends(self, element: Element) -> None:
        """Read the end of an element."""
        if element.tag in TESTS:
            self._test(self.open.pop())
        elif element.tag == "failure":
            self.failing = False
        elif self.failing and self.open and element.tag == "message":
            self.open[-1].message = (element.text or "").strip()
        elif self.failing and self.open and element.tag == "stack-trace":
            self.open[-1].stack = element.text or ""

    def _test(self, test: Test) -> None:
        """Record a failed case; a suite only if none of its cases failed: then its set-up did."""
        counts = test.tag == "test-case"
        if not test.wrong:
            self.tally.ran += counts
            return
        for around in self.open:
            around.failed += 1
        if counts or (test.message and not test.failed):
            file, line = place(test.stack)
            name = test.attributes.get("fullname") or test.attributes.get("name", "")
            self.tally.record_failed(Failure(tool="dotnet", name=name, message=test.message, file=file, line=line))


def read(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    read_elements(text, NUnitReader(tally))
