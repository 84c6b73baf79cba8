"""What the fields of an attrs class say of themselves: their types, and the notes beside those."""

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Union

import attrs
from attrs import frozen

from stithy_core.errors import InvalidSpec
from stithy_core.spi import Meta, Page, Unknown


@frozen
class Note:
    """What the notes of one type come to."""

    plain: Any
    metas: tuple[Meta, ...]

    @property
    def name(self) -> str | None:
        """The wire's name, where a note gives one."""
        return next((meta.name for meta in reversed(self.metas) if meta.name), None)

    @property
    def message(self) -> str:
        """The text to answer when a value does not fit."""
        return next((meta.message for meta in reversed(self.metas) if meta.message), "")

    @property
    def instead(self) -> tuple[str, ...]:
        """What makes a required argument dispensable."""
        return tuple(name for meta in self.metas for name in meta.instead)

    @property
    def is_local(self) -> bool:
        """Whether it names a file or a folder of the server's machine."""
        return any(meta.local for meta in self.metas)

    @property
    def is_preferable(self) -> bool:
        """Whether a user may store a preference for it."""
        return any(meta.preferable for meta in self.metas)


def noted(hint: Any) -> Note:
    """Part a type from its notes, also when they stand inside an optional."""
    if typing.get_origin(hint) is not Annotated:
        options = options_of(hint)
        return noted(options[0]) if len(options) == 1 and options[0] is not hint else Note(hint, ())
    inner = noted(typing.get_args(hint)[0])
    return Note(inner.plain, inner.metas + tuple(note for note in hint.__metadata__ if isinstance(note, Meta)))


def hints_of(cls: type) -> Mapping[str, Any]:
    """Return the types of an attrs class's fields, with their notes.

    Raises:
        InvalidSpec: A field has no type, or its name is not to be found from the class's module.
    """
    if cls not in _HINTS:
        _HINTS[cls] = _resolve_hints(cls)
    return _HINTS[cls]


# Resolving takes a third of describing a class, and each class is asked for several times.
_HINTS: dict[type, Mapping[str, Any]] = {}


def _resolve_hints(cls: type) -> Mapping[str, Any]:
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception as error:
        raise InvalidSpec(
            f"{cls.__qualname__}: {error}", suggestion="import the type where the class is, not under TYPE_CHECKING"
        ) from error
    names = [attribute.name for attribute in attrs.fields(cls)]
    if untyped := [name for name in names if name not in hints]:
        raise InvalidSpec(f"{cls.__qualname__}: {untyped[0]} has no type", suggestion="annotate it")
    return {name: hints[name] for name in names}


def options_of(hint: Any) -> tuple[Any, ...]:
    """Give what a union may be, apart from None and Unknown."""
    if typing.get_origin(hint) in (Union, types.UnionType):
        return tuple(option for option in typing.get_args(hint) if option not in (types.NoneType, Unknown))
    return (hint,)


def preferable_in(cls: type) -> tuple[str, ...]:
    """Name the arguments that a user may store a preference for, as they are called on the wire."""
    notes = {name: noted(hint) for name, hint in hints_of(cls).items()}
    return tuple(note.name or name for name, note in notes.items() if note.is_preferable)


def local_in(cls: type) -> tuple[str, ...]:
    """Name the arguments that name files or folders of the server's machine, as they are called on the wire."""
    notes = {name: noted(hint) for name, hint in hints_of(cls).items()}
    return tuple(note.name or name for name, note in notes.items() if note.is_local)


def dispensable_in(cls: type) -> dict[str, tuple[str, ...]]:
    """Give what makes required arguments dispensable, as they are called on the wire."""
    notes = {name: noted(hint) for name, hint in hints_of(cls).items()}
    return {note.name or name: note.instead for name, note in notes.items() if note.instead}


def may_lack(hint: Any) -> bool:
    """Say whether a value may be None or Unknown, so that it is left out."""
    if typing.get_origin(hint) is Annotated:
        return may_lack(typing.get_args(hint)[0])
    return len(options_of(hint)) < len(typing.get_args(hint)) and typing.get_origin(hint) in (Union, types.UnionType)


def items_of(hint: Any) -> Any:
    """Give what a list is of; None for what is no list."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (list, Sequence, Iterable, Page) and arguments:
        return arguments[0]
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:  # noqa: PLR2004 -- tuple[T, ...]
        return arguments[0]
    return None


def messages(cls: type) -> Callable[[Sequence[object]], str]:
    """Give a look-up from a place in the arguments to the text its note wants when a value does not fit."""
    texts = dict(_messages(cls, ()))
    return lambda path: texts.get(tuple(part for part in path if isinstance(part, str)), "")


def _messages(cls: type, path: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], str]]:
    for name, hint in hints_of(cls).items():
        note = noted(hint)
        here = (*path, note.name or name)
        if note.message:
            yield here, note.message
        for inner in (note.plain, noted(items_of(note.plain)).plain):
            if isinstance(inner, type) and attrs.has(inner):
                yield from _messages(inner, here)
