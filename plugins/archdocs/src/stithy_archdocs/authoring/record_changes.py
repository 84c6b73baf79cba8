"""Changes of decision records: planned as a whole, checked by reading them back, shown as a diff, written at once."""

import difflib
import os
import posixpath
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import evolve, frozen

from stithy_archdocs.adr.link_resolver import RecordIndex
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_files import DocumentFile, is_record_name
from stithy_archdocs.documents.document_locations import list_locations
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.documents.text_decoding import split_lines
from stithy_core.spi import InvalidArguments, UserError
from stithy_core.spi.file_replacement import replace_file

LOCK = ".stithy-adr.lock"
"""The file by which processes exclude each other. The kit's lock would leave its file in the folder."""
PATIENCE = 10.0
"""Seconds to wait for another process."""
_PAUSE = 0.05


@frozen
class RecordChange:
    """A planned change of one record.

    Args:
        path: Path relative to the project.
        before: Text with newlines as line ends; None for a new record.
        after: Text to write.
        like: Path of the record whose line ends a new record has; empty for newlines.
    """

    path: str
    before: str | None
    after: str
    like: str = ""


def locate(settings: ArchdocsSettings, root: Path, path: str) -> DocumentFile:
    """Return the file that a path would be, if it would be read as a decision record.

    Raises:
        InvalidArguments: It is not in a location of records, leads out of the project, or has the name of an index.
    """
    base = root.resolve()
    for place in list_locations(settings, root):
        below = posixpath.relpath(path, place.folder) if place.folder else path
        if place.kind is not DocumentKind.ADR or below.startswith("..") or not place.fits.fullmatch(below):
            continue
        if not (base / path).resolve().is_relative_to(base):
            raise InvalidArguments(f"{path} leads out of the project", suggestion="Choose another folder.")
        if is_record_name(below):
            return DocumentFile(path, DocumentKind.ADR, below, b"")
        raise InvalidArguments(
            f"{path} would not be read as a decision record: its name is one of indexes and templates",
            suggestion="Choose another title.",
        )
    raise InvalidArguments(
        f"{path} is not in a location of decision records",
        suggestion="Set [archdocs] adr in stithy.toml, or choose another folder.",
    )


def read_back(snapshot: DocumentSnapshot, texts: Mapping[str, tuple[DocumentFile, str]]) -> DocumentSnapshot:
    """Return the snapshot as it will be with other texts of some records, with all links resolved."""
    parsed = {path: parse_document(found, text.encode()) for path, (found, text) in texts.items()}
    documents = {**snapshot.documents, **parsed}
    index = RecordIndex.from_documents(documents)
    return evolve(snapshot, documents={path: index.resolve(one) for path, one in documents.items()})


def format_diff(changes: Sequence[RecordChange]) -> str:
    """Return the changes as a diff that `git apply` understands."""
    return "".join(line for change in changes for line in _iterate_diff(change))


def _iterate_diff(change: RecordChange) -> Iterator[str]:
    before = split_lines(change.before or "")
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    for line in difflib.unified_diff(before, split_lines(change.after), old, f"b/{change.path}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def apply_changes(root: Path, changes: Sequence[RecordChange]) -> None:
    """Write all changes, or none: new records first, and what was written is undone if a later one fails.

    Raises:
        UserError: A file exists already, changed meanwhile, or cannot be written.
    """
    done: list[tuple[Path, bytes | None]] = []
    try:
        for change in sorted(changes, key=lambda one: one.before is not None):
            target = root / change.path
            if change.before is None:
                ends = _find_line_ends((root / change.like).read_bytes()) if change.like else "\n"
                _create_file(target, change.after.replace("\n", ends).encode())
                done.append((target, None))
            else:
                raw, new = _encode_change(target, change)
                replace_file(target, new)
                done.append((target, raw))
    except (OSError, UserError) as error:
        for target, before in reversed(done):
            _undo(target, before)
        if isinstance(error, UserError):
            raise
        what = f"cannot write {error.filename or 'the record'}: {error.strerror or error}"
        raise UserError(what, suggestion="Nothing was changed.") from error


def _undo(target: Path, raw: bytes | None) -> None:
    if raw is None:
        target.unlink(missing_ok=True)
        with suppress(OSError):  # it is not empty, unless it was made for the record
            target.parent.rmdir()
    else:
        replace_file(target, raw)


def _encode_change(target: Path, change: RecordChange) -> tuple[bytes, bytes]:
    """Return the bytes of a file and those to write, with the same line ends and byte order mark.

    Raises:
        UserError: The file changed since it was read, is not UTF-8, or has mixed line ends.
    """
    raw = target.read_bytes()
    mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
    ends = _find_line_ends(raw)
    if mark + (change.before or "").replace("\n", ends).encode() != raw:
        reason = "it changed meanwhile, is not UTF-8, or has mixed line ends"
        raise UserError(f"{change.path} cannot be edited: {reason}", suggestion="Edit it by hand, or try again.")
    return raw, mark + change.after.replace("\n", ends).encode()


def _find_line_ends(raw: bytes) -> str:
    return "\r\n" if b"\r\n" in raw else "\n"


def _create_file(target: Path, data: bytes) -> None:
    """Create a file with all its bytes; one that exists stays as it is.

    Raises:
        UserError: The file exists.
        OSError: It cannot be created.
    """
    target.parent.mkdir(exist_ok=True)  # in some projects each record has a folder
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        _link_or_copy(temporary, target, data)
    except FileExistsError as error:
        raise UserError(f"{target.name} exists already", suggestion="Choose another title.") from error
    finally:
        temporary.unlink(missing_ok=True)


def _link_or_copy(temporary: Path, target: Path, data: bytes) -> None:
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        with target.open("xb") as file:
            file.write(data)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other processes from writing records in a folder meanwhile: two would take the same number.

    Raises:
        UserError: Another process does not end, or was killed.
        OSError: The folder cannot be written.
    """
    mark = folder / LOCK
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            mark.open("xb").close()
            break
        except FileExistsError as error:
            if time.monotonic() > deadline:
                what = f"another process writes records, or was killed: {mark} exists"
                raise UserError(what, suggestion="Delete that file if no such process runs.") from error
            time.sleep(_PAUSE)
    try:
        yield
    finally:
        mark.unlink(missing_ok=True)
