"""Reports of a validation: text, JSON, SARIF 2.1.0, JUnit, annotations of GitHub, and fixes as a diff."""

import difflib
import json
import re
import xml.etree.ElementTree as ET
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from attrs import frozen

from stithy_archdocs.documents.text_decoding import normalize_newlines, split_lines
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.validation.source_checker import CheckOutcome, FixEdit
from stithy_archdocs.validation.validation_results import Violation

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PATH_CHARACTERS = "/!$&'()*+,;=:@"
"""Characters besides letters, digits and `-._~` that stand for themselves in the path of a URI (RFC 3986)."""


@frozen
class CheckedSet:
    """The rules of one document, and what the check found."""

    rules: RuleSet
    outcome: CheckOutcome

    @property
    def violations(self) -> list[Violation]:
        """The violations, by place."""
        return sorted(self.outcome.violations, key=lambda one: (one.file or "", one.line, one.column, one.rule))


LOCATIONS = "the table [archdocs] of stithy.toml has their locations"


def list_gaps(checked: Sequence[CheckedSet]) -> list[str]:
    """Return lines about what was not checked: code, files, and rules that cannot be read or fail their samples."""
    lines = [f"{place.file}:{place.line}: cannot be parsed" for one in checked for place in one.outcome.unparsed]
    lines += [f"Not everything was checked: {reason}" for one in checked for reason in one.outcome.reasons]
    for rules in (one.rules for one in checked):
        lines += [f"Not used: {unread.what}: {unread.reason}" for unread in rules.unread]
        lines += [f"Not used: rule {one.rule.id}: it fails its own samples: {one.reason}" for one in rules.disabled]
    if not lines and not any(one.rules.rules for one in checked):
        lines = [f"Nothing was checked: the documents have no rules; {LOCATIONS}"]
    return list(dict.fromkeys(lines))


def format_text(checked: Sequence[CheckedSet]) -> str:
    """Return a line for each violation, and the counts."""
    lines = [
        f"{_format_place(one)}{one.severity}: {one.description} [{one.rule}]"
        for some in checked
        for one in some.violations
    ]
    files = max((some.outcome.files for some in checked), default=0)
    rules = sum(len(some.outcome.checked) for some in checked)
    known = sum(len(some.outcome.baselined) for some in checked)
    baseline = f", {known} in the baseline" if known else ""
    lines.append(f"{files} files, {rules} rules, {sum(len(some.violations) for some in checked)} violations{baseline}")
    return "\n".join(lines)


def _format_place(one: Violation) -> str:
    """Return `FILE:LINE: `; empty where a rule is about no file."""
    return f"{one.file}:{one.line}: " if one.file else ""


def format_json(checked: Sequence[CheckedSet]) -> str:
    """Return the violations, and what was not checked, as JSON."""
    rows = [
        {"rule": one.rule, "severity": one.severity, "file": one.file, "line": one.line, "message": one.description}
        for some in checked
        for one in some.violations
    ]
    left = [{"what": one.what, "reason": one.reason} for some in checked for one in some.outcome.not_checked]
    reasons = list(dict.fromkeys(reason for some in checked for reason in some.outcome.reasons))
    return json.dumps({"violations": rows, "reasons": reasons, "not_checked": left}, indent=2)


def format_sarif(checked: Sequence[CheckedSet]) -> str:
    """Return a log of SARIF 2.1.0, which forges show at the lines of a change."""
    rules = {
        name: {
            "id": name,
            "shortDescription": {"text": rule.message or name},
            "help": {"text": rule.note or f"See {some.rules.document.path}."},
            "defaultConfiguration": {"level": rule.severity},
        }
        for some in checked
        for name, rule in some.outcome.checked.items()
    }
    notes = [{"level": "warning", "message": {"text": gap}} for gap in list_gaps(checked)]
    run = {
        "tool": {"driver": {"name": "stithy archdocs", "rules": list(rules.values())}},
        "results": [_make_sarif_result(one) for some in checked for one in some.violations],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "columnKind": "unicodeCodePoints",
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _make_sarif_result(one: Violation) -> Mapping[str, object]:
    region = {"startLine": one.line, "startColumn": max(1, one.column), "endLine": max(one.line, one.last_line)}
    artifact = {"uri": quote(one.file or "", safe=_PATH_CHARACTERS), "uriBaseId": "%SRCROOT%"}
    place = {"artifactLocation": artifact, "region": region}
    return {
        "ruleId": one.rule,
        "level": one.severity,
        "message": {"text": one.description},
        "locations": [{"physicalLocation": place}],
    }


def format_junit(checked: Sequence[CheckedSet]) -> str:
    """Return JUnit XML: a suite for each document, a case for each rule; what was not checked is skipped."""
    root = ET.Element("testsuites", name="stithy archdocs validate")
    for some in checked:
        names = list(dict.fromkeys([*some.outcome.checked, *(one.rule for one in some.violations)]))
        suite = ET.SubElement(root, "testsuite", name=some.rules.document.path)
        failed = 0
        for name in names:
            case = ET.SubElement(suite, "testcase", classname=some.rules.document.path, name=name)
            found = [one for one in some.violations if one.rule == name]
            failed += bool(found)
            if found:
                said = "\n".join(_escape_xml(f"{_format_place(one)}{one.description}") for one in found)
                failure = ET.SubElement(case, "failure", message=said.split("\n")[0], type=found[0].severity)
                failure.text = said
        skipped = some.outcome.not_checked
        for left in skipped:
            case = ET.SubElement(suite, "testcase", classname=some.rules.document.path, name=_escape_xml(left.what))
            ET.SubElement(case, "skipped", message=_escape_xml(left.reason))
        for key, count in (("tests", len(names) + len(skipped)), ("failures", failed), ("skipped", len(skipped))):
            suite.set(key, str(count))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode")


def _escape_xml(text: str) -> str:
    """Replace the characters that XML 1.0 does not allow (section 2.2)."""
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def format_github(checked: Sequence[CheckedSet]) -> str:
    """Return commands by which a workflow of GitHub, Gitea or Forgejo annotates lines."""
    return "\n".join(
        f"::{one.severity} file={_escape_property(one.file or '')},line={one.line},"
        f"endLine={max(one.line, one.last_line)},"
        f"title={_escape_property(one.rule)}::{_escape_command(one.description)}"
        for some in checked
        for one in some.violations
    )


def _escape_command(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_command(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: Mapping[str, Callable[[Sequence[CheckedSet]], str]] = {
    "text": format_text,
    "json": format_json,
    "sarif": format_sarif,
    "junit": format_junit,
    "github": format_github,
}


def format_fixes(root: Path, checked: Sequence[CheckedSet]) -> str:
    """Return what rules would write instead, as a diff that `git apply` understands."""
    by_path: dict[str, list[FixEdit]] = {}
    for some in checked:
        for one in some.outcome.fixes:
            by_path.setdefault(one.path, []).append(one)
    files = ProjectFiles(root=root)
    texts = ((path, files.read_exact(path), edits) for path, edits in sorted(by_path.items()))
    return "".join(line for path, text, edits in texts for line in _diff(path, text, edits))


def _diff(path: str, text: str, edits: Sequence[FixEdit]) -> Iterator[str]:
    fixed = apply_edits(text, edits)
    for line in difflib.unified_diff(split_lines(text), split_lines(fixed), f"a/{path}", f"b/{path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def apply_edits(exact: str, edits: Sequence[FixEdit]) -> str:
    """Apply edits from the last to the first; of two that overlap, only the later one.

    Args:
        exact: The text with its own line ends and byte order mark; edits count neither.
        edits: The edits.
    """
    mark = len(exact) - len(exact.removeprefix("\ufeff"))
    text = normalize_newlines(exact[mark:])
    shortened = [one.start() - at for at, one in enumerate(re.finditer("\r\n", exact[mark:]))]
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    limit = len(text) + 1
    places = {(starts[one.line - 1] + one.column - 1, one.text, one.fix) for one in edits if one.line < len(starts)}
    for start, old, new in sorted(places, reverse=True):
        end = start + len(old)
        if text[start:end] == old and end <= limit:
            first, last = (at + mark + bisect_left(shortened, at) for at in (start, end))
            exact = exact[:first] + (new.replace("\n", "\r\n") if shortened else new) + exact[last:]
            limit = start
    return exact
