"""The public entrance: parse bytes, streams or files to a report."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from os import PathLike, fspath
from typing import BinaryIO, Literal

from attrs import evolve, frozen

from ci_failures.failure_merging import incompleteness, merge
from ci_failures.file_reading import FileContent, read_folder, read_stream
from ci_failures.logs.evidence import looked_for
from ci_failures.model import Failure
from ci_failures.parser_registry import ParserSet, load_parsers
from ci_failures.rerun_commands import commands_for, rerun_by
from ci_failures.results.tally import UnreadableFile
from ci_failures.source_reports import MergedFailure


@frozen(kw_only=True)
class Report:
    """What failed, according to one or several files.

    Args:
        status: failed if anything failed; passed only if every file was understood and nothing failed in it; unknown
            otherwise.
        entries: One entry for each failed or flaky test, whatever number of files report it.
        gaps: Why failures may be missing, one sentence each, among them those of `unreadable`, and what was left out at
            a bound, such as the end of a long line; this alone does not make the status unknown.
        unreadable: Why files, or entries of archives, could not be read.
        commands: Shell commands that run all failures again, one for each tool and place.
        looked_for: The names of the tools that are recognized, if nothing of them was found in one of the files.
    """

    status: Literal["passed", "failed", "unknown"]
    entries: tuple[MergedFailure, ...] = ()
    gaps: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    looked_for: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What failed, with the best confidence of all files that report it."""
        return tuple(evolve(one.failure, confidence=one.confidence) for one in self.entries if not one.failure.flaky)

    @property
    def flaky(self) -> tuple[Failure, ...]:
        """What failed first and passed when the tool ran it again."""
        return tuple(evolve(one.failure, confidence=one.confidence) for one in self.entries if one.failure.flaky)


def parse(data: bytes | BinaryIO, *, name: str = "input", parsers: ParserSet | None = None) -> Report:
    """Parse a log, a result file, or a zip or gzip archive of these; the content decides which it is.

    Args:
        data: The bytes, or a binary stream that is read to its end and left open; it need not be seekable.
        name: The name of the file in the report.
        parsers: The parsers for logs; by default `load_parsers()`, which is called once.

    Raises:
        UnreadableFile: The file is damaged, is made to do harm, or has a format that is not supported.
    """
    parsers = parsers or _default_parsers()
    raw = BytesIO(data) if isinstance(data, bytes) else data
    return _report([read_stream(name, raw, parsers)], parsers)


def parse_files(files: Iterable[str | PathLike[str]], *, parsers: ParserSet | None = None) -> Report:
    """Parse files, and merge what they report; `-` is standard input.

    A file that cannot be read is listed in `Report.unreadable`, and the others are parsed all the same.

    Args:
        files: The paths.
        parsers: The parsers for logs; by default `load_parsers()`, which is called once.
    """
    parsers = parsers or _default_parsers()
    return _report([_read_file(fspath(file), parsers) for file in files], parsers)


@cache
def _default_parsers() -> ParserSet:
    return load_parsers()


def _read_file(file: str, parsers: ParserSet) -> FileContent:
    try:
        if file != "-" and os.path.isdir(file):  # noqa: PTH112 -- to import pathlib takes as long as below
            return read_folder(file, parsers)
        with _open_file(file) as raw:
            return read_stream(file, raw, parsers)
    except (UnreadableFile, OSError) as error:
        return FileContent(unreadable=(f"{file}: {getattr(error, 'strerror', None) or error}",))


@contextmanager
def _open_file(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with open(file, "rb") as raw:  # noqa: PTH123 -- to import pathlib takes a tenth of the time of a small log
        yield raw


def _report(contents: Sequence[FileContent], parsers: ParserSet) -> Report:
    reports = [report for one in contents for report in one.reports]
    unreadable = tuple(gap for one in contents for gap in one.unreadable)
    doubts = [doubt for one in contents for doubt in one.doubts]
    entries = merge(reports)
    failures = [one.failure for one in entries if not one.failure.flaky]
    lacking = filter(None, (gap for report in reports for gap in (report.gap, incompleteness(report))))
    missed = [total for one in contents for total in one.missed]
    cuts = [cut for one in contents for cut in one.cuts]
    return Report(
        status="failed" if failures else "unknown" if unreadable or doubts else "passed",
        entries=tuple(entries),
        gaps=(*unreadable, *dict.fromkeys((*lacking, *missed, *doubts, *cuts))),
        unreadable=unreadable,
        commands=tuple(commands_for(failures, rerun_by(parsers.by_tool))),
        looked_for=() if all(one.recognized for one in contents) else tuple(looked_for(parsers.by_tool)),
    )
