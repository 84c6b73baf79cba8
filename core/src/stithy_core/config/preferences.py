"""What the user prefers, in one file of the user's own: read again when it has changed, written whole or not at all."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from stithy_core.config.source import Mistake, Source
from stithy_core.errors import ConfigError

NAME = "preferences.json"
PLACE = "See to its place and to who may use it"


class PreferenceFile:
    """The preferences of one user, by name. However many processes read and write it, each finds it whole.

    Args:
        given: Where the file is; by default in the user's configuration folder, which is found at the first use.
    """

    def __init__(self, given: Path | None = None) -> None:
        self._given = given
        self._values: Mapping[str, Any] = {}
        self._seen: tuple[int, ...] | None = None

    @cached_property
    def path(self) -> Path:
        """Where the file is, behind links, so that writing replaces the file and no link."""
        return Path(os.path.realpath(self._given or _usual()))

    def values(self) -> Mapping[str, Any]:
        """Give what is preferred: the same object until the file changes; nothing where there is no file.

        Raises:
            ConfigError: It cannot be read, or is no JSON object; the file is named.
        """
        try:
            seen = _fingerprint(os.stat(self.path))  # noqa: PTH116 -- at every call that takes a preference
            if seen != self._seen:
                with self.path.open("rb") as file:
                    seen, raw = _fingerprint(os.fstat(file.fileno())), file.read()
                self._values, self._seen = self._parsed(raw), seen
        except (FileNotFoundError, NotADirectoryError):
            self._values, self._seen = {}, None
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror or error}", remedy=PLACE) from None
        return self._values

    def set(self, name: str, value: Any) -> None:
        """Store one preference.

        Raises:
            ConfigError: As for `values`, or the file cannot be written.
        """
        with self._changing() as values:
            values[name] = value

    def clear(self, names: Iterable[str]) -> None:
        """Forget preferences; those that are not stored are no error.

        Raises:
            ConfigError: As for `set`.
        """
        with self._changing() as values:
            for name in names:
                values.pop(name, None)

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """Give what is stored, to be changed, and write it; nobody else writes meanwhile."""
        from stithy_core.config.locks import locked

        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with locked(self.path.with_name(f"{NAME}.lock")):
                values = dict(self.values())
                before = _written(values)
                yield values
                if _written(values) != before:
                    _write(self.path, _written(values))
        except OSError as error:
            raise self._error(f"cannot be written: {error.strerror or error}", remedy=PLACE) from None

    def _parsed(self, raw: bytes) -> Mapping[str, Any]:
        try:
            values = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
        except UnicodeDecodeError:
            raise self._error("this is not UTF-8, as JSON must be") from None
        except json.JSONDecodeError as error:
            raise self._error(f"this is not JSON: {error.msg}", error.lineno) from None
        except (ValueError, RecursionError) as error:
            raise self._error(f"this is not JSON: {error}") from None
        if not isinstance(values, dict):
            raise self._error("this is no JSON object, as preferences must be")
        return values

    def _error(self, text: str, line: int | None = None, remedy: str = "Correct or delete it") -> ConfigError:
        source = Source(path=self.path, name=str(self.path))
        return source.error([Mistake((), text, line)], f"{remedy}: the file is left as it is.")


def _usual() -> Path:
    from platformdirs import user_config_dir

    return Path(user_config_dir("stithy")) / NAME


def _written(values: Mapping[str, Any]) -> str:
    return json.dumps(values, indent=2, sort_keys=True) + "\n"  # in ASCII, which also carries what UTF-8 cannot


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"it has no {word}")


def _fingerprint(state: os.stat_result) -> tuple[int, ...]:
    return state.st_mtime_ns, state.st_size, state.st_ino, state.st_ctime_ns


def _write(path: Path, text: str) -> None:
    """Put a file in the place of another at once; only its owner may read it."""
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
