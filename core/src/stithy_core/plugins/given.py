"""What a hook gives, held to what it promises."""

import inspect
import typing
from collections.abc import Callable, Iterable
from enum import EnumType
from itertools import islice
from types import UnionType
from typing import Any

from stithy_core import spi
from stithy_core.plugins.containing import PluginError, shown

MOST = 10_000
PLAIN = (str, int, bool, type)


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
    return next(iter(typing.get_args(return_type(specification))), None)


def return_type(function: Callable[..., Any]) -> Any:
    """Return the return annotation of a function of the plugin interface; None where it has none."""
    return typing.get_type_hints(function, localns=_Names()).get("return")


def _fits(value: object, expected: Any) -> bool:
    origin = typing.get_origin(expected)
    if origin in (typing.Union, UnionType):
        return any(_fits(value, option) for option in typing.get_args(expected))
    if origin is type:
        return isinstance(value, type) and issubclass(value, typing.get_args(expected)[0])
    kind = origin or expected
    return not isinstance(kind, type) or isinstance(value, kind)


def listed(given: Any, hook: str) -> list[Any]:
    """List what a hook gave.

    Raises:
        PluginError: It is no list and nothing like one, or has no end.
    """
    if inspect.iscoroutine(given):
        given.close()
        raise PluginError(f"{hook} gave a coroutine", "write the hook without async: it is called once, at start")
    if not isinstance(given, Iterable):
        raise PluginError(f"{hook} gave {shown(given)}", "return a list, if only an empty one")
    values = list(islice(given, MOST))
    if len(values) == MOST:
        raise PluginError(f"{hook} gave {MOST} values and goes on", "see to it that the hook comes to an end")
    return values


def check(value: object, expected: Any, hook: str) -> None:
    """Hold one value to what its hook promises.

    Args:
        value: What the hook gave.
        expected: What `item_type` found.
        hook: Its name.

    Raises:
        PluginError: It is of another type, or one of its fields is.
    """
    if expected and not _fits(value, expected):
        wanted = getattr(expected, "__name__", str(expected))
        raise PluginError(f"{hook} gave {shown(value)}", f"the hook gives {wanted} values")
    for attribute in getattr(type(value), "__attrs_attrs__", ()):
        # What is wrong in a plain field would break far from its plugin.
        if attribute.type in PLAIN or isinstance(attribute.type, EnumType):
            field = getattr(value, attribute.name)
            if remedy := _remedy(field, attribute.type):
                cause = f"{hook} gave a {type(value).__name__} whose {attribute.name} is {shown(field)}"
                raise PluginError(cause, remedy)


def _remedy(value: object, wanted: type) -> str:
    if not isinstance(value, wanted):
        return f"make it a value of {wanted.__name__}"
    # Half a surrogate pair would end the whole answer that it is part of.
    if isinstance(value, str) and not value.isascii() and value.encode(errors="ignore").decode() != value:
        return "make it a text that UTF-8 can write, without halves of surrogate pairs"
    return ""
