"""`stithy ci parse`: what failed according to logs and result files at hand, by the parsers that a server has."""

import gzip
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

import click
from attrs import evolve, frozen

from stithy_ci.failing.commands import commands_for, rerun_by
from stithy_ci.logs.evidence import LOOKED_FOR, Outcome, looked_for
from stithy_ci.logs.reading import LogReader
from stithy_ci.merging import incompleteness, merge
from stithy_ci.parse_output import Answer, format_json, format_text
from stithy_ci.records import Report
from stithy_ci.results.archives import MOST_BYTES, each_entry
from stithy_ci.results.files import DAMAGED, read_text
from stithy_ci.results.formats import unsupported_format
from stithy_ci.results.paths import Tree
from stithy_ci.results.tally import Results, Unreadable
from stithy_ci.results.text import Text
from stithy_ci.sources.parsers import Parsers, parsers
from stithy_core.spi import Scope

PASSED, FAILED, WRONG, UNKNOWN = 0, 1, 2, 4
"""Exit codes; 3 belongs to `--strict-plugins`."""
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"


@frozen(kw_only=True)
class FileContent:
    """What one file, or one entry of an archive, says.

    Args:
        reports: One for each tool.
        refused: What could not be read.
        doubts: Why something may have failed although no failure was read.
        recognized: Whether anything in it was understood.
    """

    reports: tuple[Report, ...] = ()
    refused: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    recognized: bool = True

    @property
    def failed(self) -> bool:
        """Whether it names anything that failed."""
        return any(not one.flaky for report in self.reports for one in report.failures)


Entry: TypeAlias = tuple[FileContent, Outcome | None]
"""What a text says; of a log also how it ended."""


def run(scope: Scope, words: Sequence[str]) -> int:
    """Run `stithy ci …` and give its exit code."""
    try:
        code = ci.main(args=list(words), prog_name="stithy ci", standalone_mode=False, obj=scope)
    except click.ClickException as error:
        error.show()
        return WRONG
    return int(code or 0)


@click.group()
def ci() -> None:
    """Look at what failed in CI."""


@ci.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…|-")
@click.option("--json", "json", is_flag=True, help="Write JSON.")
@click.pass_obj
def parse(scope: Scope, files: Sequence[str], *, json: bool) -> int:
    """Show what failed, and how to run it again, from logs and result files; `-` is standard input.

    They are told by what is in them, and may be packed by gzip or zip. The exit code is 1 when something failed, 0 when
    nothing did, 2 when something could not be read, and 4 when it is not known whether anything failed: nothing in a
    file was recognized, or a runner or a tool reports a failure that was not found.
    """
    tools = scope.shared(parsers)
    contents: list[FileContent] = []
    for file in files:
        try:
            contents.append(_read_file(file, tools))
        except (Unreadable, *DAMAGED) as error:
            contents.append(FileContent(refused=(f"{file}: {getattr(error, 'strerror', None) or error}",)))
    reports = [report for one in contents for report in one.reports]
    refused = [gap for one in contents for gap in one.refused]
    doubts = [doubt for one in contents for doubt in one.doubts]
    merged = merge(reports)
    said = (gap for report in reports for gap in (report.gap, incompleteness(report)))
    failures = [one.failure for one in merged if not one.failure.flaky]
    answer = Answer(
        status="failed" if failures else "unknown" if refused or doubts else "passed",
        merged=merged,
        gaps=[*refused, *dict.fromkeys((*filter(None, said), *doubts))],
        commands=commands_for(failures, rerun_by(tools.by_tool)),
        looked_for=[] if all(one.recognized for one in contents) else looked_for(tools.by_tool),
    )
    for line in (format_json if json else format_text)(answer):
        click.echo(line)
    return WRONG if refused else FAILED if failures else UNKNOWN if doubts else PASSED


def _read_file(file: str, tools: Parsers) -> FileContent:
    """Read a file, whatever it is.

    Raises:
        Unreadable: It has a format that is not read, or is damaged.
    """
    with _opened(file) as raw:
        start = raw.peek(len(ZIP)) if hasattr(raw, "peek") else b""
        if start.startswith(ZIP):
            return _read_archive(file, raw, tools)
        plain = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if start.startswith(GZIP) else raw
        text = Text(plain)
        if form := unsupported_format(text):
            raise Unreadable(f"{form} cannot be read; unpack or convert it, or pass a log or a result file")
        content, outcome = _read_text(file, text, tools)
        unknown = outcome.unknown if outcome and not content.failed else ""
        return evolve(content, doubts=(*content.doubts, *((f"{file}: {unknown}",) if unknown else ())))


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as raw:
        yield raw


def _read_archive(file: str, raw: BinaryIO, tools: Parsers) -> FileContent:
    """Read all that an archive has; what cannot be seeked in, such as standard input, is kept for as long."""
    with tempfile.TemporaryFile() as kept:
        while not raw.seekable() and (data := raw.read(1 << 20)):
            if kept.tell() > MOST_BYTES:
                raise Unreadable(f"the archive has more than {MOST_BYTES:,} bytes")
            kept.write(data)
        held = raw if raw.seekable() else cast("BinaryIO", kept)

        def read(name: str, text: Text) -> Entry | None:
            return None if unsupported_format(text) else _read_text(name, text, tools)

        entries = {name: _refusal(found) for name, found in each_entry(file, held, read) if found}
    return _archive_content(file, entries)


def _refusal(found: Results | Entry) -> Entry:
    """Return what was read of an entry of an archive; one that is nothing but a gap was refused."""
    return (FileContent(refused=(found.gap,)), None) if isinstance(found, Results) else found


def _archive_content(file: str, entries: Mapping[str, Entry]) -> FileContent:
    """Join the entries of an archive: most of its texts may be no logs, but one must be understood.

    What a log leaves in doubt, a file beside it may explain: a runner's archive has a file for each step of a job.
    """
    explained = {name.rpartition("/")[0] for name, (content, _) in entries.items() if content.failed}
    doubts = [
        f"{name}: {outcome.doubt}"
        for name, (_, outcome) in entries.items()
        if outcome and outcome.doubt and name.rpartition("/")[0] not in explained
    ]
    recognized = any(content.recognized for content, _ in entries.values() if not content.refused)
    if not recognized and not doubts:
        doubts = [f"{file}: {LOOKED_FOR.format(f'its {len(entries):,} texts')}"]
    return FileContent(
        reports=tuple(report for content, _ in entries.values() for report in content.reports),
        refused=tuple(gap for content, _ in entries.values() for gap in content.refused),
        doubts=(*(doubt for content, _ in entries.values() for doubt in content.doubts), *doubts),
        recognized=recognized,
    )


def _read_text(name: str, text: Text, tools: Parsers) -> Entry:
    """Read a result file, or else a log, whose outcome is given, too: one report for each of its tools."""
    results = read_text(name, text, Tree(()))
    if results:
        report = Report(
            source="artifact",
            origin=name,
            check=name,
            failures=results.failures,
            counted=results.counted,
            gap=results.gap,
        )
        content = FileContent(reports=(report,))
        if content.failed or not results.gap:
            return content, None
        doubt = f"{name}: {results.gap}, and no failure was read"
        return FileContent(reports=(evolve(report, counted=None, gap=""),), doubts=(doubt,)), None
    reader = LogReader(tools.literals)
    for piece in text.pieces():
        reader.feed(piece)
    reports = [
        Report(source="log", origin=name, check=name, failures=one.failures, tool=one.parser.tool, counted=one.counted)
        for one in reader.finish()
    ]
    return FileContent(reports=tuple(reports), recognized=reader.outcome.recognized or bool(reports)), reader.outcome
