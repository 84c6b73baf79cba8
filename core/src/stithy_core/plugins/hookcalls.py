"""Hooks: what is declared, who implements them, and calling one implementation with its faults contained."""

import inspect
import typing
from collections.abc import Callable, Iterator
from types import ModuleType, UnionType
from typing import Any

import pluggy

from stithy_core import spi
from stithy_core.spi import hooks
from stithy_core.spi.markers import OWNER_ATTRIBUTE, PROJECT


class PluginError(Exception):
    """A plugin's own fault, with the remedy beside it."""

    def __init__(self, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.cause = cause
        self.remedy = remedy


class Hooks:
    """Every hook that is open, and every implementation that was registered."""

    def __init__(self) -> None:
        self._manager = pluggy.PluginManager(PROJECT)
        self._manager.add_hookspecs(hooks)

    def open(self, module: ModuleType) -> None:
        """Open the hooks of a module.

        Raises:
            PluginError: It has none.
        """
        try:
            self._manager.add_hookspecs(module)
        except ValueError as error:
            raise PluginError(str(error), "mark the functions of that module with @hookspec") from error

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
        return [name for name in dir(plugin) if self._manager.parse_hookimpl_opts(plugin, name) is not None]

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
        """Take a plugin's implementations out."""
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
        expected = item_type(self._specification(hook))
        try:
            # Iterated here, since a hook written as a generator raises only now.
            given: Any = implementation.function(*(arguments[name] for name in implementation.argnames))
            values = list(given)
        except (Exception, SystemExit) as error:
            raise PluginError(f"{hook} raised {said(error)}", "mend the hook, or block the plugin") from error
        for value in values:
            if expected and not _fits(value, expected):
                wanted = getattr(expected, "__name__", str(expected))
                raise PluginError(f"{hook} gave {value!r:.80}", f"the hook gives {wanted} values")
            yield value

    def _specification(self, hook: str) -> Callable[..., Any] | None:
        caller = getattr(self._manager.hook, hook, None)
        return caller.spec.function if caller is not None and caller.spec is not None else None


class _Names(dict[str, Any]):
    """The names of the plugin interface, each loaded when an annotation has it."""

    def __missing__(self, name: str) -> Any:
        if name in spi.__all__:
            return getattr(spi, name)
        raise KeyError(name)


def item_type(specification: Callable[..., Any] | None) -> Any:
    """Read what a hook gives from its return annotation, `Iterable[ForgeKind]`; None when it does not say."""
    if specification is None:
        return None
    hints = typing.get_type_hints(specification, localns=_Names())
    return next(iter(typing.get_args(hints.get("return"))), None)


def _fits(value: object, expected: Any) -> bool:
    origin = typing.get_origin(expected)
    if origin in (typing.Union, UnionType):
        return any(_fits(value, option) for option in typing.get_args(expected))
    if origin is type:
        return isinstance(value, type) and issubclass(value, typing.get_args(expected)[0])
    kind = origin or expected
    return not isinstance(kind, type) or isinstance(value, kind)


def said(error: BaseException) -> str:
    """Say an error on one line, with its class."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def bind(hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Turn a typed call of a hook into the keywords that implementations are called with."""
    return dict(inspect.signature(hook).bind(*args, **kwargs).arguments)
