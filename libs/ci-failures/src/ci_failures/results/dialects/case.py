"""A case of JUnit XML as the dialects see it."""

import re
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from ci_failures.model import Confidence, Kind
from ci_failures.parsers.common import relative
from ci_failures.results.xml import Element


@define
class Suite:
    """A suite, as far as it has been read.

    Args:
        attributes: What it says of itself.
        properties: The names of its properties.
    """

    attributes: Mapping[str, str]
    properties: set[str] = field(factory=set)

    @property
    def name(self) -> str:
        """Its name."""
        return self.attributes.get("name", "")

    @property
    def counts(self) -> bool:
        """Whether it says how many failed."""
        return self.attributes.get("failures", "").isdecimal()


@define
class Case:
    """A case.

    Args:
        attributes: What it says of itself.
        suites: Those it is in, the outermost first; never empty in a file by a tool.
        wrong: What went wrong in it.
        output: What it printed, the beginning of it.
        expected: Whether it is one that is still to do, which may fail.
    """

    attributes: Mapping[str, str]
    suites: Sequence[Suite]
    wrong: list[Element] = field(factory=list)
    output: str = ""
    expected: bool = False

    @property
    def name(self) -> str:
        """Its name."""
        return self.attributes.get("name", "")

    @property
    def of(self) -> str:
        """Its class, or what the tool writes in the place of one."""
        return self.attributes.get("classname", "")

    @property
    def root(self) -> Suite:
        """The outermost suite."""
        return self.suites[0] if self.suites else Suite({})

    @property
    def suite(self) -> Suite:
        """The innermost suite."""
        return self.suites[-1] if self.suites else Suite({})

    @property
    def file(self) -> str:
        """The file that it names."""
        return relative(self.attributes.get("file", "") or self.attributes.get("filepath", ""))

    @property
    def line(self) -> int | None:
        """The line that it names."""
        said = self.attributes.get("line", "") or self.attributes.get("lineno", "")
        return int(said) if said.isdecimal() and int(said) else None

    def has(self, *properties: str) -> bool:
        """Say whether a suite around it has one of these properties."""
        return any(name in suite.properties for suite in self.suites for name in properties)


@frozen(kw_only=True)
class Told:
    """What a dialect tells of a case; what is empty is told as JUnit itself has it."""

    tool: str
    name: str
    message: str = ""
    file: str = ""
    line: int | None = None
    kind: Kind = "test"
    selector: str = ""
    place: str = ""
    title: str = ""
    confidence: Confidence = "high"


def message_of(element: Element) -> str:
    """Give the message: the attribute, unless the text has more of it."""
    said, text = element.attributes.get("message", "").strip(), (element.text or "").strip()
    if not said or (text.startswith(said.splitlines()[0]) and len(text) > len(said) and "\n" not in said):
        return _head(text, said)
    return said


def _head(text: str, said: str) -> str:
    """Give of a text what comes before its stack."""
    kept: list[str] = []
    for line in text.splitlines():
        if re.match(r"\s+at |\s*#\d+ |Traceback \(|\s*File \"|    /", line) and kept:
            break
        kept.append(line)
    return "\n".join(kept).strip() or said


def last_place(text: str, form: re.Pattern[str]) -> tuple[str, int | None]:
    """Give the last place in a text that is not in a library; `form` has groups for a file and a line."""
    for found in reversed(list(form.finditer(text))):
        file = relative(found[1])
        if not outside(file):
            return file, int(found[2])
    return "", None


def first_place(text: str, form: re.Pattern[str]) -> tuple[str, int | None]:
    """Give the first such place."""
    for found in form.finditer(text):
        file = relative(found[1])
        if not outside(file):
            return file, int(found[2])
    return "", None


def outside(file: str) -> bool:
    """Say whether a path lies in a library or in the tool itself."""
    return any(
        part in file
        for part in ("site-packages/", "node_modules/", "/vendor/", "node:", "/usr/lib/", "/lib/python", "<", "/gems/")
    ) or file.startswith(("vendor/", "internal/"))
