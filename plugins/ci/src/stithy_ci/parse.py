"""`stithy ci parse`: what failed, as logs and result files at hand tell it, by the parsers that a server has."""

import gzip
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click

from stithy_ci.failing.commands import commands_for, rerun_by
from stithy_ci.logs.reading import LogReader
from stithy_ci.merging import disagreement, merge
from stithy_ci.parse_output import as_json, as_text
from stithy_ci.records import Report
from stithy_ci.results.archives import MOST_BYTES, each_entry
from stithy_ci.results.files import DAMAGED, read_text
from stithy_ci.results.paths import Tree
from stithy_ci.results.tally import Results, Unreadable
from stithy_ci.results.text import Text
from stithy_ci.sources.parsers import Parsers, parsers
from stithy_core.spi import Scope

FAILED, WRONG = 1, 2
ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"
NO_TEXT = frozenset(range(9)) | frozenset(range(14, 27)) | frozenset(range(28, 32))
MOST_OF_THAT = 0.05
"""Share of control characters from which on the entry of an archive is no text; NUL bytes occur in logs."""

Told = list[Report]


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
    """Tell what failed, and how to run it again, from logs and result files; `-` is standard input.

    They are told by what is in them, and may be packed by gzip or zip. The exit code is 1 when something failed, 0 when
    nothing did, and 2 when something could not be read.
    """
    tools = scope.shared(parsers)
    reports: Told = []
    unread: list[str] = []
    for file in files:
        try:
            reports += _reports(file, tools)
        except (Unreadable, *DAMAGED) as error:
            unread.append(f"{file}: {getattr(error, 'strerror', None) or error}")
    merged = merge(reports)
    said = (gap for report in reports for gap in (report.gap, disagreement(report)))
    gaps = [*unread, *dict.fromkeys(filter(None, said))]
    commands = commands_for([one.failure for one in merged if not one.failure.flaky], rerun_by(tools.by_tool))
    for line in (as_json if json else as_text)(merged, gaps, commands):
        click.echo(line)
    return WRONG if unread else FAILED if any(not one.failure.flaky for one in merged) else 0


def _reports(file: str, tools: Parsers) -> Told:
    """Read a file, whatever it is."""
    with _opened(file) as raw:
        start = raw.peek(len(ZIP)) if hasattr(raw, "peek") else b""
        if start.startswith(ZIP):
            return _archive(file, raw, tools)
        plain = cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if start.startswith(GZIP) else raw
        return _told(file, Text(plain), tools)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as raw:
        yield raw


def _archive(file: str, raw: BinaryIO, tools: Parsers) -> Told:
    """Read all that an archive has; what cannot be seeked in, such as standard input, is kept for as long."""
    with tempfile.TemporaryFile() as kept:
        while not raw.seekable() and (data := raw.read(1 << 20)):
            if kept.tell() > MOST_BYTES:
                raise Unreadable(f"the archive has more than {MOST_BYTES:,} bytes")
            kept.write(data)
        held = raw if raw.seekable() else cast("BinaryIO", kept)
        told = each_entry(file, held, lambda name, text: _told(name, text, tools) if _is_text(text.starts) else [])
        return [report for name, found in told for report in _listed(name, found)]


def _listed(name: str, found: Results | Told | None) -> Iterable[Report]:
    if isinstance(found, Results):
        return [Report(source="artifact", origin=name, check=name, gap=found.gap)]
    return found or ()


def _told(name: str, text: Text, tools: Parsers) -> Told:
    """Read a result file, or else a log: one report for each of its tools."""
    results = read_text(name, text, Tree(()))
    if results:
        return [
            Report(
                source="artifact",
                origin=name,
                check=name,
                failures=results.failures,
                counted=results.counted,
                gap=results.gap,
            )
        ]
    reader = LogReader(tools.literals)
    for piece in text.pieces():
        reader.feed(piece)
    return [
        Report(source="log", origin=name, check=name, failures=one.failures, counted=one.counted)
        for one in reader.finish()
    ]


def _is_text(start: bytes) -> bool:
    return sum(byte in NO_TEXT for byte in start) <= MOST_OF_THAT * len(start)
