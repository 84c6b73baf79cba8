"""Dialects of GoogleTest, ctest, Catch2, doctest, Swift's runner, `terraform test`, ESLint, oxlint and Biome."""

import re

from attrs import evolve

from ci_failures.nested_failures import OF_GTEST
from ci_failures.parsers.text_helpers import join_message
from ci_failures.results.dialects.case import Case, DialectCase, first_place
from ci_failures.results.xml import Element

SOURCE = re.compile(r"^[ \t]*(?:at )?([^\s:(]{1,300}\.\w{1,5})[:(](\d{1,7})\)?", re.MULTILINE)
PLACE_ALONE = re.compile(r"\A(?:[^\s:]{1,300}:\d{1,7}|unknown file)\n")
TERRAFORM = re.compile(r"^  on (\S[^\n]{0,300}?) line (\d{1,7})[,:]", re.MULTILINE)
LINT = re.compile(r"line (\d{1,7}), col (\d{1,7}), \w+ - (.*?) \(([^()\s]+)\)\s*$", re.DOTALL)

KEPT = 15
"""The last lines of output, which are kept."""
FINDING = re.compile(r"line (\d{1,7}), col(?:umn)? (\d{1,7}), ")
FINDERS = {"Biome": "org.biome.", "Oxlint": ""}
"""The linters whose suites are files and whose cases are rules, with what they put before a rule."""


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of C++, Swift, Terraform or a linter."""
    status = case.attributes.get("status", "")
    if case.suite.attributes.get("package") == "org.eslint" or case.root.name in FINDERS:
        return _find(case, wrong) if case.root.name in FINDERS else _lint(case, wrong)
    if status == "run" and ("result" in case.attributes or case.root.name == "AllTests"):
        return _placed("gtest", f"{case.of}.{case.name}", wrong)
    if status in {"fail", "run", "notrun"} and case.of == case.name:
        return DialectCase(tool="ctest", name=case.name, message=wrong.attributes.get("message") or _output(case))
    if case.suite.attributes.get("hostname") == "tbd" and case.of.startswith(f"{case.suite.name}."):
        return _placed("catch2", case.name, wrong)
    if "doctest_version" in case.suite.attributes:
        # Its list contains expected failures without marking them.
        return evolve(_placed("doctest", case.name.strip(), wrong), confidence="medium")
    return _swift(case) or _terraform(case, wrong)


def _output(case: Case) -> str:
    """Return which tests of gtest the output of a test of ctest names, else the end of the output."""
    named = "\n".join(f"[  FAILED  ] {name}" for name in dict.fromkeys(OF_GTEST.findall(case.output)))
    return named or join_message(case.output.splitlines()[-KEPT:])


def _swift(case: Case) -> DialectCase | None:
    swift = case.suite.name == "TestResults" and "." in case.of
    return DialectCase(tool="swift", name=f"{case.of}/{case.name}") if swift else None


def _terraform(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a run of a file of tests."""
    if not case.of.endswith((".tftest.hcl", ".tftest.json")):
        return None
    found = TERRAFORM.search(wrong.text or "")
    file, line = (found[1], int(found[2])) if found else (case.of, None)
    return DialectCase(tool="terraform", name=f"{case.of} > {case.name}", file=file, line=line, selector=case.of)


def _placed(tool: str, name: str, wrong: Element) -> DialectCase:
    """Return a test with the first place in its failure."""
    message = PLACE_ALONE.sub("", wrong.attributes.get("message", ""))
    file, line = first_place(f"{wrong.attributes.get('message', '')}\n{wrong.text or ''}", SOURCE)
    return DialectCase(tool=tool, name=name, message=message.strip(), file=file, line=line, selector=name)


def _lint(case: Case, wrong: Element) -> DialectCase | None:
    found = LINT.search(wrong.text or "") or LINT.search(wrong.attributes.get("message", ""))
    if not found:
        return None
    file = case.suite.name.replace("\\", "/")
    name = f"{found[4]} {file}:{found[1]}:{found[2]}"
    return DialectCase(tool="eslint", kind="lint", name=name, message=found[3], file=file, line=int(found[1]))


def _find(case: Case, wrong: Element) -> DialectCase:
    """Return a finding of Biome or oxlint, whose rules may have several findings in one file."""
    prefix, file = FINDERS[case.root.name], case.suite.name.replace("\\", "/")
    rule = case.name.removeprefix(prefix).replace(".", "/") if prefix else case.name
    found = FINDING.match(wrong.text or "")
    place, line = (f":{found[1]}:{found[2]}", int(found[1])) if found else ("", None)
    message = wrong.attributes.get("message", "")
    tool = case.root.name.lower()
    return DialectCase(tool=tool, kind="lint", name=f"{rule} {file}{place}", message=message, file=file, line=line)
