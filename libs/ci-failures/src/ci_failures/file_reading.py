"""Read one file whatever it is: a log, a result file, or an archive of these."""

from collections.abc import Mapping
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, TypeAlias, cast

from attrs import evolve, frozen

from ci_failures.logs.evidence import LOOKED_FOR, Outcome
from ci_failures.logs.log_reader import LogReader
from ci_failures.packed_files import DAMAGED, unpack
from ci_failures.parser_registry import ParserSet
from ci_failures.results.formats import detect_format, unsupported_format
from ci_failures.results.tally import Results, UnreadableFile
from ci_failures.results.text import Text
from ci_failures.source_reports import SourceReport

ZIP = b"PK\x03\x04"
TAR, TAR_AT = b"ustar", 257
MOST_FILES = 10_000


@frozen(kw_only=True)
class FileContent:
    """What one file, or one entry of an archive, reports.

    Args:
        reports: One report for each tool.
        unreadable: Why parts of it could not be read, each with the name of the part.
        doubts: Why something may have failed although no failure was read.
        missed: The totals of tools that count failures of which none was read.
        cuts: What was left out at a bound, without a doubt about what failed.
        recognized: Whether the output of any known tool was found in it.
    """

    reports: tuple[SourceReport, ...] = ()
    unreadable: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    recognized: bool = True

    @property
    def has_failed(self) -> bool:
        """Whether it reports a failure that is not flaky."""
        return any(not one.flaky for report in self.reports for one in report.failures)


Entry: TypeAlias = tuple[FileContent, Outcome | None]
"""The content of a text, and how a log ended; None for a result file."""


def read_stream(name: str, raw: BinaryIO, parsers: ParserSet) -> FileContent:
    """Read a file to its end; its format is recognized by its content, never by its name.

    Args:
        name: The name of the file in the answer.
        raw: Its bytes; a pipe will do. It is left open.
        parsers: The parsers for logs.

    Raises:
        UnreadableFile: The file is damaged, or has a format that is not supported.
    """
    content, outcome = _read_entry(name, raw, parsers)
    if not (outcome and outcome.unknown) or content.has_failed:
        return content
    doubts = (*content.doubts, f"{name}: {outcome.unknown}")
    # the doubt tells the total already, with its line
    reports = tuple(one for one in content.reports if one.failures or one.tool != outcome.counting)
    return evolve(content, doubts=doubts, reports=reports)


def _read_entry(name: str, raw: BinaryIO, parsers: ParserSet) -> Entry:
    """Read a file; a log also tells how it ended.

    Raises:
        UnreadableFile: The file is damaged, or has a format that is not supported.
    """
    peekable = cast("Any", raw) if hasattr(raw, "peek") else BufferedReader(cast("RawIOBase", raw))
    try:
        return _read_peekable(name, peekable, parsers)
    except DAMAGED as error:
        raise UnreadableFile(getattr(error, "strerror", None) or str(error)) from error
    finally:
        if peekable is not raw:
            peekable.detach()  # otherwise it closes the caller's stream when it is collected


def _read_peekable(name: str, raw: BufferedReader, parsers: ParserSet) -> Entry:
    start = raw.peek(len(ZIP))
    if start.startswith(ZIP):
        return _read_archive(name, raw, parsers), None
    unpacked = unpack(raw, start)
    if unpacked.peek(TAR_AT + len(TAR))[TAR_AT:].startswith(TAR):
        return _read_tar(name, unpacked, parsers), None
    text = Text(unpacked)
    if form := unsupported_format(text):
        raise UnreadableFile(f"{form} is not supported; unpack or convert it, or pass a log or a result file")
    return _read_text(name, text, parsers)


def _read_tar(name: str, raw: BinaryIO, parsers: ParserSet) -> FileContent:
    """Read all files in a tar archive."""
    from ci_failures.results.archives import iterate_members

    def read(entry: str, text: Text) -> Entry | None:
        return None if unsupported_format(text) else _read_text(entry, text, parsers)

    entries = {entry: _entry(content) for entry, content in iterate_members(name, raw, read) if content}
    return _archive_content(name, entries)


def read_folder(name: str, parsers: ParserSet) -> FileContent:
    """Read all files in a folder as those of an archive; those that are neither logs nor result files are left out.

    Raises:
        OSError: It cannot be read.
    """
    from pathlib import Path

    entries: dict[str, Entry] = {}
    for path in sorted(path for path in Path(name).rglob("*") if path.is_file() and not path.is_symlink()):
        try:
            with path.open("rb") as raw:
                entries[str(path)] = _read_entry(str(path), raw, parsers)
        except (UnreadableFile, OSError) as error:
            entries[str(path)] = FileContent(unreadable=(f"{path}: {error}",)), None
        if len(entries) > MOST_FILES:
            raise UnreadableFile(f"the folder has more than {MOST_FILES:,} files")
    return _archive_content(name, entries)


def _read_archive(name: str, raw: BufferedReader, parsers: ParserSet) -> FileContent:
    """Read all entries of a zip archive; one that cannot be seeked in is copied to a temporary file first."""
    import tempfile

    from ci_failures.results.archives import MOST_BYTES, iterate_entries

    with tempfile.TemporaryFile() as copy:
        while not raw.seekable() and (data := raw.read(1 << 20)):
            if copy.tell() > MOST_BYTES:
                raise UnreadableFile(f"the archive has more than {MOST_BYTES:,} bytes")
            copy.write(data)
        seekable = cast("BinaryIO", raw if raw.seekable() else copy)

        def read(entry: str, text: Text) -> Entry | None:
            return None if unsupported_format(text) else _read_text(entry, text, parsers)

        entries = {entry: _entry(content) for entry, content in iterate_entries(name, seekable, read) if content}
    return _archive_content(name, entries)


def _entry(content: Results | Entry) -> Entry:
    """Return the content of an archive's entry; results without content say why the entry was not read."""
    return (FileContent(unreadable=(content.gap,)), None) if isinstance(content, Results) else content


def _archive_content(file: str, entries: Mapping[str, Entry]) -> FileContent:
    """Combine the entries of an archive: most texts in it may not be logs, but one has to be recognized.

    The doubts of a log are dropped where a failure was read in the same folder: the archive that a runner makes of a
    job has one file for each step.
    """
    explained = {name.rpartition("/")[0] for name, (content, _) in entries.items() if content.has_failed}
    doubts = [
        f"{name}: {outcome.doubt}"
        for name, (_, outcome) in entries.items()
        if outcome and outcome.doubt and name.rpartition("/")[0] not in explained
    ]
    recognized = any(content.recognized for content, _ in entries.values() if not content.unreadable)
    if not recognized and not doubts:
        doubts = [f"{file}: {LOOKED_FOR.format(f'its {len(entries):,} texts')}"]
    return FileContent(
        reports=tuple(report for content, _ in entries.values() for report in content.reports),
        unreadable=tuple(gap for content, _ in entries.values() for gap in content.unreadable),
        doubts=(*(doubt for content, _ in entries.values() for doubt in content.doubts), *doubts),
        missed=tuple(total for content, _ in entries.values() for total in content.missed),
        cuts=tuple(cut for content, _ in entries.values() for cut in content.cuts),
        recognized=recognized,
    )


def _read_results(name: str, text: Text) -> Results | None:
    """Read a result file; return None for a log, for which the readers of the formats are not even imported."""
    if not detect_format(text.head, text.starts):
        return None
    from ci_failures.results.files import read_text
    from ci_failures.results.paths import Tree

    return read_text(name, text, Tree(()))


def _read_text(name: str, text: Text, parsers: ParserSet) -> Entry:
    """Read a result file, or otherwise a log, of which there is one report for each tool."""
    results = _read_results(name, text)
    if results:
        report = SourceReport(
            source="artifact",
            origin=name,
            check=name,
            failures=results.failures,
            counted=results.counted,
            gap=results.gap,
        )
        content = FileContent(reports=(report,))
        if content.has_failed or not results.gap:
            return content, None
        doubt = f"{name}: {results.gap}, and no failure was read"
        return FileContent(reports=(evolve(report, counted=None, gap=""),), doubts=(doubt,)), None
    reader = LogReader(parsers.literals)
    for piece in text.pieces():
        reader.feed(piece)
    reports = tuple(
        SourceReport(
            source="log", origin=name, check=name, failures=one.failures, tool=one.parser.tool, counted=one.counted
        )
        for one in reader.finish()
    )
    if hints := tuple(reader.outcome.hints):
        reports = (*reports, SourceReport(source="log", origin=name, check=name, failures=hints, tool=hints[0].tool))
    missed = tuple(f"{name}: {total}" for total in reader.outcome.missed)
    cuts = tuple(f"{name}: {cut}" for cut in reader.outcome.cuts)
    recognized = reader.outcome.recognized or bool(reports)
    return FileContent(reports=reports, missed=missed, cuts=cuts, recognized=recognized), reader.outcome
