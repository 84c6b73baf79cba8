"""Hooks: what is declared, who implements them, and calling one implementation with its faults contained."""

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pluggy

from stithy_core.plugins.containing import PluginError, contained
from stithy_core.plugins.given import check, item_type, listed
from stithy_core.spi import hooks
from stithy_core.spi.hooks import OWNER_ATTRIBUTE, PROJECT


class Hooks:
    """Every hook that is open, and every implementation that was registered."""

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hooks)
        self._opened: dict[str, str] = {}

    def open(self, module: ModuleType, owner: str) -> None:
        """Open the hooks of a module.

        Args:
            module: Where they stand.
            owner: The distribution that opens them.

        Raises:
            PluginError: It has none, or one that is open already.
        """
        before = set(self.names())
        try:
            self._manager.add_hookspecs(module)
        except ValueError as error:
            taken = "already" in str(error)
            remedy = "give the hook another name" if taken else "mark the functions of that module with @hookspec"
            raise PluginError(str(error), remedy) from error
        self._opened |= dict.fromkeys(set(self.names()) - before, owner)

    def owner(self, hook: str) -> str:
        """Name the distribution that opened a hook; nothing for one of the core's, or one that is not open."""
        return self._opened.get(hook, "")

    def register(self, plugin: object, name: str, lacking: Callable[[str], str]) -> tuple[str, ...]:
        """Register a plugin's implementations, and give a note for each hook that waits for its owner.

        Args:
            plugin: What its entry point names.
            name: What it is registered as.
            lacking: Says what to do about an owner that is not loaded; nothing about one that is.

        Raises:
            PluginError: It implements a hook that does not exist, or with arguments that the hook does not have.
        """
        notes = tuple(filter(None, (self._waits(plugin, hook, lacking) for hook in self.implemented(plugin))))
        try:
            self._manager.register(plugin, name)
        except pluggy.PluginValidationError as error:
            # What was registered before the fault stays there unasked: only plugins that loaded are asked.
            cause = " ".join(str(error).split())
            raise PluginError(cause, "give the implementation only arguments that the hook has") from error
        return notes

    def implemented(self, plugin: object) -> list[str]:
        """Name the hooks that a plugin implements."""
        return [name for name in dir(plugin) if self.is_implemented(plugin, name)]

    def is_implemented(self, plugin: object, hook: str) -> bool:
        """Return whether a plugin implements a hook."""
        return self._manager.parse_hookimpl_opts(plugin, hook) is not None

    def _waits(self, plugin: object, hook: str, lacking: Callable[[str], str]) -> str:
        owner: str = getattr(getattr(plugin, hook), OWNER_ATTRIBUTE, "")
        if self._specification(hook) is not None:
            return ""
        if owner and (remedy := lacking(owner)):
            return f"{hook} waits for {owner}: {remedy}"
        from difflib import get_close_matches

        near = get_close_matches(hook, self.names(), n=1)
        remedy = f"did you mean {near[0]}?" if near else f"the hooks are {', '.join(self.names())}"
        raise PluginError(f"unknown hook {hook}" + (f" of {owner}" if owner else ""), remedy)

    def names(self) -> list[str]:
        """Name every open hook."""
        return sorted(name for name in vars(self._manager.hook) if self._specification(name) is not None)

    def unregister(self, plugin: object) -> None:
        """Remove a plugin's implementations."""
        self._manager.unregister(plugin)

    def ask(self, plugin: object, hook: str, arguments: dict[str, Any]) -> list[Any]:
        """Call one plugin's implementation of a hook, to its last value.

        Raises:
            PluginError: It raised, or a value is of a type that the hook does not have.
        """
        caller = getattr(self._manager.hook, hook, None)
        found = [impl for impl in (caller.get_hookimpls() if caller else ()) if impl.plugin is plugin]
        return [value for impl in found for value in self._call(impl, hook, arguments)]

    def _call(self, implementation: pluggy.HookImpl, hook: str, arguments: dict[str, Any]) -> Iterator[Any]:
        with contained(f"{hook} raised", "mend the hook, or block the plugin"):
            given = implementation.function(*(arguments[name] for name in implementation.argnames))
            # Iterated here, since a hook written as a generator raises only now.
            values = listed(given, hook)
        expected = item_type(self._specification(hook))
        for value in values:
            check(value, expected, hook)
            yield value

    def _specification(self, hook: str) -> Callable[..., Any] | None:
        caller = getattr(self._manager.hook, hook, None)
        return caller.spec.function if caller is not None and caller.spec is not None else None


def bind(hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Turn a typed call of a hook into the keywords that implementations are called with."""
    return dict(inspect.signature(hook).bind(*args, **kwargs).arguments)
