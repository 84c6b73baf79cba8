"""The cattrs converter of the settings: a hook for each shape that a TOML value may take."""

from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from cattrs import Converter, IterableValidationError, IterableValidationNote
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn, override

from stithy_core.config.fields import READER, Reader, path, special
from stithy_core.config.limits import is_annotated, limited
from stithy_core.config.records import ServeSettings, TokenSource
from stithy_core.config.scalars import SCALARS, Hook, literal, member, scalar, union
from stithy_core.config.transports import HTTP, settings_class
from stithy_core.config.wording import ELSEWHERE, Misfit

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


def strict_converter(folder: Path) -> Converter:
    """Make the converter.

    Args:
        folder: What relative paths are relative to.
    """
    converter = Converter(forbid_extra_keys=True, detailed_validation=True)
    for base in SCALARS:
        converter.register_structure_hook(base, scalar(base))
    converter.register_structure_hook(Path, lambda value, _: path(value, folder))
    converter.register_structure_hook(Enum, member)
    converter.register_structure_hook_func(lambda cls: _origin(cls) is Literal, literal)
    converter.register_structure_hook_func(lambda cls: _origin(cls) in (Union, UnionType), union(converter))
    converter.register_structure_hook_factory(lambda cls: _origin(cls) in _MAPPINGS, _mapping)
    converter.register_structure_hook_factory(lambda cls: _origin(cls) in _ARRAYS, _array)
    converter.register_structure_hook_factory(is_annotated, limited)
    # Not a hook of its own: mistakes in `[serve.http]` are reported together with all others.
    serve: dict[str, Reader] = {"http": lambda value: converter.structure(value, settings_class(HTTP))}
    readers: Mapping[type, Mapping[str, Reader]] = {**special(folder), ServeSettings: serve}
    converter.register_structure_hook_factory(
        attrs.has, lambda cls, converter: _table(cls, converter, {**readers.get(cls, {}), **_own_readers(cls)})
    )
    return converter


def _own_readers(cls: Any) -> dict[str, Reader]:
    return {item.name: item.metadata[READER] for item in attrs.fields(cls) if READER in item.metadata}


def _origin(cls: Any) -> Any:
    return get_origin(cls) or cls


def _table(cls: Any, converter: Converter, readers: Mapping[str, Reader]) -> Hook:
    overrides: Any = {name: override(struct_hook=_as_hook(read)) for name, read in readers.items()}
    inner = make_dict_structure_fn(cls, converter, **overrides)

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit("must be a table", value) if cls is not TokenSource else _written_out()
        return inner(value, cls)

    return hook


def _as_hook(read: Reader) -> Hook:
    return lambda value, _: read(value)


def _written_out() -> Misfit:
    return Misfit(f"must not be written out: {ELSEWHERE}")


def _mapping(cls: Any, converter: Converter) -> Hook:
    inner: Hook = converter.gen_structure_mapping(GenericAlias(dict, get_args(cls) or (str, Any)))

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, dict):
            raise Misfit("must be a table", value)
        return inner(value, dict)

    return hook


def _array(cls: Any, converter: Converter) -> Hook:
    into, types = _ARRAYS[_origin(cls)], get_args(cls) or (Any,)
    fixed = get_origin(cls) is tuple and types[-1] is not Ellipsis

    def hook(value: Any, _: Any) -> Any:
        if not isinstance(value, list):
            raise Misfit("must be a list", value)
        if fixed and len(value) != len(types):
            raise Misfit(f"must be a list of exactly {len(types)}")
        return into(_items(value, types if fixed else types[:1] * len(value), converter))

    return hook


def _items(values: list[Any], types: Sequence[Any], converter: Converter) -> list[Any]:
    """Read each item, and report all that do not fit, each by its index."""
    result, errors = [], []
    for index, (value, item) in enumerate(zip(values, types, strict=True)):
        try:
            result.append(converter.structure(value, item))
        except (BaseValidationError, Misfit) as error:
            error.add_note(IterableValidationNote("an item", index, item))
            errors.append(error)
    if errors:
        raise IterableValidationError("a list", errors, list)
    return result
