"""The JSON of Python's linters: ruff, Pylint, Pyright, Bandit."""

from collections.abc import Iterable, Mapping
from typing import Any

from ci_failures.results.json_document import (
    as_mapping,
    as_number,
    as_text,
    iterate_lines,
    list_mappings,
    load_document,
)
from ci_failures.results.lint_json import create_finding
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text


def read_ruff(text: Text, tally: Tally) -> None:
    """Read the document of `--output-format=json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    _record_ruff(list_mappings(load_document(text)), tally)


def read_ruff_lines(text: Text, tally: Tally) -> None:
    """Read the lines of `--output-format=json-lines`."""
    _record_ruff(iterate_lines(text), tally)


def _record_ruff(findings: Iterable[Mapping[str, Any]], tally: Tally) -> None:
    for one in findings:
        begin = as_mapping(one.get("location"))
        place = as_text(one.get("filename")), as_number(begin.get("row")), as_number(begin.get("column"))
        rule = as_text(one.get("code")) or "invalid-syntax"
        tally.record_failed(create_finding("ruff", rule, place, as_text(one.get("message"))))


def read_pylint(text: Text, tally: Tally) -> None:
    """Read the reports `json` and `json2`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = load_document(text)
    for one in list_mappings(document if isinstance(document, list) else as_mapping(document).get("messages")):
        place = as_text(one.get("path")), as_number(one.get("line")), as_number(one.get("column"))
        rule = as_text(one.get("message-id")) or as_text(one.get("messageId"))
        tally.record_failed(create_finding("pylint", rule, place, as_text(one.get("message"))))


def read_pyright(text: Text, tally: Tally) -> None:
    """Read the errors of `--outputjson`, whose lines and columns are counted from 0 on; warnings do not fail.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    tally.ran += as_number(as_mapping(document.get("summary")).get("filesAnalyzed")) or 0
    for one in list_mappings(document.get("generalDiagnostics")):
        if one.get("severity") != "error":
            continue
        begin = as_mapping(as_mapping(one.get("range")).get("start"))
        line, column = begin.get("line"), begin.get("character")
        place = as_text(one.get("file")), _add_one(line), _add_one(column)
        rule = as_text(one.get("rule")) or "error"
        tally.record_failed(create_finding("pyright", rule, place, as_text(one.get("message"))))


def _add_one(number: object) -> int | None:
    return number + 1 if isinstance(number, int) else None


def read_bandit(text: Text, tally: Tally) -> None:
    """Read the findings of `-f json`.

    Raises:
        UnreadableFile: It is not JSON.
    """
    document = as_mapping(load_document(text))
    tally.ran += len(as_mapping(document.get("metrics")))
    for one in list_mappings(document.get("results")):
        place = as_text(one.get("filename")), as_number(one.get("line_number")), as_number(one.get("col_offset"))
        tally.record_failed(
            create_finding("bandit", as_text(one.get("test_id")), place, as_text(one.get("issue_text")))
        )
