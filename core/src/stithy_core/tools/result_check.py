"""Check that a result is what its annotation promises. A check is built once for a tool or operation."""

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from types import NoneType
from typing import Any, Literal, TypeAlias

import attrs

from stithy_core.model import Listing
from stithy_core.spi import Page, Unknown
from stithy_core.tools.schema import SCALARS, field_hints, is_optional, item_hint, split_notes, union_members

ResultFault: TypeAlias = Callable[[Any], str]
"""Describes what does not fit, `.threads[2].line is str, not int`; empty where all does. It never quotes a value."""


def build_result_check(hint: Any) -> ResultFault:
    """Create the check for one type of a result, of those that `output_schema` describes."""
    check, lacking = _plain(split_notes(hint).plain), is_optional(hint)

    def misfit(value: Any) -> str:
        if lacking and value is None:
            return ""
        said = check(value)
        if said and isinstance(value, Unknown):
            # An unknown value may stand anywhere if it has a value to show.
            return "" if lacking else check(value.shown) if value.shown is not None else said
        return said

    return misfit


def _plain(hint: Any) -> ResultFault:  # noqa: PLR0911 -- one return a kind of type reads best
    origin, options = typing.get_origin(hint), union_members(hint)
    if len(options) > 1:
        checks = [build_result_check(option) for option in options]
        return lambda value: "" if any(not check(value) for check in checks) else checks[0](value)
    if hint in (Any, object):
        return lambda _: ""
    if hint in SCALARS:
        return _scalar(hint)
    if origin is Literal or (isinstance(hint, type) and issubclass(hint, Enum)):
        allowed = typing.get_args(hint) if origin is Literal else (*hint, *(member.value for member in hint))
        return lambda value: "" if value in allowed else f" is {_kind(value)}, not one of those allowed"
    if origin is Listing:
        return _items(build_result_check(typing.get_args(hint)[0]), (Listing,), enumerate)
    if origin is not Page and attrs.has(hint):
        return _object(hint)
    if origin in (dict, Mapping):
        return _items(build_result_check(typing.get_args(hint)[1]), (dict, Mapping), _values)
    return _items(build_result_check(item_hint(hint)), (Sequence, Page, set, frozenset), enumerate)


def _scalar(hint: Any) -> ResultFault:
    kinds = (int, float) if hint is float else (hint,)

    def check(value: Any) -> str:
        fits = type(value) is hint or (isinstance(value, kinds) and not isinstance(value, bool))
        return "" if fits else f" is {_kind(value)}, not {hint.__name__}"

    return check


def _object(cls: type) -> ResultFault:
    fields = [(name, _plain_types(hint), build_result_check(hint)) for name, hint in field_hints(cls).items()]

    def check(value: Any) -> str:
        if not isinstance(value, cls):
            return f" is {_kind(value)}, not {cls.__name__}"
        for name, plain, field in fields:
            inner = getattr(value, name)
            if type(inner) not in plain and (said := field(inner)):
                return f".{name}{said}"
        return ""

    return check


def _plain_types(hint: Any) -> frozenset[type]:
    """Return the types of which any value fits a hint: most fields hold one, and need no call of their check."""
    options = (split_notes(option).plain for option in union_members(split_notes(hint).plain))
    plain = {
        option for option in options if option in SCALARS or (isinstance(option, type) and issubclass(option, Enum))
    }
    return frozenset(plain | ({NoneType} if is_optional(hint) else set()))


def _items(item: ResultFault, kinds: tuple[type, ...], pairs: Callable[[Any], Any]) -> ResultFault:
    def check(value: Any) -> str:
        if isinstance(value, str) or not isinstance(value, kinds):
            return f" is {_kind(value)}, not {kinds[0].__name__}"
        for key, one in pairs(value):
            if said := item(one):
                return f"[{key}]{said}"
        return ""

    return check


def _values(mapping: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    # Its keys may be texts of third parties.
    return (("…", value) for value in mapping.values())


def _kind(value: object) -> str:
    return type(value).__name__
