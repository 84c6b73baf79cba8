"""Hooks: their declarations and implementations, and calls of them and of providers that contain faults.

References such as "package.module:name" are loaded at first use.
"""

import functools
import inspect
import logging
import typing
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from enum import EnumType
from importlib import import_module
from itertools import islice
from types import FunctionType, ModuleType, UnionType
from typing import Any, TypeVar, cast

import anyio
import pluggy

from stithy_core import spi
from stithy_core.errors import InvalidSpec
from stithy_core.plugins.interface_versions import suggest_new_name
from stithy_core.plugins.plugin_states import PluginError, contain_faults, format_value
from stithy_core.spi import hooks
from stithy_core.spi.faults import ends_caller
from stithy_core.spi.hooks import OWNER_ATTRIBUTE, PROJECT
from stithy_core.spi.runtime import Contribution, Scope

MOST_VALUES = 10_000
NEAR = 0.9
"""The similarity from which a function's name is taken for that of a hook."""
PLAIN = (str, int, bool, type)
IMPLEMENTATION = f"{PROJECT}_impl"
"""The attribute with which pluggy marks an implementation."""


class _Names(dict[str, Any]):
    """The names of the plugin interface, each loaded when an annotation uses it."""

    def __missing__(self, name: str) -> Any:
        if name in spi.__all__:
            return getattr(spi, name)
        raise KeyError(name)


@functools.lru_cache(maxsize=256)  # every plugin implements some of a few hooks
def find_item_type(specification: Callable[..., Any] | None) -> Any:
    """Return the type of a hook's values from its annotation, such as `Iterable[ForgeKind]`; None without one."""
    if specification is None:
        return None
    return next(iter(typing.get_args(find_return_type(specification))), None)


@functools.lru_cache(maxsize=1024)  # a check asks for each operation of the interface once for each forge
def find_return_type(function: Callable[..., Any]) -> Any:
    """Return the return annotation of a function of the plugin interface; None without one."""
    return typing.get_type_hints(function, localns=_Names()).get("return")


def find_field_types(cls: type) -> Mapping[str, Any]:
    """Return the types of the fields of a class of the plugin interface, by name."""
    return typing.get_type_hints(cls, localns=_Names())


def _is_instance(value: object, expected: Any) -> bool:
    origin = typing.get_origin(expected)
    if origin in (typing.Union, UnionType):
        return any(_is_instance(value, option) for option in typing.get_args(expected))
    if origin is type:
        return isinstance(value, type) and issubclass(value, typing.get_args(expected)[0])
    kind = origin or expected
    return not isinstance(kind, type) or isinstance(value, kind)


def list_values(returned: Any, hook: str) -> list[Any]:
    """Return the values that a hook returned as a list.

    Raises:
        PluginError: They cannot be iterated over, or are too many.
    """
    if inspect.iscoroutine(returned):
        returned.close()
        raise PluginError(f"{hook} returned a coroutine", "write the hook without async: it is called once, at start")
    if not isinstance(returned, Iterable):
        raise PluginError(f"{hook} returned {format_value(returned)}", "return a list, which may be empty")
    values = list(islice(returned, MOST_VALUES))
    if len(values) == MOST_VALUES:
        raise PluginError(f"{hook} returned {MOST_VALUES} values and continues", "make sure that the hook ends")
    return values


def check_value(value: object, expected: Any, hook: str) -> None:
    """Check the type of one value of a hook, and of its plain fields.

    Args:
        value: The value.
        expected: The type of the hook's values, from `find_item_type`.
        hook: The name of the hook.

    Raises:
        PluginError: The value or one of its fields is of another type.
    """
    if expected and not _is_instance(value, expected):
        wanted = getattr(expected, "__name__", str(expected))
        raise PluginError(f"{hook} returned {format_value(value)}", f"the hook must return {wanted} values")
    for attribute in getattr(type(value), "__attrs_attrs__", ()):
        # A wrong value in a plain field would fail later, far from its plugin.
        if attribute.type in PLAIN or isinstance(attribute.type, EnumType):
            field = getattr(value, attribute.name)
            if remedy := _suggest_remedy(field, attribute.type):
                cause = f"{hook} returned a {type(value).__name__} whose {attribute.name} is {format_value(field)}"
                raise PluginError(cause, remedy)


def _suggest_remedy(value: object, wanted: type) -> str:
    if not isinstance(value, wanted):
        return f"make it a value of {wanted.__name__}"
    # Half a surrogate pair cannot be encoded, so the whole answer would fail.
    if isinstance(value, str) and not value.isascii() and value.encode(errors="ignore").decode() != value:
        return "make it a text that UTF-8 can encode, without halves of surrogate pairs"
    return ""


class _HookManager(pluggy.PluginManager):
    """A plugin manager that searches only what may be a hook: pluggy's search of every name took 5 ms of each start."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        """Return the options of a hook's implementation; None for any other name."""
        if name.startswith("__"):
            return None
        if isinstance(plugin, ModuleType):
            value = vars(plugin).get(name)
            if not (inspect.isroutine(value) and hasattr(value, IMPLEMENTATION)):
                return None
            if isinstance(value, FunctionType):  # as nearly all are: pluggy's own way is five times as long
                options = getattr(value, IMPLEMENTATION)
                return cast("pluggy.HookimplOpts", options) if isinstance(options, dict) else None
        return super().parse_hookimpl_opts(plugin, name)


class Hooks:
    """All open hooks, and all registered implementations."""

    def __init__(self) -> None:
        self._manager = _HookManager(PROJECT)
        self._manager.add_hookspecs(hooks)
        self._opened: dict[str, str] = {}

    def open(self, module: ModuleType, owner: str) -> None:
        """Open the hooks of a module.

        Args:
            module: The module that declares them.
            owner: The distribution that opens them.

        Raises:
            PluginError: The module declares no hook, or one that is open already.
        """
        before = set(self.list_names())
        try:
            self._manager.add_hookspecs(module)
        except ValueError as error:
            taken = "already" in str(error)
            remedy = "give the hook another name" if taken else "mark the functions of that module with @hookspec"
            raise PluginError(str(error), remedy) from error
        self._opened |= dict.fromkeys(set(self.list_names()) - before, owner)

    def find_owner(self, hook: str) -> str:
        """Return the distribution that opened a hook; empty for a hook of the core, or one that is not open."""
        return self._opened.get(hook, "")

    def register(self, plugin: object, name: str, suggest: Callable[[str], str]) -> tuple[str, ...]:
        """Register a plugin's implementations, and return a note for each hook that waits for its owner.

        Args:
            plugin: The object that its entry point names.
            name: The name to register it by.
            suggest: Returns the remedy for an owner that is not loaded; empty for one that is.

        Raises:
            PluginError: It implements a hook that does not exist, or with arguments that the hook does not have, or it
                has a function with the name of a hook that is not marked.
        """
        self._check_marks(plugin)
        notes = tuple(
            filter(None, (self._describe_wait(plugin, hook, suggest) for hook in self.list_implemented(plugin)))
        )
        try:
            self._manager.register(plugin, name)
        except pluggy.PluginValidationError as error:
            # Implementations that were registered before the fault stay there: only loaded plugins are called.
            cause = " ".join(str(error).split())
            raise PluginError(cause, "declare only arguments that the hook has") from error
        return notes

    def _check_marks(self, plugin: object) -> None:
        """Check that a plugin marks its functions with names of hooks: one without a mark is never called.

        Raises:
            PluginError: One is not marked.
        """
        marks = (IMPLEMENTATION, f"{PROJECT}_spec")
        for name in dir(plugin):
            if not name.startswith(f"{PROJECT}_"):  # at every start, so other names must cost nothing
                continue
            value = getattr(plugin, name, None)
            if inspect.isroutine(value) and not any(hasattr(value, mark) for mark in marks):
                from difflib import get_close_matches

                if near := get_close_matches(name, self.list_names(), n=1, cutoff=NEAR):
                    remedy = (
                        "write @hookimpl above it" if near[0] == name else f"write @hookimpl above it, as {near[0]}"
                    )
                    raise PluginError(f"the function {name} is not marked as the implementation of a hook", remedy)

    def list_implemented(self, plugin: object) -> list[str]:
        """Return the names of the hooks that a plugin implements."""
        return [name for name in dir(plugin) if self.is_implemented(plugin, name)]

    def is_implemented(self, plugin: object, hook: str) -> bool:
        """Return whether a plugin implements a hook."""
        return self._manager.parse_hookimpl_opts(plugin, hook) is not None

    def _describe_wait(self, plugin: object, hook: str, suggest: Callable[[str], str]) -> str:
        """Return a note if the hook waits for its owner; else an empty text.

        Raises:
            PluginError: The hook does not exist.
        """
        owner: str = getattr(getattr(plugin, hook), OWNER_ATTRIBUTE, "")
        if self._specification(hook) is not None:
            return ""
        if owner and (remedy := suggest(owner)):
            return f"{hook} waits for {owner}: {remedy}"
        from difflib import get_close_matches

        similar = get_close_matches(hook, self.list_names(), n=1)
        remedy = f"did you mean {similar[0]}?" if similar else f"available: {', '.join(self.list_names())}"
        raise PluginError(f"unknown hook {hook}" + (f" of {owner}" if owner else ""), remedy)

    def list_names(self) -> list[str]:
        """Return the names of all open hooks."""
        return sorted(name for name in vars(self._manager.hook) if self._specification(name) is not None)

    def unregister(self, plugin: object) -> None:
        """Remove a plugin's implementations."""
        self._manager.unregister(plugin)

    def call(self, plugin: object, hook: str, arguments: dict[str, Any]) -> list[Any]:
        """Call one plugin's implementation of a hook, and return all of its values.

        Raises:
            PluginError: It raised an error, or a value is of the wrong type.
        """
        caller = getattr(self._manager.hook, hook, None)
        own = [impl for impl in (caller.get_hookimpls() if caller else ()) if impl.plugin is plugin]
        return [value for impl in own for value in self._call(impl, hook, arguments)]

    def _call(self, implementation: pluggy.HookImpl, hook: str, arguments: dict[str, Any]) -> Iterator[Any]:
        with contain_faults(f"{hook} raised", "repair the hook, or block the plugin"):
            returned = implementation.function(*(arguments[name] for name in implementation.argnames))
            # Iterated here, since a hook written as a generator raises only now.
            values = list_values(returned, hook)
        expected = find_item_type(self._specification(hook))
        for value in values:
            check_value(value, expected, hook)
            yield value

    def _specification(self, hook: str) -> Callable[..., Any] | None:
        caller = getattr(self._manager.hook, hook, None)
        return caller.spec.function if caller is not None and caller.spec is not None else None


def bind_arguments(hook: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a typed call of a hook as keywords, as implementations are called."""
    return dict(inspect.signature(hook).bind(*args, **kwargs).arguments)


T = TypeVar("T")

log = logging.getLogger("stithy.plugins")

PROVIDER_SECONDS = 10.0
"""How long a provider may take, as a quick tool may."""


def resolve(reference: object) -> Any:
    """Return the object that a reference names; anything else is returned unchanged.

    Raises:
        InvalidSpec: The reference is malformed, or names an object that does not exist.
    """
    if not isinstance(reference, str):
        return reference
    module, colon, name = reference.partition(":")
    if not (module and colon and name):
        raise InvalidSpec(f"invalid reference {reference!r}", suggestion='write it as "package.module:name"')
    try:
        value: Any = import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        remedy = suggest_new_name(error) or "correct the reference"
        raise InvalidSpec(f"{reference!r} cannot be loaded: {error}", suggestion=remedy) from error
    return value


def create_provider(provider: object, origin: Contribution, scope: Scope) -> Any:
    """Create a provider from its class or a reference; return None if that fails, so that the others are served."""
    try:
        return resolve(provider)(scope)
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("cannot create a provider of %s", origin)
        return None


async def list_rows(
    list_all: Callable[[], Awaitable[Sequence[Any]]], convert: Callable[[Any], T], origin: Contribution
) -> Sequence[T]:
    """Return the converted rows of one provider; empty if it raises an error or is too slow."""

    async def convert_all() -> Sequence[T]:
        return [convert(row) for row in await list_all()]

    return await call_listing(convert_all, origin, ())


async def call_listing(call: Callable[[], Awaitable[T]], origin: Contribution, default: T) -> T:
    """Return what a call to a provider's list returns; the default if it raises an error or is too slow."""
    try:
        with anyio.fail_after(PROVIDER_SECONDS):
            return await call()
    except BaseException as error:
        if ends_caller(error):
            raise
        log.exception("a provider of %s cannot list", origin)
        return default
