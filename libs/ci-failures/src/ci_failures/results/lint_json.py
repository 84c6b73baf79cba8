"""Reports of linters: SARIF, GitLab's code quality, Reviewdog's form, JSON of linters for the web and of revive."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import relative
from ci_failures.results.json_document import (
    as_mapping,
    as_number,
    as_text,
    iterate_lines,
    list_mappings,
    load_document,
)
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text

Place: TypeAlias = tuple[str, int | None, int | None]
"""Path, line and column."""
SEVERE = 2
"""ESLint's severity of errors."""


def create_finding(tool: str, rule: str, place: Place, message: str) -> Failure:
    """Create a finding of a linter, which is named by its rule and its place."""
    path, line, column = place
    file = relative(path)
    where = ":".join(str(part) for part in (file, line, column) if part)
    return Failure(tool=tool, kind="lint", name=f"{rule} {where}".strip(), message=message, file=file, line=line)


def read_sarif(text: Text, tally: Tally) -> None:
    """Read the errors and warnings of all runs that are not suppressed.

    Raises:
        UnreadableFile: It is not JSON.
    """
    for run in list_mappings(as_mapping(load_document(text)).get("runs")):
        driver = as_mapping(as_mapping(run.get("tool")).get("driver"))
        tool = as_text(driver.get("name")).lower() or "sarif"
        levels = {
            as_text(rule.get("id")): as_mapping(rule.get("defaultConfiguration")).get("level")
            for rule in list_mappings(driver.get("rules"))
        }
        for result in list_mappings(run.get("results")):
            rule = as_text(result.get("ruleId")) or as_text(as_mapping(result.get("rule")).get("id"))
            level = result.get("level") or levels.get(rule) or "warning"
            fails = result.get("kind", "fail") == "fail" and level in {"error", "warning"}
            if fails and not result.get("suppressions"):
                _record_result(tool, rule, result, tally)
            else:
                tally.ran += 1


def _record_result(tool: str, rule: str, result: Mapping[str, Any], tally: Tally) -> None:
    places = list_mappings(result.get("locations"))
    physical = as_mapping(places[0].get("physicalLocation")) if places else {}
    region = as_mapping(physical.get("region"))
    path = as_text(as_mapping(physical.get("artifactLocation")).get("uri"))
    message = as_mapping(result.get("message"))
    place = path, as_number(region.get("startLine")), as_number(region.get("startColumn"))
    said = as_text(message.get("text")) or as_text(message.get("markdown"))
    tally.record_failed(create_finding(tool, rule, place, said))


def read_code_climate(text: Text, tally: Tally) -> None:
    """Read a report of GitLab's code quality.

    Raises:
        UnreadableFile: It is not JSON.
    """
    for issue in list_mappings(load_document(text)):
        place = as_mapping(issue.get("location"))
        begin = as_mapping(place.get("lines")).get("begin")
        begin = begin or as_mapping(as_mapping(place.get("positions")).get("begin")).get("line")
        line = as_number(as_mapping(begin).get("line") if isinstance(begin, Mapping) else begin)
        rule = as_text(issue.get("check_name"))
        where = as_text(place.get("path")), line, None
        tally.record_failed(create_finding("codeclimate", rule, where, as_text(issue.get("description"))))


def read_eslint(text: Text, tally: Tally) -> None:
    """Read the errors of ESLint's formatters `json` and `json-with-metadata`; warnings do not fail.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = load_document(text)
    for file in list_mappings(document if isinstance(document, list) else as_mapping(document).get("results")):
        path = as_text(file.get("filePath"))
        tally.ran += 1
        for one in list_mappings(file.get("messages")):
            if one.get("severity") == SEVERE:
                rule = as_text(one.get("ruleId")) or "parsing-error"
                line, column = as_number(one.get("line")), as_number(one.get("column"))
                tally.record_failed(create_finding("eslint", rule, (path, line, column), as_text(one.get("message"))))


def read_stylelint(text: Text, tally: Tally) -> None:
    """Read the errors of Stylelint's formatter `json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    for file in list_mappings(load_document(text)):
        path = as_text(file.get("source"))
        tally.ran += 1
        for one in list_mappings(file.get("warnings")):
            if one.get("severity") == "error":
                rule, said = as_text(one.get("rule")), as_text(one.get("text"))
                place = path, as_number(one.get("line")), as_number(one.get("column"))
                tally.record_failed(create_finding("stylelint", rule, place, said.removesuffix(f" ({rule})")))


def read_diagnostics(text: Text, tally: Tally) -> None:
    """Read the errors of Biome's reporter `json` and of oxlint's format `json`, which have one key in common.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    tally.ran += 1
    for one in list_mappings(document.get("diagnostics")):
        if one.get("severity") == "error":
            record = _record_biome if "category" in one else _record_oxlint
            record(one, as_text(one.get("message")), tally)


def _record_biome(one: Mapping[str, Any], message: str, tally: Tally) -> None:
    where = as_mapping(one.get("location"))
    begin = as_mapping(where.get("start"))
    place = as_text(where.get("path")), as_number(begin.get("line")), as_number(begin.get("column"))
    tally.record_failed(create_finding("biome", as_text(one.get("category")), place, message))


def _record_oxlint(one: Mapping[str, Any], message: str, tally: Tally) -> None:
    labels = list_mappings(one.get("labels"))
    span = as_mapping(labels[0].get("span")) if labels else {}
    place = as_text(one.get("filename")), as_number(span.get("line")), as_number(span.get("column"))
    tally.record_failed(create_finding("oxlint", as_text(one.get("code")) or "syntax", place, message))


def read_reviewdog(text: Text, tally: Tally) -> None:
    """Read a report in Reviewdog's form, which ruff and Biome write; what has another severity than ERROR passes.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    tool = as_text(as_mapping(document.get("source")).get("name")).lower() or "reviewdog"
    tally.ran += 1
    for one in list_mappings(document.get("diagnostics")):
        if as_text(one.get("severity") or "ERROR") == "ERROR":
            where = as_mapping(one.get("location"))
            start = as_mapping(as_mapping(where.get("range")).get("start"))
            place = as_text(where.get("path")), as_number(start.get("line")), as_number(start.get("column"))
            rule = as_text(as_mapping(one.get("code")).get("value")) or "error"
            tally.record_failed(create_finding(tool, rule, place, as_text(one.get("message"))))


def read_revive(text: Text, tally: Tally) -> None:
    """Read the errors of revive's form `json`; warnings do not fail.

    Raises:
        UnreadableFile: It is not JSON.
    """
    _record_revive(list_mappings(load_document(text)), tally)


def read_revive_lines(text: Text, tally: Tally) -> None:
    """Read the errors of revive's form `ndjson`."""
    _record_revive(iterate_lines(text), tally)


def _record_revive(findings: Iterable[Mapping[str, Any]], tally: Tally) -> None:
    for one in findings:
        tally.ran += 1
        if one.get("Severity") == "error":
            begin = as_mapping(as_mapping(one.get("Position")).get("Start"))
            place = as_text(begin.get("Filename")), as_number(begin.get("Line")), as_number(begin.get("Column"))
            rule, said = as_text(one.get("RuleName")), as_text(one.get("Failure"))
            tally.record_failed(create_finding("revive", rule, place, said))
