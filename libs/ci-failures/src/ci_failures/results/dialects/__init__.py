"""The tool that wrote a case of JUnit XML, and its name of the test; each dialect is tried in turn."""

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.dialects import go_rust, javascript, jvm, native, python, scripting
from ci_failures.results.dialects.case import Case, DialectCase, message_of
from ci_failures.results.xml import Element

DIALECTS = (
    python.parse_case,
    javascript.parse_case,
    go_rust.parse_case,
    scripting.parse_case,
    native.parse_case,
    jvm.parse_case,
)
GENERIC = "junit"
"""The tool of a case that no dialect recognizes."""


def create_failure(case: Case, wrong: Element) -> Failure:
    """Return the failure of a case, with its tool's own name if a dialect recognizes it."""
    found = next((one for dialect in DIALECTS if (one := dialect(case, wrong))), None) or _plain(case)
    file, line = (found.file, found.line) if found.file else (case.file, case.line)
    return Failure(
        tool=found.tool,
        kind=found.kind,
        name=found.name,
        message=found.message or message_of(wrong),
        file=relative(file),
        line=line,
        selector=found.selector,
        place=found.place,
        title=found.title,
        confidence=found.confidence,
    )


def _plain(case: Case) -> DialectCase:
    name = ".".join(part for part in (case.of, case.name) if part)
    return DialectCase(tool=GENERIC, name=name or case.suite.name or "a case without a name")
