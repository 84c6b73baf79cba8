"""Result files in an untrusted zip or tar archive, bounded in entries, size and ratio; nothing is extracted to disk."""

import tarfile
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
"""Unpacked bytes of all entries together."""
MOST_RATIO = 200
"""Unpacked bytes for each packed byte; zip bombs have thousands."""
SMALL = 1 << 20
"""Below so many bytes the ratio is ignored: a page of equal lines packs very well."""
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


@define
class Budget:
    """The unpacked bytes that an archive has left."""

    left: int = MOST_BYTES


class Bounded:
    """A stream of an entry, bounded by the limits of the entry and of the archive."""

    def __init__(self, raw: IO[bytes], entry: zipfile.ZipInfo, budget: Budget) -> None:
        self._raw, self._budget = raw, budget
        self._left = max(SMALL, MOST_RATIO * entry.compress_size)

    def read(self, size: int, /) -> bytes:
        """Return some bytes.

        Raises:
            UnreadableFile: The entry exceeds the archive's limit, or the ratio to its packed size.
        """
        if self._budget.left < 0:
            raise UnreadableFile(f"the archive unpacks to more than {MOST_BYTES:,} bytes")
        data = self._raw.read(size)
        self._left -= len(data)
        self._budget.left -= len(data)
        if self._left < 0:
            raise UnreadableFile(f"it unpacks to more than {MOST_RATIO} times its size")
        return data


class BoundedMember:
    """A stream of an entry of a tar archive, bounded by the limit of the archive."""

    def __init__(self, raw: IO[bytes], budget: Budget) -> None:
        self._raw, self._budget = raw, budget

    def read(self, size: int, /) -> bytes:
        """Return some bytes.

        Raises:
            UnreadableFile: The entries exceed the archive's limit.
        """
        data = self._raw.read(size)
        self._budget.left -= len(data)
        if self._budget.left < 0:
            raise UnreadableFile(f"the archive unpacks to more than {MOST_BYTES:,} bytes")
        return data


def iterate_members(
    name: str, raw: BinaryIO, read: Callable[[str, Text], T | None]
) -> Iterator[tuple[str, Results | T | None]]:
    """Iterate over the files in a tar archive that is not packed: the name, and what `read` returns.

    It is read from its beginning to its end; the stream need not be seekable.

    Raises:
        UnreadableFile: It is damaged, or has too many entries.
    """
    budget, count = Budget(), 0
    try:
        with tarfile.open(fileobj=raw, mode="r|") as archive:
            for member in archive:
                count += 1
                if count > MOST_ENTRIES or member.offset_data > MOST_BYTES:
                    raise UnreadableFile(f"{name} has more than {MOST_ENTRIES:,} entries or {MOST_BYTES:,} bytes")
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is not None:
                    inner = f"{name}/{member.name}"
                    text = Text(BoundedMember(stream, budget))
                    yield inner, None if text.starts.startswith(PACKED) else read(inner, text)
    except DAMAGED as error:
        raise UnreadableFile(f"'{name}' is not a readable tar archive: {error}") from error


def read_archive(name: str, raw: BinaryIO, *, files: Iterable[str] = ()) -> Iterator[Results]:
    """Iterate over what each result file in a zip archive reports, in the order of the archive.

    Other entries are skipped.

    An entry that cannot be read is a result without failures, with a gap. An archive in the archive is not opened.

    Args:
        name: The name of the archive.
        raw: Its bytes; the stream has to be seekable.
        files: The files of the repository, to which paths of other machines are mapped.

    Raises:
        UnreadableFile: It is not a zip archive, or has too many entries.
    """
    tree = Tree(files)
    for _, results in iterate_entries(name, raw, lambda inner, text: read_text(inner, text, tree)):
        if results:
            yield results


def iterate_entries(
    name: str, raw: BinaryIO, read: Callable[[str, Text], Results | T | None]
) -> Iterator[tuple[str, Results | T | None]]:
    """Iterate over the entries of a zip archive: the name, and what `read` returns, or a result with a gap.

    Raises:
        UnreadableFile: It is not a zip archive, or has too many entries.
    """
    try:
        archive = zipfile.ZipFile(raw)
    except DAMAGED as error:
        raise UnreadableFile(f"'{name}' is not a readable zip archive: {error}") from error
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
