"""A case of JUnit XML as the dialects read it."""

import re
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from ci_failures.model import Confidence, Kind
from ci_failures.parsers.text_helpers import parse_number, relative
from ci_failures.results.xml import Element


@define
class Suite:
    """A suite, as far as it has been read.

    Args:
        attributes: Its attributes.
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
        """Whether it has a total of failures."""
        return self.attributes.get("failures", "").isdecimal()


@define
class Case:
    """A case.

    Args:
        attributes: Its attributes.
        suites: The suites around it, the outermost first; never empty in a tool's own file.
        wrong: Its failures.
        output: The beginning of its output.
        expected: Whether it is an expected failure, as of a test that is still to do.
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
        """Its class, or what the tool writes instead."""
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
        """The file in its attributes."""
        return relative(self.attributes.get("file", "") or self.attributes.get("filepath", ""))

    @property
    def line(self) -> int | None:
        """The line in its attributes."""
        said = self.attributes.get("line", "") or self.attributes.get("lineno", "")
        return parse_number(said) or None

    def has(self, *properties: str) -> bool:
        """Check whether a suite around it has one of these properties."""
        return any(name in suite.properties for suite in self.suites for name in properties)


@frozen(kw_only=True)
class DialectCase:
    """What a dialect reads from a case; for empty fields, JUnit's own apply."""

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


FRAME = re.compile(
    r"\s+at (?:(?=[^\s(]*\.)[^\s(]+\(|(?=.*[./\\(<]).*:(?:line )?\d+\)?$|.*\((?:<anonymous>|native|index \d+)\)$"
    r"|<anonymous>$)|\s*#0 |Traceback \(|\s*File \"|    /"
)
"""A line of a stack; one of a message may also begin with `at`, or with another number."""
TRACEBACK = "Traceback ("
NODE_INTERNALS = re.compile(r"internal/(?:[a-z_]+/)*[a-z_]+\.js$")
"""Modules of Node before 16, which names them `node:internal/…`; a project's own folder has other files, too."""


def message_of(element: Element) -> str:
    """Return the message: the attribute, unless the text contains more of it."""
    said, text = element.attributes.get("message", "").strip(), (element.text or "").strip()
    if not said or (text.startswith(said.splitlines()[0]) and len(text) > len(said) and "\n" not in said):
        return _head(text, said)
    return said


def _head(text: str, said: str) -> str:
    """Return the part of a text before its stack; of a traceback, which has it at its end, the error below it."""
    if text.startswith(TRACEBACK):
        return _last_error(text) or said
    kept: list[str] = []
    for line in text.splitlines():
        if FRAME.match(line) and kept:
            break
        kept.append(line)
    return "\n".join(kept).strip() or said


def _last_error(text: str) -> str:
    """Return the error at the end of a traceback, or of the last of several."""
    lines = text[text.rfind(TRACEBACK) :].splitlines()
    at = next((index for index, line in enumerate(lines) if index and line[:1].strip()), len(lines))
    return "\n".join(lines[at:]).strip()


def last_place(text: str, form: re.Pattern[str]) -> tuple[str, int | None]:
    """Return the last place in a text outside of libraries; `form` has groups for a file and a line."""
    for found in reversed(list(form.finditer(text))):
        file = relative(found[1])
        if not outside(file):
            return file, parse_number(found[2])
    return "", None


def first_place(text: str, form: re.Pattern[str]) -> tuple[str, int | None]:
    """Return the first such place."""
    for found in form.finditer(text):
        file = relative(found[1])
        if not outside(file):
            return file, parse_number(found[2])
    return "", None


def outside(file: str) -> bool:
    """Check whether a path is in a library or in the tool itself."""
    return (
        any(
            part in file
            for part in (
                "site-packages/",
                "node_modules/",
                "/vendor/",
                "node:",
                "/usr/lib/",
                "/lib/python",
                "<",
                "/gems/",
            )
        )
        or file.startswith("vendor/")
        or NODE_INTERNALS.match(file) is not None
    )
