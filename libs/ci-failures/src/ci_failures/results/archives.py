"""Result files in a zip of strangers: bounded in entries, size and ratio; nothing of it is written anywhere."""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import IO, BinaryIO, TypeVar

from attrs import define

from ci_failures.results.files import read_text
from ci_failures.results.paths import Tree
from ci_failures.results.tally import Results, UnreadableFile
from ci_failures.results.text import Text

T = TypeVar("T")

MOST_ENTRIES = 10_000
MOST_BYTES = 512 << 20
"""Bytes of all entries together, unpacked."""
MOST_RATIO = 200
"""Unpacked bytes for a packed one; what is made to be unpacked has thousands."""
SMALL = 1 << 20
"""Below this no ratio is minded: a page of equal lines packs very well."""
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@define
class Budget:
    """What an archive may still unpack to."""

    left: int = MOST_BYTES


class Bounded:
    """An entry that is read up to what it, and the archive, may have."""

    def __init__(self, raw: IO[bytes], entry: zipfile.ZipInfo, budget: Budget) -> None:
        self._raw, self._budget = raw, budget
        self._left = max(SMALL, MOST_RATIO * entry.compress_size)

    def read(self, size: int, /) -> bytes:
        """Give some bytes.

        Raises:
            UnreadableFile: There are too many, by themselves or for how they were packed.
        """
        if self._budget.left < 0:
            raise UnreadableFile(f"the archive unpacks to more than {MOST_BYTES:,} bytes")
        data = self._raw.read(size)
        self._left -= len(data)
        self._budget.left -= len(data)
        if self._left < 0:
            raise UnreadableFile(f"it unpacks to more than {MOST_RATIO} times its size")
        return data


def read_archive(name: str, raw: BinaryIO, *, files: Iterable[str] = ()) -> Iterator[Results]:
    """Give what each result file in a zip says, in the order of the archive; other entries are passed over.

    What cannot be read is told as the gap of a result without failures. An archive in the archive is not opened.

    Args:
        name: What the archive is called.
        raw: Its bytes; it must be possible to seek in them.
        files: The files of the repository, by which paths of other machines are mapped to its own.

    Raises:
        UnreadableFile: It is no zip, or has too many entries.
    """
    tree = Tree(files)
    for _, results in each_entry(name, raw, lambda inner, text: read_text(inner, text, tree)):
        if results:
            yield results


def each_entry(
    name: str, raw: BinaryIO, read: Callable[[str, Text], Results | T | None]
) -> Iterator[tuple[str, Results | T | None]]:
    """Give what `read` makes of each entry of a zip, by its name; what cannot be read is a result with a gap.

    Raises:
        UnreadableFile: It is no zip, or has too many entries.
    """
    try:
        archive = zipfile.ZipFile(raw)
    except DAMAGED as error:
        raise UnreadableFile(f"{name} is no zip that can be read: {error}") from error
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(entries) > MOST_ENTRIES:
            raise UnreadableFile(f"{name} has {len(entries):,} entries, more than {MOST_ENTRIES:,}")
        budget = Budget()
        for entry in entries:
            inner = f"{name}/{entry.filename}"
            try:
                with archive.open(entry) as packed:
                    text = Text(Bounded(packed, entry, budget))
                    found = None if text.starts.startswith(PACKED) else read(inner, text)
            except (UnreadableFile, *DAMAGED) as error:
                found = Results(name=inner, form="", gap=f"{inner} was not read: {error}")
            yield inner, found
