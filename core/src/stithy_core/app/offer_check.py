"""The check of what plugins refer to: each reference is imported and compared with how the core uses it."""

import inspect
import typing
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import product
from types import UnionType
from typing import Any

from attrs import fields

from stithy_core.errors import StithyError
from stithy_core.forges.forge_inspection import find_forge_faults, list_overrides
from stithy_core.plugins import PluginError, contain_faults, resolve
from stithy_core.plugins.hook_calls import find_field_types, find_return_type
from stithy_core.spi import Forge
from stithy_core.spi.overrides import OverrideFault, compare_class, find_call_fault, list_methods

CORRECT = "correct the reference"


def find_offer_faults(offer: object) -> Iterator[OverrideFault]:
    """Iterate over the faults of what an offer refers to; it is imported, and nothing of it is called.

    The annotation of each field decides: `type[Base]` wants a class whose overrides fit `Base`, `Callable[[A, B], C]` a
    function that can be called with two arguments, async if `C` is an awaitable.

    Args:
        offer: What a hook returned.
    """
    types = find_field_types(type(offer))
    for attribute in fields(type(offer)):  # type: ignore[arg-type]
        wanted = [one for one in _list_options(types[attribute.name]) if _is_code(one)]
        value = getattr(offer, attribute.name)
        if not wanted or value is None:
            continue
        try:
            with contain_faults(f"its {attribute.name} raised", f"repair the module that {attribute.name} names"):
                loaded = _resolve(value)
        except PluginError as error:
            yield OverrideFault(error.cause, error.remedy)
            continue
        yield from _compare(attribute.name, loaded, wanted[0])


def _resolve(value: object) -> Any:
    """Return what a reference names.

    Raises:
        PluginError: It is malformed, or cannot be loaded.
    """
    try:
        return resolve(value)
    except StithyError as error:
        raise PluginError(error.message, error.suggestion or CORRECT) from error


def _list_options(annotation: Any) -> Sequence[Any]:
    is_union = typing.get_origin(annotation) in (typing.Union, UnionType)
    return typing.get_args(annotation) if is_union else (annotation,)


def _is_code(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (type, Callable)


def _compare(field: str, value: Any, wanted: Any) -> Iterable[OverrideFault]:
    """Return the faults of a class or a function.

    Args:
        field: The field of the offer that has it.
        value: The class or the function.
        wanted: `type[Base]` or `Callable[[A, B], C]`.
    """
    if typing.get_origin(wanted) is type:
        return _compare_class(value, typing.get_args(wanted)[0])
    arguments, returned = typing.get_args(wanted)
    if isinstance(value, type) and isinstance(returned, type) and list_methods(returned):
        return _compare_class(value, returned)
    names = [getattr(one, "__name__", str(one)) for one in arguments]
    found = find_call_fault(value, names, is_async=typing.get_origin(returned) is Awaitable)
    if found is None:
        return []
    return [OverrideFault(f"its {field} {found[0]}", found[1])]


def _compare_class(value: object, base: type) -> Iterable[OverrideFault]:
    if base is Forge:
        return [*find_forge_faults(value), *_find_result_faults(value)]
    if isinstance(value, type) and issubclass(value, base):
        return compare_class(value, base)
    if getattr(base, "_is_protocol", False):
        return []
    shown = getattr(value, "__qualname__", type(value).__name__)
    return [OverrideFault(f"{shown} is not a class of {base.__name__}", f"derive it from {base.__name__}")]


def _find_result_faults(forge: object) -> Iterator[OverrideFault]:
    """Iterate over the operations of a forge that are annotated to return another class than their base."""
    for owner, name, override in list_overrides(forge):
        if override.fault is not None:
            continue
        own, expected = _read_result(inspect.unwrap(getattr(owner, name))), find_return_type(override.base)
        if all(_is_other_class(*pair) for pair in product(_list_options(own), _list_options(expected))):
            shown, wanted = _format_type(own), _format_type(expected)
            yield OverrideFault(f"{override.name} is annotated to return {shown}, not {wanted}", f"return a {wanted}")


def _read_result(function: Callable[..., Any]) -> Any:
    """Return the annotation of a function's result; None without one, or if it uses types that only mypy imports."""
    try:
        return typing.get_type_hints(function).get("return")
    except Exception:  # noqa: BLE001 -- a third party's annotation may raise any error
        return None


def _is_other_class(own: Any, expected: Any) -> bool:
    """Return whether neither of two types is a class that derives from the other; anything else may fit."""
    own, expected = typing.get_origin(own) or own, typing.get_origin(expected) or expected
    if not isinstance(own, type) or not isinstance(expected, type) or issubclass(own, Awaitable):
        return False
    return not issubclass(own, expected) and not issubclass(expected, own)


def _format_type(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))
