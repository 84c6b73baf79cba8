"""Dialects of the JVM: Surefire and Failsafe, Gradle, JUnit's console launcher, Ant, and sbt."""

import re

from ci_failures.parsers.jvm.exception_trace import Trace
from ci_failures.parsers.jvm.surefire_names import bare, pattern
from ci_failures.parsers.jvm.zio import ZioBlock
from ci_failures.results.dialects.case import Case, DialectCase
from ci_failures.results.xml import Element

CONSOLE = re.compile(r"unique-id: (\S+)")
DISPLAYED = re.compile(r"^display-name: (.+)$", re.MULTILINE)
NUMBERED = re.compile(r"\[\d+\]$")
BEFORE_ANY = {"classMethod", "initializationError", "executionError"}
"""Gradle's name of a method if a class failed before any."""
ABORTED = "(It is not a test it is a sbt.testing."
SBT = {"org.scalatest.": "scalatest", "munit.": "munit", "org.specs2.": "specs2", "org.junit.": "junit-interface"}
"""Packages in the exceptions of sbt's test frameworks."""
ZIO = "at zio.test."
BARE_COLOURS = re.compile(r"\[\d{1,3}m")
"""Scala's XML has colours without their escapes."""
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of the JVM according to its suite."""
    tool = _tool(case)
    if not tool:
        return None
    if tool == "sbt":
        return _sbt(case, wrong)
    of, method = _class_of(case), case.name
    trace = Trace()
    for text in (wrong.text or "").splitlines():
        trace.take(text)
    if tool == "surefire":
        of = trace.class_of(of, re.split(r"[(\[{]", method)[0])
    file, line = trace.place(of)
    method = "" if method == of else method.removesuffix("()") or method
    sign = "#" if tool in {"surefire", "junit-console"} else "."
    return DialectCase(
        tool=tool,
        name=f"{of}{sign}{method}" if method else of,
        message=trace.message,
        file=file,
        line=line,
        selector=_selector(tool, of, method),
        title=_title(case, of, method) if tool == "junit-console" else "",
    )


def _class_of(case: Case) -> str:
    """Return the class of a case; for Spock's, Surefire has the package only in the suite."""
    suite = case.suite.name
    return suite if not case.of or suite.endswith(f".{case.of}") else case.of


def _sbt(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of sbt, whose framework the stack shows."""
    text = f"{wrong.attributes.get('type', '')}\n{wrong.text or ''}"
    if ZIO in text and case.name.startswith(" - "):
        return _zio(case, wrong)
    found = (tool for package, tool in SBT.items() if text.startswith(package) or f"at {package}" in text)
    tool = next(found, "specs2" if "::" in case.name else "")
    if not tool:
        return None
    trace = Trace()
    for line in (wrong.text or "").splitlines():
        trace.take(line)
    file, row = trace.place(case.of)
    name = case.of if case.name.startswith(ABORTED) else f"{case.of}.{case.name}"
    return DialectCase(tool=tool, name=name, message=trace.message, file=file, line=row)


def _zio(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of ZIO Test: its exception contains the log's text, behind the name once more."""
    block = ZioBlock(f"{case.of.rpartition('.')[2]}{case.name}", 0, 0)
    for line in (wrong.text or "").splitlines()[1:]:
        if line.startswith("\tat "):
            break
        if text := BARE_COLOURS.sub("", line).strip():
            block.say(text)
    one = block.failure()
    selector = f"{case.of}\t{one.selector}"
    return DialectCase(
        tool=one.tool, name=one.name, message=one.message, file=one.file, line=one.line, selector=selector
    )


def _title(case: Case, of: str, method: str) -> str:
    """Return the name in logs of a case that has a number in the report."""
    found = DISPLAYED.search(case.output)
    return f"{of}#{NUMBERED.sub('', method)} {found[1]}" if found and NUMBERED.search(method) else ""


def _selector(tool: str, of: str, method: str) -> str:
    """Return the selector of a test with all its cases; no report has its module."""
    if tool == "surefire":
        chosen = pattern(method) if method else ""
        return f"test={of}#{chosen}" if chosen else f"test={of}"
    if tool == "gradle":
        plain = bare(method)
        return f"{of}.{plain}" if plain and plain not in BEFORE_ANY else of
    return ""


def _tool(case: Case) -> str:
    schema = " ".join(value for suite in case.suites for value in suite.attributes.values() if "surefire" in value)
    if schema or case.has("surefire.test.class.path", "surefire.real.class.path", "maven.home"):
        return "surefire"
    if case.suite.name.startswith("JUnit ") and CONSOLE.search(case.output):
        return "junit-console"
    if case.has("ant.version", "ant.project.name"):
        return "ant"
    if case.has("java.vm.name") and case.of == case.suite.name:
        return "sbt"
    attributes = case.suite.attributes
    if "ignored" in attributes:  # TestNG's own files, beside those of the program that runs it
        return ""
    lone = len(case.suites) == 1 and "file" not in case.attributes and not case.suite.properties
    told = {"hostname", "skipped", "failures"} <= attributes.keys() and STAMP.match(attributes.get("timestamp", ""))
    return "gradle" if lone and told and case.of else ""
