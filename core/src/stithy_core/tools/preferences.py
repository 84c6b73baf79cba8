"""What the user prefers, in the place of what a caller left out: explicit argument > stored preference > default."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from attrs import define, field

from stithy_core.errors import InvalidArguments
from stithy_core.tools.hints import messages
from stithy_core.tools.registry import Tool
from stithy_core.tools.validation import Validator


class Stored(Protocol):
    """Where preferences are kept."""

    def values(self) -> Mapping[str, Any]:
        """Give them by name; the same object until they change.

        Raises:
            ConfigError: They cannot be read.
        """
        ...


@define
class Preferences:
    """The preferences of the one user behind a server.

    Args:
        stored: Where they are kept; asked only by calls that leave a preferable argument out.
    """

    _stored: Stored
    _values: Mapping[str, Any] = field(factory=dict, init=False)
    _fitting: dict[str, Mapping[str, Any]] = field(factory=dict, init=False)

    def apply(self, tool: Tool, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give what is preferred for the arguments that a call leaves out.

        Raises:
            ConfigError: The preferences cannot be read.
        """
        if not (missing := [name for name in tool.preferable if name not in arguments]):
            return {}
        if (values := self._stored.values()) is not self._values:
            self._values = values
            self._fitting.clear()
        if tool.spec.name not in self._fitting:
            self._fitting[tool.spec.name] = fitting(tool, values)
        preferred = self._fitting[tool.spec.name]
        return {name: preferred[name] for name in missing if name in preferred}


def fitting(tool: Tool, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the preferences that a tool can take: another tool's argument of that name may take other values."""
    return {name: values[name] for name in tool.preferable if name in values and not misfit(tool, name, values[name])}


def misfit(tool: Tool, name: str, value: Any) -> str:
    """Say why a tool cannot take a preference, or nothing."""
    alone = {"type": "object", "properties": {name: tool.input["properties"][name]}}
    try:
        Validator(alone, messages(tool.spec.input)).check({name: value})
    except InvalidArguments as error:
        return error.message
    return ""


def takers(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """Give every name that can be preferred, in alphabetical order, with the tools that have the argument."""
    found: dict[str, list[Tool]] = {}
    for tool in tools:
        for name in tool.preferable:
            found.setdefault(name, []).append(tool)
    return dict(sorted(found.items()))
