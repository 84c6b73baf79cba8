"""Write planned changes of files, and undo them: a record in the user's state folder has what was there before."""

import difflib
import hashlib
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from stithy_core.config import user_state_folder
from stithy_core.errors import ConfigError
from stithy_core.spi.file_locks import block_for_file_lock
from stithy_core.spi.file_replacement import replace_file
from stithy_init.documents import Format, InvalidDocument, parse_document, remove_entry, set_entry
from stithy_init.plain_data import find_value

MOST_BYTES = 20_000_000
"""Bytes of the largest file that is read: `.claude.json` grows to megabytes."""
BYTE_ORDER_MARK = "\ufeff"


def read_bytes(path: Path) -> bytes | None:
    """Return the bytes of a file; None if it does not exist.

    Raises:
        InvalidDocument: It cannot be read.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidDocument(f"it has more than {MOST_BYTES // 1_000_000} MB")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InvalidDocument(f"it cannot be read: {error.strerror or error}") from None


def read_text(data: bytes | None) -> str:
    """Return the text of a file's bytes.

    Raises:
        InvalidDocument: It is not UTF-8.
    """
    try:
        return (data or b"").decode()
    except UnicodeDecodeError:
        raise InvalidDocument("it is not UTF-8") from None


@frozen
class FileChange:
    """A planned change of one file.

    Args:
        path: The file.
        form: Its format; None for a file that is written as a whole.
        entry: The path of the entry in it.
        before: Its bytes as they were read; None if it does not exist.
        text: Its text after the change, without a byte order mark.
        hosts: The names of the hosts that read it.
        new_mode: The permissions of a new file.
        is_user: Whether the file is the user's, and not a project's.
    """

    path: Path
    form: Format | None
    entry: tuple[str, ...]
    before: bytes | None = field(repr=False)
    text: str = field(repr=False)
    hosts: tuple[str, ...] = ()
    new_mode: int = 0o600
    is_user: bool = True

    @classmethod
    def read(cls, path: Path, form: Format | None, entry: tuple[str, ...], is_user: bool = True) -> "FileChange":  # noqa: FBT001, FBT002
        """Read a file that is to be changed.

        Raises:
            InvalidDocument: It cannot be read.
        """
        before = read_bytes(path)
        text = read_text(before).removeprefix(BYTE_ORDER_MARK)
        return cls(path, form, entry, before, text, new_mode=0o600 if is_user else 0o644, is_user=is_user)

    def with_text(self, text: str, host: str = "") -> "FileChange":
        """Return the change with another text after it, for one host more."""
        return evolve(self, text=text, hosts=(*self.hosts, host) if host else self.hosts)

    @property
    def after(self) -> bytes:
        """The bytes after the change."""
        mark = BYTE_ORDER_MARK if read_text(self.before).startswith(BYTE_ORDER_MARK) else ""
        return f"{mark}{self.text}".encode()

    @property
    def changes(self) -> bool:
        """Whether the file is another one afterwards."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the lines that change: others may have secrets of other servers."""
        old, new = read_text(self.before).splitlines(), self.after.decode().splitlines()
        lines = difflib.unified_diff(
            old, new, str(self.path) if self.before is not None else "/dev/null", str(self.path), n=0, lineterm=""
        )
        return "\n".join(lines)


def _to_tuple(value: Sequence[str]) -> tuple[str, ...]:
    return tuple(value)


@frozen(kw_only=True)
class ChangeRecord:
    """What is needed to undo a change.

    Args:
        path: The file.
        form: As in `FileChange`.
        entry: The path of what was added: the entry, or the first key above it that was missing.
        previous: The value that was there before; None if there was none.
        backup: The name of the file with the bytes before; empty if there was no file, None if undoing cannot restore
            them because something else changed the file between two runs.
        written: The SHA-256 of the bytes that were written, in hexadecimal.
        hosts: The names of the hosts that read the file.
        folders: The folders that were created, the innermost first.
        is_user: As in `FileChange`.
    """

    path: str
    form: Format | None
    entry: tuple[str, ...] = field(converter=_to_tuple)
    previous: Any = None
    backup: str | None
    written: str
    hosts: tuple[str, ...] = field(converter=_to_tuple)
    folders: tuple[str, ...] = field(converter=_to_tuple, default=())
    is_user: bool = True


class ChangeJournal:
    """The records of all changes that were not undone, in the user's state folder.

    Args:
        folder: The folder of the records and of the copies, which only the user may read.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or user_state_folder() / "init"
        self._file = self._folder / "changes.json"

    @contextmanager
    def open(self) -> Iterator[dict[str, ChangeRecord]]:
        """Yield the records by path, and store what is left of them at the end; other processes wait.

        Raises:
            ConfigError: The records cannot be read or written.
        """
        from attrs import asdict

        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with block_for_file_lock(self._folder / "lock"):
                records = self._read()
                try:
                    yield records
                finally:
                    rows = [asdict(record) for record in records.values()]
                    replace_file(self._file, json.dumps(rows, indent=1).encode())
                    self._delete_backups({record.backup for record in records.values()})
        except OSError as error:
            raise ConfigError(f"{self._folder} cannot be used: {error.strerror or error}") from None

    def store(self, data: bytes) -> str:
        """Store the bytes of a file, and return the name of the copy."""
        name = f"{uuid.uuid4().hex}.backup"
        replace_file(self._folder / name, data)
        return name

    def load(self, name: str) -> bytes:
        """Return the bytes of a copy."""
        return (self._folder / name).read_bytes()

    def _read(self) -> dict[str, ChangeRecord]:
        try:
            rows = json.loads(self._file.read_bytes())
            return {row["path"]: ChangeRecord(**row) for row in rows}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, KeyError):
            raise ConfigError(
                f"{self._file} is not valid", suggestion="Delete it; nothing can be undone then."
            ) from None

    def _delete_backups(self, used: set[str | None]) -> None:
        for path in self._folder.glob("*.backup"):
            if path.name not in used:
                path.unlink()


def apply_changes(changes: Sequence[FileChange], journal: ChangeJournal) -> dict[Path, str]:
    """Write changes, each file completely or not at all.

    Returns:
        Why a file was not written, by its path.

    Raises:
        ConfigError: The records of changes cannot be used; nothing was written.
    """
    with journal.open() as records:
        return _try_each(changes, lambda change: _apply(change, records, journal))


def _apply(change: FileChange, records: dict[str, ChangeRecord], journal: ChangeJournal) -> None:
    if read_bytes(change.path) != change.before:
        raise InvalidDocument("something else changed it meanwhile; run `stithy init` again")
    folders = [str(folder) for folder in change.path.parents if not folder.exists()]
    old = records.get(str(change.path)) if change.before is not None else None
    if old is not None and change.before is not None:
        record = old if old.written == _hash(change.before) else evolve(old, backup=None)
    else:
        backup = "" if change.before is None else journal.store(change.before)
        record = _create_record(change, backup, folders)
    change.path.parent.mkdir(parents=True, exist_ok=True)
    records[record.path] = evolve(
        record, written=_hash(change.after), hosts=tuple(dict.fromkeys([*record.hosts, *change.hosts]))
    )
    try:
        replace_file(change.path, change.after, new_mode=change.new_mode)
    except OSError:
        records.pop(record.path) if old is None else records.update({record.path: old})
        raise


def _create_record(change: FileChange, backup: str, folders: Sequence[str]) -> ChangeRecord:
    entry, previous = change.entry, None
    if change.form is not None:
        data = parse_document(read_text(change.before).removeprefix(BYTE_ORDER_MARK), change.form)
        previous = find_value(data, entry)
        while len(entry) > 1 and find_value(data, entry[:-1]) is None:
            entry = entry[:-1]
    return ChangeRecord(
        path=str(change.path),
        form=change.form,
        entry=entry,
        previous=previous,
        backup=backup,
        written="",
        hosts=change.hosts,
        folders=folders,
        is_user=change.is_user,
    )


def undo_changes(journal: ChangeJournal, selects: Callable[[ChangeRecord], bool]) -> tuple[list[Path], dict[Path, str]]:
    """Undo the changes of selected records: byte for byte if nothing else changed the file, or else the entry alone.

    Returns:
        The files that are as before, and why others could not be undone.

    Raises:
        ConfigError: The records of changes cannot be used.
    """
    with journal.open() as records:
        chosen = [record for record in records.values() if selects(record)]
        errors = _try_each(chosen, lambda record: _undo(record, journal))
        done = [record for record in chosen if Path(record.path) not in errors]
        for record in done:
            del records[record.path]
        _remove_folders(folder for record in done for folder in record.folders)
    return [Path(record.path) for record in done], errors


def _undo(record: ChangeRecord, journal: ChangeJournal) -> None:
    path = Path(record.path)
    now = read_bytes(path)
    if now is not None and record.backup is not None and record.written == _hash(now):
        replace_file(path, journal.load(record.backup)) if record.backup else path.unlink()
    elif now is not None and record.form is not None:
        _remove_from_file(path, now, record)
    elif now is not None:
        raise InvalidDocument("it was changed since; delete it if you do not need it")


def _remove_folders(folders: Iterable[str]) -> None:
    """Remove folders that were created and are empty, the innermost first."""
    for folder in sorted(set(map(Path, folders)), key=lambda path: -len(path.parts)):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _remove_from_file(path: Path, now: bytes, record: ChangeRecord) -> None:
    change = FileChange.read(path, record.form, record.entry)
    assert record.form is not None
    if record.previous is None:
        text = remove_entry(change.text, record.form, record.entry)
    else:
        text = set_entry(change.text, record.form, record.entry, record.previous, whole=True)
    if record.backup == "" and not parse_document(text, record.form):
        path.unlink()
    elif (after := change.with_text(text).after) != now:
        replace_file(path, after)


def _try_each(rows: Sequence[Any], work: Callable[[Any], None]) -> dict[Path, str]:
    errors = {}
    for row in rows:
        try:
            work(row)
        except InvalidDocument as error:
            errors[Path(row.path)] = str(error)
        except OSError as error:
            errors[Path(row.path)] = f"it cannot be written: {error.strerror or error}"
    return errors


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
