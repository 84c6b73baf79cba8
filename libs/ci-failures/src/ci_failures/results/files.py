"""Read one result file of any format."""

import gzip
from collections.abc import Iterable
from typing import BinaryIO, cast

from attrs import evolve

from ci_failures.results.dialects.go_rust import add_folders
from ci_failures.results.formats import detect_format, format_reader
from ci_failures.results.paths import Tree
from ci_failures.results.tally import Readable, Results, Tally, UnreadableFile
from ci_failures.results.text import Text

GZIP = b"\x1f\x8b"


def read_text(name: str, text: Text, tree: Tree) -> Results | None:
    """Read a text file; return None if it is not a result file.

    Raises:
        UnreadableFile: It is damaged before the first test, or made to do harm.
    """
    form = detect_format(text.head, text.starts)
    if not form:
        return None
    tally = Tally()
    try:
        format_reader(form)(text, tally)
    except UnreadableFile as error:
        if not tally.ran:
            raise
        tally.add_gap(f"only its beginning was read: {error}")
    if text.has_excess:
        tally.add_gap("only its beginning was read: other output follows behind its end")
    return _mapped(tally.results(name, form), tree)


def read_file(name: str, raw: Readable[bytes], *, files: Iterable[str] = ()) -> Results | None:
    """Read a file; return None if it is not a result file.

    Args:
        name: The name of the file.
        raw: Its bytes.
        files: The files of the repository, to which paths of other machines are mapped.

    Raises:
        UnreadableFile: It is damaged before the first test, or made to do harm.
    """
    return read_text(name, Text(raw), Tree(files))


def unpacked(raw: BinaryIO) -> BinaryIO:
    """Return what a file that gzip packed holds, and any other as it is; it must be possible to seek in it."""
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw


def _mapped(results: Results, tree: Tree) -> Results:
    pairs = [tree.mapped(failure) for failure in add_folders(results.failures)]
    unclear = dict.fromkeys(said for _, said in pairs if said)
    gap = "; ".join(part for part in (results.gap, *list(unclear)[:5]) if part)
    return evolve(results, failures=tuple(failure for failure, _ in pairs), gap=gap)
