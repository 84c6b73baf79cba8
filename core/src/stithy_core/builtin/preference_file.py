"""The user's preferences in one JSON file, and the wrapper that applies them: they win over the defaults of tools."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from stithy_core.spi import CallWrapper, ConfigError, Scope, ToolCall, WrappedTool

NAME = "preferences.json"
NOTE = "applied_preferences"
PERMISSIONS = "Check that the path exists and that you may use it"


class PreferenceFile:
    """The preferences of one user, by name. Any number of processes may read and write it; each reads a whole file.

    Args:
        path: The path; by default in the user's configuration folder, which is determined at first use.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._configured_path = path
        self._values: Mapping[str, Any] = {}
        self._seen: tuple[int, ...] | None = None

    @cached_property
    def path(self) -> Path:
        """The path with links resolved, so that writing replaces the file and no link."""
        return Path(os.path.realpath(self._configured_path or _default_path()))

    def values(self) -> Mapping[str, Any]:
        """Return what is stored: the same object until the file changes; empty without a file.

        Raises:
            ConfigError: The file cannot be read, or is not a JSON object.
        """
        try:
            seen = _fingerprint(os.stat(self.path))  # noqa: PTH116 -- the cheapest check, at every call that may use a preference
            if seen != self._seen:
                with self.path.open("rb") as file:
                    seen, raw = _fingerprint(os.fstat(file.fileno())), file.read()
                self._values, self._seen = self._parse(raw), seen
        except (FileNotFoundError, NotADirectoryError):
            self._values, self._seen = {}, None
        except OSError as error:
            raise self._error(f"cannot be read: {error.strerror or error}", remedy=PERMISSIONS) from None
        return self._values

    def store(self, name: str, value: Any) -> None:
        """Store one preference.

        Raises:
            ConfigError: As for `values`, or the file cannot be written.
        """
        with self._change_values() as values:
            values[name] = value

    def clear(self, names: Iterable[str]) -> None:
        """Remove preferences; names that are not stored are ignored.

        Raises:
            ConfigError: As for `store`.
        """
        with self._change_values() as values:
            for name in names:
                values.pop(name, None)

    @contextmanager
    def _change_values(self) -> Iterator[dict[str, Any]]:
        """Yield the stored values for changes, then write them; other processes wait."""
        from stithy_core.spi.file_locks import block_for_file_lock
        from stithy_core.spi.file_replacement import replace_file

        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with block_for_file_lock(self.path.with_name(f"{NAME}.lock")):
                values = dict(self.values())
                before = _format(values)
                yield values
                if _format(values) != before:
                    replace_file(self.path, _format(values).encode(), keep_mode=False)
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


class PreferenceWrapper(CallWrapper):
    """Applies the preferences of the one user behind a server.

    Args:
        scope: The plugin's scope.
        file: Their file, read only by calls that leave a preferable argument out. None applies nothing.
    """

    def __init__(self, scope: Scope, file: PreferenceFile | None) -> None:
        super().__init__(scope)
        self._file = file
        self._values: Mapping[str, Any] = {}
        self._applicable: dict[str, Mapping[str, Any]] = {}

    def note_schemas(self, tool: WrappedTool) -> Mapping[str, Mapping[str, Any]]:
        """Describe the note that lists the preferences that were applied."""
        properties = {name: tool.input["properties"][name] for name in tool.preferable}
        return {NOTE: {"type": "object", "properties": properties, "additionalProperties": False}}

    def before(self, call: ToolCall) -> None:
        """Fill the arguments that a call leaves out. Where several callers share the server, no preference is applied.

        Raises:
            ConfigError: The preferences cannot be read.
        """
        if call.caller is not None or self._file is None:
            return
        arguments = call.arguments
        missing = [name for name in call.tool.preferable if name not in arguments]
        if missing and (applied := self._find(call.tool, self._file, missing)):
            arguments.update(applied)
            values = ", ".join(f"{name}={json.dumps(value)}" for name, value in applied.items())
            call.add_note(NOTE, applied, f"Preferred by the user: {values}")

    def _find(self, tool: WrappedTool, file: PreferenceFile, missing: Iterable[str]) -> dict[str, Any]:
        if (values := file.values()) is not self._values:
            self._values = values
            self._applicable.clear()
        if tool.spec.name not in self._applicable:
            self._applicable[tool.spec.name] = select_applicable(tool, values)
        applicable = self._applicable[tool.spec.name]
        return {name: applicable[name] for name in missing if name in applicable}


def select_applicable(tool: WrappedTool, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the preferences that a tool accepts: another tool's argument of that name may accept other values."""
    return {
        name: values[name] for name in tool.preferable if name in values and not tool.argument_fault(name, values[name])
    }
