"""The tool that wrote a case of JUnit XML, and its name of the test; each dialect is tried in turn."""

from ci_failures.model import Failure
from ci_failures.parsers.common import relative
from ci_failures.results.dialects import go_rust, javascript, jvm, native, python, scripting
from ci_failures.results.dialects.case import Case, Told, message_of
from ci_failures.results.xml import Element

DIALECTS = (python.told, javascript.told, go_rust.told, scripting.told, native.told, jvm.told)
GENERIC = "junit"
"""The tool of a case that no dialect recognizes."""


def named(case: Case, wrong: Element) -> Failure:
    """Return the failure of a case, with its tool's own name if a dialect recognizes it."""
    told = next((one for dialect in DIALECTS if (one := dialect(case, wrong))), None) or _plain(case)
    file, line = (told.file, told.line) if told.file else (case.file, case.line)
    return Failure(
        tool=told.tool,
        kind=told.kind,
        name=told.name,
        message=told.message or message_of(wrong),
        file=relative(file),
        line=line,
        selector=told.selector,
        place=told.place,
        title=told.title,
        confidence=told.confidence,
    )


def _plain(case: Case) -> Told:
    name = ".".join(part for part in (case.of, case.name) if part)
    return Told(tool=GENERIC, name=name or case.suite.name or "a case without a name")
