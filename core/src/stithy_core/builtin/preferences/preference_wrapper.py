"""Fill the arguments that a call leaves out with stored preferences; these win over the defaults of the tools."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from stithy_core.spi import CallWrapper, Scope, ToolCall, WrappedTool

NOTE = "applied_preferences"


class PreferenceStore(Protocol):
    """Where preferences are stored."""

    def values(self) -> Mapping[str, Any]:
        """Return them by name: the same object until they change.

        Raises:
            ConfigError: They cannot be read.
        """
        ...


class PreferenceWrapper(CallWrapper):
    """Applies the preferences of the one user behind a server.

    Args:
        scope: The plugin's scope.
        store: Where they are stored; read only by calls that leave a preferable argument out. None applies nothing.
    """

    def __init__(self, scope: Scope, store: PreferenceStore | None) -> None:
        super().__init__(scope)
        self._store = store
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
        if call.caller is not None or self._store is None:
            return
        arguments = call.arguments
        missing = [name for name in call.tool.preferable if name not in arguments]
        if missing and (applied := self._find(call.tool, self._store, missing)):
            arguments.update(applied)
            written = ", ".join(f"{name}={json.dumps(value)}" for name, value in applied.items())
            call.add_note(NOTE, applied, f"Preferred by the user: {written}")

    def _find(self, tool: WrappedTool, store: PreferenceStore, missing: Iterable[str]) -> dict[str, Any]:
        if (values := store.values()) is not self._values:
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
