"""Hooks for single values: one exact type, one of some values, or one of some types."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from enum import Enum
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from stithy_core.config.wording import Misfit, nearest

if TYPE_CHECKING:
    from cattrs import Converter

Hook: TypeAlias = Callable[[Any, Any], Any]

SCALARS: Mapping[type, str] = {
    str: "must be a text",
    bool: "must be true or false",
    int: "must be a whole number",
    float: "must be a number",
    datetime: "must be a date with a time",
    date: "must be a date",
    time: "must be a time",
}


def scalar(base: type) -> Hook:
    """Make the hook of a type that TOML has; it takes this type and no other."""

    def hook(value: Any, cls: Any) -> Any:
        # cattrs finds this hook for subclasses as well, such as a StrEnum.
        if isinstance(cls, type) and issubclass(cls, Enum):
            return member(value, cls)
        # The exact type: True is an int and a datetime is a date, but no user means it so.
        if type(value) is base:
            return value
        if base is float and type(value) is int and value.bit_length() <= 64:  # noqa: PLR2004 - TOML's own limit
            return float(value)
        raise Misfit(SCALARS[base], value)

    return hook


def literal(value: Any, cls: Any) -> Any:
    """Read one of the values of a Literal."""
    choices = get_args(cls)
    return _choice(value, [(choice.value if isinstance(choice, Enum) else choice, choice) for choice in choices])


def member(value: Any, cls: type[Enum]) -> Any:
    """Read a member of an enumeration, by its value."""
    return _choice(value, [(choice.value, choice) for choice in cls])


def _choice(value: Any, allowed: list[tuple[Any, Any]]) -> Any:
    for written, choice in allowed:
        if type(written) is type(value) and written == value:
            return choice
    must = f"must be {' or '.join(repr(written) for written, _ in allowed)}"
    words = [written for written, _ in allowed if isinstance(written, str)]
    near = nearest(value, words) if isinstance(value, str) else None
    raise Misfit(f"{must} (did you mean {near}?)" if near else must, value)


def union(converter: "Converter") -> Hook:
    """Make the hook of `X | None` and of `X | Y`: the first type that fits, since no two take the same value."""
    from cattrs.errors import BaseValidationError

    def hook(value: Any, cls: Any) -> Any:
        types = [item for item in get_args(cls) if item is not NoneType]
        if len(types) == 1:  # TOML has no null: what is written is the other one, and its own error says more
            return converter.structure(value, types[0])
        misfits: list[str] = []
        inner: BaseValidationError | None = None
        for item in types:
            try:
                return converter.structure(value, item)
            except Misfit as misfit:
                misfits.append(misfit.text)
            except BaseValidationError as error:
                inner = error  # of the right shape, and wrong inside: that is worth saying
        if inner is not None:
            raise inner
        raise Misfit(" or ".join(dict.fromkeys(misfits)).replace(" or must be", " or"), value)

    return hook
