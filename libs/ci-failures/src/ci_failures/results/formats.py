"""The format of a file, recognized by its beginning, never by its name."""

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import cast

from ci_failures.document_starts import ROOTS
from ci_failures.results.tally import Tally
from ci_failures.results.text import Text

ROOT = re.compile(r"<(?!\?|!)(?:\w+:)?([A-Za-z-]+)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
READERS = {
    "junit": "junit:read",
    "trx": "trx:read",
    "nunit": "nunit:read",
    "xunit.net": "xunit_net:read",
    "ctrf": "ctrf:read",
    "tap": "as_log:read",
    "go-json": "as_log:read",
    "libtest-json": "libtest_json:read",
    "jest": "javascript_json:read_jest",
    "mocha": "javascript_json:read_mocha",
    "playwright": "javascript_json:read_playwright",
    "cucumber": "javascript_json:read_cucumber",
    "rspec": "runner_json:read_rspec",
    "pytest-reportlog": "runner_json:read_report_log",
    "pytest-json-report": "runner_json:read_json_report",
    "dart": "runner_json:read_dart",
    "avocado": "runner_json:read_avocado",
    "sarif": "lint_json:read_sarif",
    "codeclimate": "lint_json:read_code_climate",
    "eslint": "lint_json:read_eslint",
    "stylelint": "lint_json:read_stylelint",
    "diagnostics": "lint_json:read_diagnostics",
    "reviewdog": "lint_json:read_reviewdog",
    "revive": "lint_json:read_revive",
    "revive-lines": "lint_json:read_revive_lines",
    "ruff": "python_lint_json:read_ruff",
    "ruff-lines": "python_lint_json:read_ruff_lines",
    "pylint": "python_lint_json:read_pylint",
    "pyright": "python_lint_json:read_pyright",
    "bandit": "python_lint_json:read_bandit",
    "checkstyle": "lint_xml:read_checkstyle",
    "ctest": "lint_xml:read_ctest",
    "swift-events": "swift_events:read",
    "subunit": "subunit:read_packets",
    "subunit-1": "subunit:read_lines",
}
"""The module and the function that read each format."""
OBJECTS = (
    ("pytest-reportlog", re.compile(r'"\$report_type"\s*:')),
    ("swift-events", re.compile(r'\A\{(?=[^\n]*"kind"\s*:\s*"(?:test|event)")[^\n]*"payload"\s*:')),
    ("avocado", re.compile(r'\A\{\s*"cancel"\s*:\s*\d+,\s*"debuglog"\s*:')),
    ("jest", re.compile(r'"numFailedTests"\s*:')),
    ("dart", re.compile(r'"protocolVersion"\s*:\s*"[^\n]*"type"\s*:\s*"start"')),
    ("mocha", re.compile(r'\A\{\s*"stats"\s*:\s*\{\s*"suites"\s*:(?!(?s:.)*"results"\s*:\s*\[)')),
    ("rspec", re.compile(r'\A\{\s*"version"\s*:\s*"3(?s:.)*"examples"\s*:')),
    ("playwright", re.compile(r'\A\{\s*"config"\s*:\s*\{(?s:.)*"(?:rootDir|configFile)"\s*:')),
    ("eslint", re.compile(r'\A\{\s*"results"\s*:\s*\[\s*\{\s*"filePath"\s*:(?s:.)*"messages"\s*:')),
    ("diagnostics", re.compile(r'\A\{\s*"summary"\s*:\s*\{\s*"changed"\s*:(?s:.)*"diagnostics"\s*:')),
    ("diagnostics", re.compile(r'\A\{\s*"diagnostics"\s*:\s*\[\s*\{\s*"message"\s*:(?s:.)*"labels"\s*:')),
    ("reviewdog", re.compile(r'\A\{(?=(?s:.)*"diagnostics"\s*:\s*\[)(?=(?s:.)*"source"\s*:\s*\{[^{}]*"name"\s*:)')),
    ("revive-lines", re.compile(r'\A\{"Severity":"\w+","Failure":"')),
    ("ruff-lines", re.compile(r'\A\{"cell":(?:null|\d+),"code":')),
    ("pyright", re.compile(r'\A\{\s*"version"\s*:\s*"[^"\n]*",\s*"time"\s*:\s*"\d+",\s*"generalDiagnostics"\s*:')),
    ("bandit", re.compile(r'\A\{\s*"errors"\s*:\s*\[(?s:.)*"generated_at"\s*:')),
    ("pylint", re.compile(r'\A\{\s*"messages"\s*:\s*\[\s*(?:\{\s*"type"\s*:\s*"\w+",\s*"symbol"|\],\s*"statistics")')),
    ("pytest-json-report", re.compile(r'\A\{\s*"created"\s*:(?s:.)*"exitcode"\s*:')),
)
"""Signs of the formats whose document is an object, in the order in which they are tried."""
ARRAYS = (
    ("cucumber", re.compile(r'\A\[\s*\{(?=(?s:.)*"(?:elements|uri)"\s*:)(?=(?s:.)*"keyword"\s*:)')),
    ("eslint", re.compile(r'\A\[\s*\{\s*"filePath"\s*:(?s:.)*"messages"\s*:')),
    ("pylint", re.compile(r'\A\[\s*\{\s*"type"\s*:\s*"\w+",\s*"module"\s*:')),
    (
        "ruff",
        re.compile(
            r'\A\[\s*\{\s*(?:"cell"\s*:\s*(?:null|\d+),\s*)?"code"\s*:\s*(?:"[^"]*"|null),\s*"(?:end_location|filename)"'
        ),
    ),
    ("revive", re.compile(r'\A\[\{"Severity":"\w+","Failure":"')),
    ("stylelint", re.compile(r'\A\[\s*\{\s*"source"\s*:(?s:.)*"invalidOptionWarnings"\s*:')),
    ("codeclimate", re.compile(r'\A\[\s*\{(?=(?s:.)*"check_name"\s*:)(?=(?s:.)*"(?:location|fingerprint)"\s*:)')),
)
"""The same for arrays."""
GO = re.compile(r"^\{\"(?:Time\":\"[^\"]{1,60}\",\"Action|Action|ImportPath)\":\"", re.MULTILINE)
LIBTEST = re.compile(r"^\{ ?\"type\": ?\"(?:suite|test)\", ?\"event\": ?\"", re.MULTILINE)
TAP = re.compile(r"\A(?:TAP version 1[2-4]|1\.\.\d{1,9}(?:\s|$)|(?:not )?ok 1\b|(?:# .*\n)+(?:1\.\.\d|(?:not )?ok \d))")

SUBUNIT = re.compile(
    r"\A(?:(?:time|progress|tags): .*\n){0,9}test(?:ing)?: (.+)\n(?s:.*?)^"
    r"(?:success(?:ful)?|failure|error|skip|xfail|uxsuccess): \1(?:$| \[)",
    re.MULTILINE,
)
"""Version 1: a test begins, and ends."""

MAGIC = {
    b"PK\x03\x04": "a zip archive in another archive",
    b"\x1f\x8b": "a gzip file in another archive",
    b"BZh": "a bzip2 file in another archive",
    b"\xfd7zXZ": "an xz file in another archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard file in another archive",
    b"\x04\x22\x4d\x18": "an LZ4 file",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"%PDF-": "a PDF document",
    b"SQLite format 3\x00": "an SQLite database",
}
TAR, TAR_AT = b"ustar", 257
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""The beginnings of a text in UTF-16."""
SARIF = re.compile(
    r"\A\s*\{(?:(?s:.*)\"\$schema\"\s*:\s*\"[^\"]*sarif|(?=(?s:.*)\"runs\"\s*:)(?s:.*)(?:\"driver\"\s*:|\"2\.1\.0\"))"
    r"|\A\s*\{\s*\"runs\"\s*:\s*\[\s*\{\s*\"results\"\s*:\s*\[\s*\{(?s:.*)\"physicalLocation\"\s*:",
    re.IGNORECASE,
)
NO_TEXT = frozenset(range(9)) | frozenset(range(14, 27)) | frozenset(range(28, 32))
MOST_OF_THAT = 0.05
"""Share of control characters above which a file is not text; logs may contain NUL bytes."""


def detect_format(head: str, starts: bytes = b"") -> str:
    """Return the format of a file with this beginning, as text and as bytes; empty if it is not a known one."""
    if _is_subunit(starts):
        return "subunit"
    start = head.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        found = ROOT.search(COMMENT.sub("", start))
        return ROOTS.get(found[1], "") if found else ""
    if start.startswith("{"):
        return _find_object(head, start)
    if start.startswith("["):
        return _find_form(start, ARRAYS)
    return "subunit-1" if SUBUNIT.match(start) else "tap" if TAP.match(start) else ""


def _is_subunit(start: bytes) -> bool:
    """Check for the binary version of Subunit, whose reader is not imported for other files."""
    if not start.startswith(b"\xb3"):
        return False
    from ci_failures.results.subunit import is_subunit

    return is_subunit(start)


def _find_object(head: str, start: str) -> str:
    """Return the format of a document that begins with an object, or of lines that are objects."""
    if GO.search(head):
        return "go-json"
    if LIBTEST.search(head):
        return "libtest-json"
    if SARIF.match(head):
        return "sarif"
    is_ctrf = '"results"' in head and ('"tool"' in head or '"reportFormat"' in head)
    return "ctrf" if is_ctrf else _find_form(start, OBJECTS)


def _find_form(start: str, forms: Sequence[tuple[str, re.Pattern[str]]]) -> str:
    return next((form for form, sign in forms if sign.search(start)), "")


def format_reader(form: str) -> Callable[[Text, Tally], None]:
    """Return the function that reads a format."""
    module, _, name = READERS[form].partition(":")
    return cast("Callable[[Text, Tally], None]", getattr(import_module(f"ci_failures.results.{module}"), name))


def unsupported_format(text: Text) -> str:
    """Return the name of a format that is neither a log nor a supported result file; empty for all others."""
    start = text.starts
    if _is_subunit(start):
        return ""
    found = next((name for magic, name in MAGIC.items() if start.startswith(magic)), "")
    if found:
        return found
    if start[TAR_AT:].startswith(TAR):
        return "a tar archive in another archive"
    root = ROOT.search(COMMENT.sub("", text.head)) if text.head.lstrip("\ufeff \r\n").startswith("<?xml") else None
    if root and root[1] not in ROOTS:
        return f"XML with the root <{root[1]}>"
    wide = start.startswith(WIDE)
    return "" if wide or sum(byte in NO_TEXT for byte in start) <= MOST_OF_THAT * len(start) else "a binary file"
