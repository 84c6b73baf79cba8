"""XML of Checkstyle's form, which many linters write, and of CTest's results."""

import re

from attrs import define

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import OF_OXLINT, parse_number
from ci_failures.results.lint_json import create_finding
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text
from ci_failures.results.xml import Element, read_elements

OF_BIOME = re.compile(r"(?:lint|assist)/\w+/\w+$|(?:format|organizeImports|parse)$")

OF_REVIVE = re.compile(r"revive/([\w-]{1,80})$")
CONFIDENCE = re.compile(r" \(confidence [\d.]+\)$")


@define
class CheckstyleReader:
    """Reader of `<file>` and the `<error>` in it."""

    tally: Tally
    file: str = ""

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag == "file":
            self.file = element.attributes.get("name", "")
            self.tally.ran += 1
        elif element.tag == "error" and element.attributes.get("severity", "error") in {"error", "warning"}:
            told = element.attributes
            source, said = told.get("source", ""), told.get("message", "")
            rule = source.rpartition(".")[2].removesuffix("Check") if "puppycrawl" in source else source
            tool = "checkstyle" if "puppycrawl" in source or not source else _name_tool(source)
            line, column = (parse_number(told.get(key, "")) for key in ("line", "column"))
            if revive := OF_REVIVE.match(source):
                tool, rule, said = "revive", revive[1], CONFIDENCE.sub("", said)
            finding = create_finding(tool, rule or "error", (self.file, line, column), said)
            self.tally.record_failed(finding)

    def ends(self, element: Element) -> None:
        """Read the end of an element."""


def _name_tool(source: str) -> str:
    """Return the tool of a rule, which most linters put before it: `eslint.rules.no-eval`."""
    if OF_OXLINT.fullmatch(source):
        return "oxlint"
    return "biome" if OF_BIOME.match(source) else source.partition(".")[0].lower()


@define
class CTestReader:
    """Reader of `<Test Status="failed">` in CTest's Test.xml."""

    tally: Tally
    failed: bool = False
    name: str = ""
    message: str = ""

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag == "Test" and "Status" in element.attributes:
            self.failed = element.attributes["Status"] == "failed"
            self.name = self.message = ""

    def ends(self, element: Element) -> None:
        """Read the end of an element."""
        if element.tag == "Name" and not self.name:
            self.name = (element.text or "").strip()
        elif element.tag == "Value" and self.failed:
            self.message = (element.text or "").strip()
        elif element.tag == "Test" and self.name:
            if self.failed:
                self.tally.record_failed(Failure(tool="ctest", name=self.name, message=self.message or "failed"))
            else:
                self.tally.ran += 1
            self.name = ""


def read_checkstyle(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    read_elements(text, CheckstyleReader(tally))


def read_ctest(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    read_elements(text, CTestReader(tally))
