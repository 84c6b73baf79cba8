"""Hunks of a file, read by unidiff; the file's name is not needed, and so never decoded from a header."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.diffs.records import DiffHunk, DiffLine, LineKind

if TYPE_CHECKING:
    from unidiff.patch import Hunk as Parsed

HEADER = "--- a/file\n+++ b/file\n"
"""unidiff refuses hunks without a file header; forges leave it out."""

UNREADABLE = "its hunks cannot be read"
KINDS = {kind.value: kind for kind in LineKind}


def parse_hunks(patch: str) -> Maybe[tuple[DiffHunk, ...]]:
    """Read the hunks of one file: text that begins with `@@`, or nothing.

    Lines end with a line feed alone: a carriage return, a form feed or U+2028 within one belongs to it.
    """
    if not patch:
        return ()
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        files = PatchSet(f"{HEADER}{patch}".removesuffix("\n") + "\n")
    except (UnidiffParseError, ValueError, OverflowError) as error:
        return Unknown(f"{UNREADABLE}: {error}", "Read the file with git.")
    if len(files) != 1:
        return Unknown(UNREADABLE, "Read the file with git.")
    return tuple(_hunk(hunk) for hunk in files[0])


def _hunk(parsed: "Parsed") -> DiffHunk:
    return DiffHunk(
        parsed.source_start,
        parsed.source_length,
        parsed.target_start,
        parsed.target_length,
        parsed.section_header.strip(),
        tuple(_lines(parsed)),
    )


def _lines(parsed: "Parsed") -> Iterator[DiffLine]:
    for line in parsed:
        if (kind := KINDS.get(line.line_type or " ")) is not None:  # not `\ No newline at end of file`
            text = str(line.value).removesuffix("\n").removesuffix("\r")
            yield DiffLine(kind, text, line.source_line_no, line.target_line_no)
