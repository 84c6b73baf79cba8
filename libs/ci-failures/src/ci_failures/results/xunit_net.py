"""xUnit.net v2 and v3: `<assemblies>` of `<assembly>`."""

from collections.abc import Mapping

from attrs import define

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import parse_count
from ci_failures.results.dotnet import place
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text
from ci_failures.results.xml import Element, read_elements


@define
class XUnitReader:
    """Reader of the elements of a file: within a test, or within an error beside all tests."""

    tally: Tally
    test: Mapping[str, str] | None = None
    message: str = ""
    stack: str = ""

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag == "assembly":
            said = [element.attributes.get(name, "") for name in ("failed", "errors")]
            self.tally.add_count(sum(map(parse_count, said)))
        elif element.tag in {"test", "error"}:
            self.test, self.message, self.stack = element.attributes, "", ""

    def ends(self, element: Element) -> None:
        """Read the end of an element."""
        if element.tag == "message":
            self.message = self.message or (element.text or "").strip()
        elif element.tag == "stack-trace":
            self.stack = self.stack or (element.text or "")
        elif element.tag in {"test", "error"} and self.test is not None:
            self._done(self.test, error=element.tag == "error")
            self.test = None

    def _done(self, test: Mapping[str, str], *, error: bool) -> None:
        if not error and test.get("result") != "Fail":
            self.tally.ran += 1
            return
        file, line = place(self.stack)
        name = test.get("name") or test.get("type", "an error beside the tests")
        self.tally.record_failed(Failure(tool="dotnet", name=name, message=self.message, file=file, line=line))


def read(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    read_elements(text, XUnitReader(tally))
