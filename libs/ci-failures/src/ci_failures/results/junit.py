"""JUnit XML of any dialect: a case with a failure or an error has failed."""

import re

from attrs import define, evolve, field

from ci_failures.parsers.text_helpers import parse_count
from ci_failures.results.dialects import create_failure
from ci_failures.results.dialects.case import Case, Suite
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text
from ci_failures.results.xml import Element, read_elements

WRONG = {"failure", "error"}
RETRIED = {"rerunFailure", "rerunError"}
FLAKY = {"flakyFailure", "flakyError"}
NO_FAILURE = re.compile(r"PHPUnit\\.*(?:Risky|Warning)|WARN$")
TWICE = "TAP Tests"
AGAIN = WRONG | RETRIED | FLAKY


@define
class JUnitReader:
    """Reader of the elements of a file."""

    tally: Tally
    suites: list[Suite] = field(factory=list)
    case: Case | None = None
    trace: str = ""
    unsure: int = 0

    def begins(self, element: Element) -> None:
        """Read the beginning of an element."""
        if element.tag in {"testsuites", "testsuite"}:
            if not any(suite.counts for suite in self.suites):
                self._counts(element)
            elif (
                "errors" not in element.attributes
            ):  # gotestsum writes them, with its own lines as errors, and no cases
                self.tally.add_count(-self.unsure)
                self.unsure = 0
            self.suites.append(Suite(element.attributes))
        elif element.tag == "testcase" and self.case is None:
            self.case = Case(element.attributes, tuple(self.suites))

    def ends(self, element: Element) -> None:
        """Read the end of an element, with its text."""
        if element.tag in {"testsuites", "testsuite"}:
            self.suites.pop()
        elif element.tag == "property" and self.suites and self.case is None:
            self.suites[-1].properties.add(element.attributes.get("name", ""))
        elif self.case is None:
            self._beside(element)
        elif element.tag == "testcase":
            case, self.case = self.case, None
            self._case(case)
        elif element.tag == "skipped":
            self._skipped(self.case, element)
        elif element.tag == "stackTrace":
            self.trace = element.text or ""
        elif element.tag in WRONG and NO_FAILURE.match(element.attributes.get("type", "")):
            self.tally.add_count(-1)  # tools count it nevertheless
        elif element.tag in AGAIN:
            self.case.wrong.append(element if (element.text or "").strip() else element._replace(text=self.trace))
            self.trace = ""
        elif element.tag == "system-out" and not self.case.output:
            self.case.output = element.text or ""

    def _skipped(self, case: Case, element: Element) -> None:
        """Read why a case was skipped."""
        if element.attributes.get("type") == "todo":
            case.expected = True
        elif _could_not_start(case, element):
            self.tally.add_count(1)  # ctest does not count it as failed, but fails
            case.wrong.append(element._replace(tag="failure"))

    def _counts(self, element: Element) -> None:
        """Add the totals of the outermost suites that have one; node-tap counts each parent, too."""
        if element.attributes.get("name") == TWICE:
            return
        said = [element.attributes.get(name, "") for name in ("failures", "errors")]
        if said[0].isdecimal():
            total = sum(map(parse_count, said))
            if said[0] == element.attributes.get("tests") != "0":  # Biome counts its errors among the failures again
                total = parse_count(said[0])
            self.tally.add_count(total)
            self.unsure = parse_count(said[1]) if element.tag == "testsuites" else 0

    def _beside(self, element: Element) -> None:
        """Record a failure of a suite that belongs to none of its cases."""
        if element.tag in WRONG and self.suites:
            suite = self.suites[-1]
            case = Case({"name": suite.name, "classname": ""}, tuple(self.suites), wrong=[element])
            self._case(case)

    def _case(self, case: Case) -> None:
        wrong = [one for one in case.wrong if one.tag in WRONG and not case.expected]
        flaky = [one for one in case.wrong if one.tag in FLAKY]
        if not wrong and not flaky:
            self._passed(case)
            return
        self.tally.add_count(min(0, 1 - len(wrong)))  # some tools count each failure of a case
        told = create_failure(case, (wrong or flaky)[0])
        self.tally.record_failed(evolve(told, flaky=not wrong, attempts=_attempts(case)))

    def _passed(self, case: Case) -> None:
        if not self.tally.found:
            self.tally.ran += 1
            return
        told = create_failure(case, Element("failure", {}, ""))
        self.tally.record_passed(told.tool, told.name, told.place)


def _could_not_start(case: Case, skipped: Element) -> bool:
    """Check whether a test of ctest was not run for a reason that fails the run, as a missing program."""
    reason = skipped.attributes.get("message", "")
    is_ctest = case.attributes.get("status") == "notrun" and case.of == case.name and "result" not in case.attributes
    return is_ctest and reason not in {"", "Disabled"} and not reason.startswith("SKIP_")


def _attempts(case: Case) -> int:
    """Return the number of runs: each failure before the last run, and the last run."""
    again = [one for one in case.wrong if one.tag in RETRIED | FLAKY]
    return 1 + len(again)


def read(text: Text, tally: Tally) -> None:
    """Read a file.

    Raises:
        UnreadableFile: Its XML is damaged or refused.
    """
    read_elements(text, JUnitReader(tally))
