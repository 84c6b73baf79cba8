"""The forms of a report that other programs read: annotations of GitHub, GitLab's code quality, SARIF and JUnit XML.

What tests print is untrusted: it never becomes a command of the runner in whose log a form is printed.
"""

import hashlib
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from ci_failures.failure_report import Report
from ci_failures.model import Failure
from ci_failures.report_format import dump_json

COMMAND = re.compile(r"##(?=\[|vso\[)")
"""The beginning of commands that GitHub's and Azure's runners find anywhere in a line."""
LEADING = re.compile(r"(^\s*):(?=:)", re.MULTILINE)
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML cannot hold."""
HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNKNOWN = "It is not known whether anything failed."


def format_github(report: Report) -> Iterator[str]:
    """Iterate over workflow commands, one a line: errors, warnings for flaky tests, and what may be missing."""
    for one in (*report.failures, *report.flaky):
        yield _command("warning" if one.flaky else "error", f"{one.tool}: {one.name}", one.message or "failed", one)
    for gap in report.gaps or ((UNKNOWN,) if report.status == "unknown" else ()):
        yield _command("warning", "incomplete", gap)


def _command(level: str, title: str, message: str, failure: Failure | None = None) -> str:
    """Return a workflow command, escaped as the runner of GitHub unescapes it."""
    place = failure if failure and _is_inside(failure.file) else None
    properties = {"file": place.file, "line": place.line} if place else {}
    pairs = (f"{name}={_escape(str(text), ':,')}" for name, text in ({**properties, "title": title}).items() if text)
    return f"::{level} {','.join(pairs)}::{_escape(message)}"


def _escape(text: str, more: str = "") -> str:
    text = COMMAND.sub("# #", HIDDEN.sub("", text))
    for character in ("%", "\r", "\n", *more):
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def format_gitlab(report: Report) -> Iterator[str]:
    """Iterate over the one JSON document, a report of code quality; what has no file is placed in its log."""
    yield dump_json(
        [
            {
                "description": f"{one.failure.name}: {one.failure.message}",
                "check_name": f"{one.failure.tool}/{one.failure.kind}",
                "fingerprint": _fingerprint(one.failure),
                "severity": "info" if one.failure.flaky else "minor" if one.failure.kind == "lint" else "major",
                "location": {
                    "path": one.failure.file or one.reports[0].origin,
                    "lines": {"begin": one.failure.line or 1},
                },
            }
            for one in report.entries
        ]
    )


def _fingerprint(failure: Failure) -> str:
    """Return what identifies a failure in later reports: not its line, which moves."""
    parts = (failure.tool, failure.kind, failure.place, failure.name)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def format_sarif(report: Report) -> Iterator[str]:
    """Iterate over the one JSON document: SARIF 2.1.0 with one run."""
    ones = [*report.failures, *report.flaky]
    rules = dict.fromkeys(f"{one.tool}/{one.kind}" for one in ones)
    notes = [{"level": "warning", "message": {"text": gap}} for gap in report.gaps]
    run = {
        "tool": {"driver": {"name": "ci-failures", "rules": [{"id": rule} for rule in rules]}},
        "invocations": [{"executionSuccessful": not report.unreadable, "toolExecutionNotifications": notes}],
        "results": [_sarif_result(one) for one in ones],
    }
    yield dump_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _sarif_result(failure: Failure) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": f"{failure.tool}/{failure.kind}",
        "level": "warning" if failure.flaky else "error",
        "message": {"text": f"{failure.name}: {failure.message}"},
        "partialFingerprints": {"failure/v1": _fingerprint(failure)},
    }
    if _is_inside(failure.file):
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(failure.file)}}
        if failure.line:
            place["region"] = {"startLine": failure.line}
        result["locations"] = [{"physicalLocation": place}]
    return result


def format_junit(report: Report) -> Iterator[str]:
    """Iterate over the lines of JUnit XML: a suite for each tool; an unknown status is an error."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<testsuites>"
    ones = sorted((*report.failures, *report.flaky), key=lambda one: one.tool)
    for tool, group in groupby(ones, key=lambda one: one.tool):
        cases = list(group)
        failed = sum(not one.flaky for one in cases)
        yield f'<testsuite name={_attribute(tool)} tests="{len(cases)}" failures="{failed}">'
        yield from map(_test_case, cases)
        yield "</testsuite>"
    if report.status == "unknown":
        gaps = "\n".join(report.gaps) or UNKNOWN
        yield '<testsuite name="ci-failures" tests="1" errors="1"><testcase name="unknown">'
        yield f"<error message={_attribute(UNKNOWN)}>{_text(gaps)}</error></testcase></testsuite>"
    elif report.gaps:
        gaps = "\n".join(report.gaps)
        yield f'<testsuite name="ci-failures" tests="0"><system-err>{_text(gaps)}</system-err></testsuite>'
    yield "</testsuites>"


def _test_case(failure: Failure) -> str:
    words = {"classname": failure.place or failure.tool, "name": failure.name, "file": failure.file}
    attributes = "".join(f" {name}={_attribute(text)}" for name, text in words.items() if text)
    attributes += f' line="{failure.line}"' if failure.line else ""
    first = failure.message.partition("\n")[0]
    element = "flakyFailure" if failure.flaky else "failure"
    inner = (
        f"<{element} type={_attribute(failure.kind)} message={_attribute(first)}>{_text(failure.message)}</{element}>"
    )
    return f"<testcase{attributes}>{inner}</testcase>"


def _text(text: str) -> str:
    """Return XML text; a line that begins with `::` would be a command of GitHub's runner."""
    return LEADING.sub(r"\1&#58;", COMMAND.sub("#&#35;", escape(FORBIDDEN.sub("", text))))


def _attribute(text: str) -> str:
    return COMMAND.sub("#&#35;", quoteattr(FORBIDDEN.sub("", text)))


def _is_inside(file: str) -> bool:
    """Check whether a file is given by a path within the repository."""
    return bool(file) and not file.startswith(("/", "../")) and file[1:2] != ":"
