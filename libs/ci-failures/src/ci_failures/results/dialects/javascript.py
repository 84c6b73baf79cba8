"""Dialects of JavaScript.

Jest-junit, vitest, mocha's xunit and mocha-junit-reporter, node:test, karma-junit-reporter, Playwright and bats.
"""

import json
import re
from html import unescape

from ci_failures.parsers.javascript.karma_blocks import SERVED
from ci_failures.parsers.javascript.patterns import escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.dialects.case import Case, DialectCase, message_of
from ci_failures.results.xml import Element

NODE = {
    "testCodeFailure",
    "subtestsFailed",
    "testTimeoutFailure",
    "cancelledByParent",
    "hookFailed",
    "uncaughtException",
}
SIGN = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
ARROW = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
BROWSER = re.compile(
    rf"^[ \t]*((?:\[[^\]\n]{{1,100}}\] {SIGN} )?([^\s{SIGN}:]{{1,300}}):(\d{{1,7}}):\d{{1,7}} )"
    rf"{SIGN} (.{{1,1000}}?)[ ─]{{0,200}}$",
    re.MULTILINE,
)
HOOKS = "Test execution failure: could be caused by test hooks like 'afterAll'."
UNRUN = "Test suite failed to run"
"""What jest-junit calls an error outside of the tests and, with `reportTestSuiteErrors`, a file that did not run."""
TAGS = re.compile(r"(?: @[\w-]+)+$")
POINTER = re.compile(rf"^[ \t]*{ARROW} (?:.{{0,200}} )?([^\s:]{{1,300}}):(\d{{1,7}}):\d{{1,7}}$", re.MULTILINE)


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of JavaScript."""
    if HOOKS in case.name or (UNRUN in f"{case.of} {case.name}" and case.suite.attributes.get("errors", "0") != "0"):
        return _jest_file(case, wrong)
    if by_root := ROOTS.get(case.root.name):
        return by_root(case, wrong)
    if "failure" in case.attributes and wrong.attributes.get("type") in NODE:
        return _node(case, wrong)
    if case.has("browser.fullName"):
        return _karma(case, wrong)
    if found := BROWSER.search(wrong.text or ""):
        return _playwright(case, found)
    bats = case.suite.name.endswith(".bats")
    return DialectCase(tool="bats", name=f"{case.suite.name} > {case.name}", file=case.suite.name) if bats else None


def _jest(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of jest-junit; users set its template, and by default class and name are the title twice."""
    title = case.name if case.name.startswith(case.of) or case.of.endswith(".js") else f"{case.of} {case.name}"
    title = (case.name if case.of == case.name else title).strip()
    file, line = _framed(wrong.text or "", case.file)
    name = f"{case.file} {SIGN} {title}" if case.file else title
    return DialectCase(tool="jest", name=name, file=file, line=line, selector=case.file)


def _stack(text: str) -> str:
    """Return the stack of an error in JSON; empty if there is none."""
    try:
        return str(json.loads(text).get("stack", ""))
    except ValueError:  # a long text was cut
        return text.replace("\\n", "\n")


def _jest_file(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of jest-junit that is a file: its text may be an error in JSON; its name may end with the file."""
    text = (wrong.text or "").strip()
    if text.startswith("{"):
        text = _stack(text)
    found, line = _framed(text, case.file)
    file = found if HOOKS in case.name else relative(f"{case.of} {case.name}".rpartition(UNRUN)[2].strip())
    message = message_of(Element(wrong.tag, {}, text))
    if not file:
        return DialectCase(tool="jest", name=case.name.strip(), message=message)
    line = line if file == found else None
    return DialectCase(tool="jest", kind="compile", name=file, message=message, file=file, line=line, selector=file)


def _vitest(case: Case, wrong: Element) -> DialectCase:
    if case.of == case.name:  # a file that could not be run
        return DialectCase(tool="vitest", kind="compile", name=case.of, file=case.of)
    found = POINTER.search(wrong.text or "")
    file, line = (found[1], int(found[2])) if found else _framed(wrong.text or "", case.of)
    selector = f"{escape_pattern(case.name).replace(' > ', ' (> )?')}$"
    return DialectCase(tool="vitest", name=f"{case.of} > {case.name}", file=file, line=line, selector=selector)


def _mocha(case: Case, wrong: Element) -> DialectCase:
    """Parse a case: Mocha's own reporter has the suites as class; the other one the title as name and class."""
    whole = case.name if case.name.endswith(case.of) else f"{case.of} {case.name}"
    file, line = _framed(wrong.text or "", "")
    spec = next((path for suite in case.suites if ".cy." in (path := suite.attributes.get("file", ""))), "")
    if spec:
        file = file or relative(spec)
        return DialectCase(tool="cypress", name=whole.strip(), file=file, line=line, selector=relative(spec))
    return DialectCase(
        tool="mocha", name=whole.strip(), file=file, line=line, selector=f"{escape_pattern(whole.strip())}$"
    )


def _node(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of node:test, whose names are escaped twice; a file that did not load is a test with its name."""
    titles = [unescape(name) for name in (*(suite.name for suite in case.suites[1:]), case.name) if name]
    file, line = _framed(wrong.text or "", case.file)
    if relative(titles[-1]) == case.file or (not case.file and titles[-1].startswith("/")):
        return DialectCase(tool="node:test", name=relative(titles[-1]), file=relative(titles[-1]))
    return DialectCase(tool="node:test", name=" > ".join([*filter(None, [case.file]), *titles]), file=file, line=line)


def _karma(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of karma-junit-reporter, whose class is the browser's name and the suite; the name is the title."""
    text = re.sub(SERVED, "", wrong.text or "")
    file, line = _framed(text, "")
    name = case.name.removeprefix(" ")  # of a test without a suite
    return DialectCase(tool="karma", name=name, file=file, line=line)


def _playwright(case: Case, found: re.Match[str]) -> DialectCase:
    """Parse a case of Playwright: failures begin with the line that logs have, too, and may contain the failed step."""
    titles = found[4]
    tags = TAGS.search(titles)
    if titles.startswith(case.name):
        titles = f"{case.name}{tags[0] if tags and not case.name.endswith(tags[0]) else ''}"
    return DialectCase(
        tool="playwright",
        name=f"{found[1]}{SIGN} {titles}",
        file=relative(found[2]),
        line=int(found[3]),
        selector=f"{found[2]}:{found[3]}",
    )


def _framed(text: str, preferred: str) -> tuple[str, int | None]:
    """Return the first frame of the repository; one in the test's own file is not better than one that it calls."""
    found = next((place for line in text.splitlines() if (place := frame(line))), None)
    return found or (preferred, None)


def _tap(case: Case, wrong: Element) -> DialectCase:
    """Parse a case of node-tap, whose class has the file and the titles around it."""
    file, line = _framed(wrong.text or "", case.file)
    name = f"{case.of} > {case.name}" if case.of else case.name
    return DialectCase(tool="tap", name=name, file=file, line=line or case.line, selector=case.file)


ROOTS = {"TAP Tests": _tap, "jest tests": _jest, "vitest tests": _vitest, "Mocha Tests": _mocha}
