"""The user's preferences, in one JSON file: read again when it has changed, and replaced as a whole."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from stithy_core.spi import ConfigError

NAME = "preferences.json"
PERMISSIONS = "Check that the path exists and that you may use it"


class PreferenceFile:
    """The preferences of one user, by name. Any number of processes may read and write it; each reads a whole file.

    Args:
        given: The path; by default in the user's configuration folder, which is found at the first use.
    """

    def __init__(self, given: Path | None = None) -> None:
        self._given = given
        self._values: Mapping[str, Any] = {}
        self._seen: tuple[int, ...] | None = None

    @cached_property
    def path(self) -> Path:
        """The path with links resolved, so that writing replaces the file and no link."""
        return Path(os.path.realpath(self._given or _default_path()))

    def values(self) -> Mapping[str, Any]:
        """Return what is stored: the same object until the file changes; empty where there is no file.

        Raises:
            ConfigError: The file cannot be read, or is not a JSON object.
        """
        try:
            seen = _fingerprint(os.stat(self.path))  # noqa: PTH116 -- at every call that takes a preference
            if seen != self._seen:
                with self.path.open("rb") as file:
                    seen, raw = _fingerprint(os.fstat(file.fileno())), file.read()
                self._values, self._seen = self._parse(raw), seen
        except (FileNotFoundError, NotADirectoryError):
            self._values, self._seen = {}, None
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror or error}", remedy=PERMISSIONS) from None
        return self._values

    def set(self, name: str, value: Any) -> None:
        """Store one preference.

        Raises:
            ConfigError: As for `values`, or the file cannot be written.
        """
        with self._changing() as values:
            values[name] = value

    def clear(self, names: Iterable[str]) -> None:
        """Remove preferences; names that are not stored are ignored.

        Raises:
            ConfigError: As for `set`.
        """
        with self._changing() as values:
            for name in names:
                values.pop(name, None)

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """Yield what is stored, to be changed, and write it; other processes wait meanwhile."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with lock_file(self.path.with_name(f"{NAME}.lock")):
                values = dict(self.values())
                before = _format(values)
                yield values
                if _format(values) != before:
                    _replace(self.path, _format(values))
        except OSError as error:
            raise self._error(f"cannot be written: {error.strerror or error}", remedy=PERMISSIONS) from None

    def _parse(self, raw: bytes) -> Mapping[str, Any]:
        try:
            values = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
        except UnicodeDecodeError:
            raise self._error("invalid JSON: not UTF-8") from None
        except json.JSONDecodeError as error:
            raise self._error(f"invalid JSON: {error.msg}", error.lineno) from None
        except (ValueError, RecursionError) as error:
            raise self._error(f"invalid JSON: {error}") from None
        if not isinstance(values, dict):
            raise self._error("expected a JSON object of preferences")
        return values

    def _error(self, text: str, line: int | None = None, remedy: str = "Correct or delete it") -> ConfigError:
        place = f"{self.path}:{line}" if line else str(self.path)
        row = {"file": str(self.path), "line": line, "key": None}
        return ConfigError(
            f"{place}: {text}",
            suggestion=f"{remedy}: the file was not changed.",
            details={**row, "errors": [{**row, "message": f"{place}: {text}"}]},
        )


def _default_path() -> Path:
    from platformdirs import user_config_dir

    return Path(user_config_dir("stithy")) / NAME


def _format(values: Mapping[str, Any]) -> str:
    return json.dumps(values, indent=2, sort_keys=True) + "\n"  # in ASCII, which also carries what UTF-8 cannot


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _fingerprint(state: os.stat_result) -> tuple[int, ...]:
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def _replace(path: Path, text: str) -> None:
    """Replace a file atomically; only its owner may read the new one."""
    import tempfile

    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 600
    try:
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 -- it is a descriptor
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(made).replace(path)
    except BaseException:
        Path(made).unlink(missing_ok=True)
        raise


@contextmanager
def lock_file(path: Path) -> Iterator[None]:
    """Hold the lock of a file, waiting for it. The system releases it however the process ends.

    Raises:
        OSError: The file cannot be created.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)  # releases the lock


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        import msvcrt

        while True:
            try:
                return msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten seconds
                continue

else:

    def _lock(handle: int) -> None:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
