"""Dialects of Go and Rust: go-junit-report and gotestsum; nextest."""

import re
from collections.abc import Sequence

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.go_package import SPECS
from ci_failures.parsers.go_rust.golang import Packages, selector
from ci_failures.parsers.go_rust.golang import parse_output as parse_go_output
from ci_failures.results.dialects.case import Case, DialectCase, first_place
from ci_failures.results.xml import Element

PANICKED = re.compile(r"panicked at (?:'.{0,1000}', )?([^\s:]{1,300}\.rs):(\d{1,7})")
TEST = re.compile(r"(?:Test|Example|Fuzz|Benchmark)(?:[A-Z0-9_\W]|$)")
FRAMES = ("=== ", "--- ", "FAIL", "ok  \t", "PASS", "exit status")


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of Go or Rust."""
    text, failed = wrong.text or "", wrong.attributes.get("message") == "Failed"
    if case.has("go.version") or (case.of == case.suite.name and TEST.match(case.name) and (failed or ".go:" in text)):
        return _go(case, wrong)
    if case.root.name == "nextest-run":
        file, line = first_place(wrong.text or "", PANICKED)
        only = f"binary_id(={case.of}) & test(={case.name})"
        return DialectCase(tool="nextest", name=f"{case.of} {case.name}", file=file, line=line, selector=only)
    return None


def add_folders(failures: Sequence[Failure]) -> list[Failure]:
    """Return failures of Go with the folders of their packages, as far as the packages of the file show them."""
    packages = Packages()
    for one in failures:
        if one.tool == "go" and one.place:
            packages.add(one.place)
    return [packages.add_folder(one) if one.tool == "go" else one for one in failures]


def _go(case: Case, wrong: Element) -> DialectCase:
    package = case.suite.name or case.of
    lines = [line for line in (wrong.text or "").splitlines() if not line.lstrip().startswith(FRAMES)]
    if not TEST.match(case.name) or (case.name == "TestMain" and not case.of):
        # a package that was not built, or whose tests never ran
        kind = "compile" if "[build failed]" in f"{wrong.attributes.get('message', '')}{wrong.text}" else "test"
        return DialectCase(tool="go", kind="compile" if kind == "compile" else "test", name=package, place=package)
    if begin := next((at for at, text in enumerate(lines) if SPECS.match(text)), 0):
        lines = lines[begin:]  # a suite of another framework, which only sums up its failures
    message, file, line, _ = ("\n".join(lines), "", None, True) if begin else parse_go_output(lines)
    return DialectCase(
        tool="go", name=f"{package}.{case.name}", message=message, file=file, line=line, selector=selector(case.name),
        place=package,
    )  # fmt: skip
