"""The cattrs converter of the settings: a hook for each shape that a TOML value may take; nothing is coerced.

A module of its own because it imports cattrs, which a start without a settings file does not need.
"""

import functools
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence, Sized
from collections.abc import Set as AbstractSet
from contextvars import ContextVar
from datetime import date, datetime, time
from enum import Enum
from pathlib import Path
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import attrs
from cattrs import Converter, IterableValidationError, IterableValidationNote
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn, override

from stithy_core.config.field_readers import READER, Reader, list_special_readers, read_path
from stithy_core.config.settings_errors import REFERENCE_HINT, InvalidSetting, find_similar
from stithy_core.config.settings_records import ServeSettings, TokenSource
from stithy_core.config.transports import HTTP, settings_class
from stithy_core.spi.tools import Meta

T = TypeVar("T")
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


def create_scalar_hook(base: type) -> Hook:
    """Create the hook of a type that TOML has; it accepts this type and no other."""

    def hook(value: Any, cls: Any) -> Any:
        # cattrs finds this hook for subclasses as well, such as a StrEnum.
        if isinstance(cls, type) and issubclass(cls, Enum):
            return read_member(value, cls)
        # The exact type: True is an int and a datetime is a date, but no user means it so.
        if type(value) is base:
            return value
        if base is float and type(value) is int and value.bit_length() <= 64:  # noqa: PLR2004 - TOML's own limit
            return float(value)
        raise InvalidSetting(SCALARS[base], value)

    return hook


def read_literal(value: Any, cls: Any) -> Any:
    """Read one of the values of a Literal."""
    choices = get_args(cls)
    return _choose(value, [(choice.value if isinstance(choice, Enum) else choice, choice) for choice in choices])


def read_member(value: Any, cls: type[Enum]) -> Any:
    """Read a member of an enumeration, by its value."""
    return _choose(value, [(choice.value, choice) for choice in cls])


def _choose(value: Any, allowed: list[tuple[Any, Any]]) -> Any:
    for written, choice in allowed:
        if type(written) is type(value) and written == value:
            return choice
    must = f"must be {' or '.join(repr(written) for written, _ in allowed)}"
    words = [written for written, _ in allowed if isinstance(written, str)]
    similar = find_similar(value, words) if isinstance(value, str) else None
    raise InvalidSetting(f"{must} (did you mean {similar}?)" if similar else must, value)


def create_union_hook(converter: Converter) -> Hook:
    """Create the hook of `X | None` and of `X | Y`: the first type that accepts the value; no two accept the same."""

    def hook(value: Any, cls: Any) -> Any:
        types = [item for item in get_args(cls) if item is not NoneType]
        if len(types) == 1:  # TOML has no null, so the value is of the other type, whose error is more specific
            return converter.structure(value, types[0])
        messages: list[str] = []
        inner: BaseValidationError | None = None
        for item in types:
            try:
                return converter.structure(value, item)
            except InvalidSetting as error:
                messages.append(error.text)
            except BaseValidationError as error:
                inner = error  # of the right shape, so its mistakes are inside
        if inner is not None:
            raise inner
        raise InvalidSetting(" or ".join(dict.fromkeys(messages)).replace(" or must be", " or"), value)

    return hook


def is_annotated(cls: Any) -> bool:
    """Return whether a type has annotations."""
    return get_origin(cls) is Annotated


def create_limited_hook(cls: Any, converter: Converter) -> Hook:
    """Create the hook of `Annotated[T, Meta(…)]`: a T within the limits."""
    base, *notes = get_args(cls)
    metas = [note for note in notes if isinstance(note, Meta)]

    def hook(value: Any, _: Any) -> Any:
        read = converter.structure(value, base)
        for meta in metas:
            if must := "; ".join(_find_violations(read, meta)):
                raise InvalidSetting(meta.message or must, value)
        return read

    return hook


def _find_violations(value: Any, meta: Meta) -> Iterator[str]:
    """Return the limits that a value violates."""
    if isinstance(value, int | float):
        # Not written as two comparisons that fail: nan is outside of any limits.
        if not _between(value, meta.ge, meta.le):
            yield f"must be {_range(meta.ge, meta.le)}"
    elif isinstance(value, Sized) and not _between(len(value), meta.min_length, meta.max_length):
        what = "characters" if isinstance(value, str) else "items"
        yield f"must have {_range(meta.min_length, meta.max_length)} {what}"
    if meta.pattern and isinstance(value, str) and not re.search(meta.pattern, value):
        yield f"must match {meta.pattern}"


def _between(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _range(least: float | None, most: float | None) -> str:
    if least is None or most is None:
        return f"at most {most:,}" if most is not None else f"at least {least:,}"
    return f"from {least:,} to {most:,}"


_ARRAYS: Mapping[Any, Callable[[list[Any]], Any]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    Sequence: tuple,
    MutableSequence: list,
    AbstractSet: frozenset,
}
_MAPPINGS = (dict, Mapping, MutableMapping)


_folder: ContextVar[Path] = ContextVar("folder")
"""The folder of the settings that are being read."""


def structure_value(value: object, cls: type[T], folder: Path) -> T:
    """Return a TOML value as a value of a class.

    Args:
        value: The value as parsed by tomllib.
        cls: The class.
        folder: The folder that relative paths start at.

    Raises:
        BaseValidationError: The value does not fit.
        InvalidSetting: As above, of the whole value.
    """
    token = _folder.set(folder)
    try:
        return _create_converter().structure(value, cls)
    finally:
        _folder.reset(token)


@functools.cache  # compiling the hook of a table takes a millisecond
def _create_converter() -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    for base in SCALARS:
        converter.register_structure_hook(base, create_scalar_hook(base))
    converter.register_structure_hook(Path, lambda value, _: read_path(value, _folder.get()))
    converter.register_structure_hook(Enum, read_member)
    converter.register_structure_hook_func(lambda cls: _origin(cls) is Literal, read_literal)
    converter.register_structure_hook_func(lambda cls: _origin(cls) in (Union, UnionType), create_union_hook(converter))
    converter.register_structure_hook_factory(lambda cls: _origin(cls) in _MAPPINGS, _create_mapping_hook)
    converter.register_structure_hook_factory(lambda cls: _origin(cls) in _ARRAYS, _create_array_hook)
    converter.register_structure_hook_factory(is_annotated, create_limited_hook)
    # Not a hook of its own: mistakes in `[serve.http]` are reported together with all others.
    serve: dict[str, Reader] = {"http": lambda value: converter.structure(value, settings_class(HTTP))}
    readers: Mapping[type, Mapping[str, Reader]] = {**list_special_readers(_folder.get), ServeSettings: serve}
    converter.register_structure_hook_factory(
        attrs.has,
        lambda cls, converter: _create_table_hook(cls, converter, {**readers.get(cls, {}), **_list_own_readers(cls)}),
    )
    return converter


def _list_own_readers(cls: Any) -> dict[str, Reader]:
    return {item.name: item.metadata[READER] for item in attrs.fields(cls) if READER in item.metadata}


def _origin(cls: Any) -> Any:
    return get_origin(cls) or cls


def _create_table_hook(cls: Any, converter: Converter, readers: Mapping[str, Reader]) -> Hook:
    overrides: Any = {name: override(struct_hook=_as_hook(read)) for name, read in readers.items()}
    inner = make_dict_structure_fn(cls, converter, **overrides)

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            if cls is TokenSource:
                raise InvalidSetting(f"must not be written out: {REFERENCE_HINT}")
            raise InvalidSetting("must be a table", value)
        return inner(value, cls)

    return hook


def _as_hook(read: Reader) -> Hook:
    return lambda value, _: read(value)


def _create_mapping_hook(cls: Any, converter: Converter) -> Hook:
    inner: Hook = converter.gen_structure_mapping(GenericAlias(dict, get_args(cls) or (str, Any)))

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise InvalidSetting("must be a table", value)
        return inner(value, dict)

    return hook


def _create_array_hook(cls: Any, converter: Converter) -> Hook:
    into, types = _ARRAYS[_origin(cls)], get_args(cls) or (Any,)
    fixed = get_origin(cls) is tuple and types[-1] is not Ellipsis

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, list):
            raise InvalidSetting("must be a list", value)
        if fixed and len(value) != len(types):
            raise InvalidSetting(f"must be a list of exactly {len(types)}")
        return into(_read_items(value, types if fixed else types[:1] * len(value), converter))

    return hook


def _read_items(values: list[Any], types: Sequence[Any], converter: Converter) -> list[Any]:
    """Read each item, and report all invalid ones by their indices."""
    result, errors = [], []
    for index, (value, item) in enumerate(zip(values, types, strict=True)):
        try:
            result.append(converter.structure(value, item))
        except (BaseValidationError, InvalidSetting) as error:
            error.add_note(IterableValidationNote("an item", index, item))
            errors.append(error)
    if errors:
        raise IterableValidationError("a list", errors, list)
    return result
