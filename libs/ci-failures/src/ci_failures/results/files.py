"""Reading one result file, whatever its format."""

import gzip
import zlib
from collections.abc import Iterable
from typing import BinaryIO, cast

from attrs import evolve

from ci_failures.results.dialects.go_rust import placed
from ci_failures.results.formats import form_of, reader_of
from ci_failures.results.paths import Tree
from ci_failures.results.tally import Readable, Results, Tally, UnreadableFile
from ci_failures.results.text import Text

GZIP = b"\x1f\x8b"


def read_text(name: str, text: Text, tree: Tree) -> Results | None:
    """Read a file that is text; None where it is no result file.

    Raises:
        UnreadableFile: It is damaged before the first test, or made to do harm.
    """
    form = form_of(text.head)
    if not form:
        return None
    tally = Tally()
    try:
        reader_of(form)(text, tally)
    except UnreadableFile as error:
        if not tally.ran:
            raise
        tally.lacks(f"only its beginning was read: {error}")
    return _mapped(tally.results(name, form), tree)


def read_file(name: str, raw: Readable[bytes], *, files: Iterable[str] = ()) -> Results | None:
    """Read a file; None where it is no result file.

    Args:
        name: What it is called.
        raw: Its bytes.
        files: The files of the repository, by which paths of other machines are mapped to its own.

    Raises:
        UnreadableFile: It is damaged before the first test, or made to do harm.
    """
    return read_text(name, Text(raw), Tree(files))


def unpacked(raw: BinaryIO) -> BinaryIO:
    """Give what a file that gzip packed holds, and any other as it is; it must be possible to seek in it."""
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if packed else raw


DAMAGED = (OSError, EOFError, zlib.error)
"""What a packed file that is damaged raises while it is read."""


def _mapped(results: Results, tree: Tree) -> Results:
    pairs = [tree.mapped(failure) for failure in placed(results.failures)]
    unclear = dict.fromkeys(said for _, said in pairs if said)
    gap = "; ".join(part for part in (results.gap, *list(unclear)[:5]) if part)
    return evolve(results, failures=tuple(failure for failure, _ in pairs), gap=gap)
