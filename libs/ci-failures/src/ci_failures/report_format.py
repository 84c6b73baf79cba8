"""The forms in which the command prints a report: lines for people, one JSON document, and other programs' forms."""

import re
from collections.abc import Callable, Iterator, Sequence

from ci_failures.failure_report import Report, parse_files
from ci_failures.source_reports import MergedFailure

EXCERPT = 160
"""Characters of a message in a line."""
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Characters that would control a terminal, or hide text from readers."""

OF_RUNNERS = re.compile(r"(?:\n|^)\s*::|##(?:\[|vso\[)")
"""What GitHub's and Azure's runners take for a command where it is printed into their log."""
FORMS = ("text", "json", "github", "gitlab", "junit", "sarif")
"""The forms of a report."""

EXIT_CODES = {"passed": 0, "failed": 1, "unknown": 4}
"""By the status of the report; 3 is left to programs that add the command."""
UNREADABLE = 2
"""The exit code where a file could not be read, or the command line is wrong."""


def print_report(files: Sequence[str], form: str = "text") -> int:
    """Print what files report on standard output in one of the FORMS, and return the exit code."""
    report = parse_files(files)
    for line in _find_format(form)(report):
        print(line)  # noqa: T201 -- the command's output
    return UNREADABLE if report.unreadable else EXIT_CODES[report.status]


def _find_format(form: str) -> Callable[[Report], Iterator[str]]:
    """Return the function of a form; what most calls do not need is not imported."""
    if form == "text":
        return format_text
    if form == "json":
        return format_json
    from ci_failures import report_exports

    return {
        "github": report_exports.format_github,
        "gitlab": report_exports.format_gitlab,
        "junit": report_exports.format_junit,
        "sarif": report_exports.format_sarif,
    }[form]


def format_text(report: Report) -> Iterator[str]:
    """Iterate over the lines: one for each entry, the gaps, and the commands that run everything again."""
    for one in report.entries:
        yield _visible(_line(one).replace("\n", "\\n"))
    flaky = sum(one.failure.flaky for one in report.entries)
    failed = f"{len(report.entries) - flaky} failed"
    yield ("unknown whether anything failed" if report.status == "unknown" else failed) + (
        f", {flaky} flaky" if flaky else ""
    )
    for gap in report.gaps:
        yield _visible(f"Incomplete: {gap}".replace("\n", "\\n"))
    if report.looked_for:
        yield f"Looked for: {', '.join(report.looked_for)}"
    if report.commands:
        yield "Run again:"
        yield from (f"  {_visible(command)}" for command in report.commands if not OF_RUNNERS.search(command))
        if any(map(OF_RUNNERS.search, report.commands)):
            yield "  (left out: a command with words that a runner would execute; --json has it)"


def format_json(report: Report) -> Iterator[str]:
    """Iterate over the one JSON document; fields without a value are omitted."""
    failures = [_row(one) for one in report.entries if not one.failure.flaky]
    flaky = [_row(one) for one in report.entries if one.failure.flaky]
    document: dict[str, object] = {
        "status": report.status,
        "failures": failures,
        "flaky": flaky,
        "gaps": list(report.gaps),
        "commands": list(report.commands),
    }
    if report.looked_for:
        document["looked_for"] = list(report.looked_for)
    yield dump_json(document)


def dump_json(document: object) -> str:
    """Return a JSON document in which no runner finds a command."""
    import json

    return json.dumps(document, ensure_ascii=False, indent=2).replace("##", "#\\u0023")


def _line(one: MergedFailure) -> str:
    failure = one.failure
    word = "FLAKY " if failure.flaky else "FAILED"
    place = f"{failure.file}:{failure.line}" if failure.file and failure.line else failure.file
    kind = "" if failure.kind == "test" else f", {failure.kind}"
    where = f", in {len(one.reports)} files" if len({source.origin for source in one.reports}) > 1 else ""
    message = " ".join(failure.message.split())
    excerpt = message if len(message) <= EXCERPT else f"{message[:EXCERPT]}…"
    description = f"{failure.name} [{failure.tool}{kind}, {one.confidence}{where}]"
    return "  ".join(part for part in (word, place, description, excerpt) if part)


def _row(one: MergedFailure) -> dict[str, object]:
    failure = one.failure
    row = {
        "tool": failure.tool,
        "kind": failure.kind,
        "name": failure.name,
        "message": failure.message,
        "file": failure.file,
        "line": failure.line,
        "attempts": failure.attempts if failure.attempts > 1 else None,
        "confidence": one.confidence,
        "sources": list(one.sources),
        "origins": list(dict.fromkeys(source.origin for source in one.reports)),
        "log_line": failure.log_line or None,
        "suggested_fix": failure.suggested_fix,
    }
    return {name: value for name, value in row.items() if value not in (None, "")}


def _visible(text: str) -> str:
    """Replace hidden characters by escapes; line feeds of a command stay."""
    shown = CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return shown.replace("##[", "# #[").replace("##vso[", "# #vso[")
