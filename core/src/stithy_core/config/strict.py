"""Parsed TOML into attrs classes, by cattrs: nothing is coerced, nothing unknown is passed over."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from attrs import Attribute, fields

from stithy_core.config.records import ForgeSettings, TokenSource
from stithy_core.config.source import Mistake, Source
from stithy_core.config.wording import KeyPath, Misfit, dotted, is_secret, unknown

if TYPE_CHECKING:
    from cattrs import Converter
    from cattrs.errors import AttributeValidationNote, IterableValidationNote

T = TypeVar("T")


def structure(value: object, cls: type[T], source: Source, *, at: KeyPath = (), others: Iterable[Mistake] = ()) -> T:
    """Read a table into an attrs class.

    Args:
        value: The table, as tomllib gives it.
        cls: The class.
        source: Where the table stands.
        at: The key of the table.
        others: Mistakes that were found before, to be reported together.

    Raises:
        ConfigError: Everything that does not fit.
    """
    result = _attempt(value, cls, source.folder, at)
    mistakes = [*others, *(result if isinstance(result, list) else ())]
    if isinstance(result, list) or mistakes:
        # Raised outside of the handler: what cattrs raises holds the values, and a token may be among them.
        raise source.error(mistakes)
    return result


def _attempt(value: object, cls: type[T], folder: Path, at: KeyPath) -> T | list[Mistake]:
    from cattrs.errors import BaseValidationError, StructureHandlerNotFoundError

    try:
        return _converter(folder).structure(value, cls)
    except (BaseValidationError, StructureHandlerNotFoundError, Misfit) as error:
        return list(_mistakes(error, at))


@lru_cache(maxsize=4)
def _converter(folder: Path) -> "Converter":
    from stithy_core.config.hooks import strict_converter

    return strict_converter(folder)


def settings_of(cls: type) -> list[str]:
    """Name the settings that a table of this class may have."""
    return [item.name for item in fields(cls) if item.init and item.metadata.get("written", True)]


def subject(cls: type, at: KeyPath) -> str:
    """Name what a key would be a setting of."""
    return {ForgeSettings: "a forge", TokenSource: "a token"}.get(cls, f"[{dotted(at)}]")


def _mistakes(error: Exception, at: KeyPath) -> Iterator[Mistake]:
    """Flatten what cattrs raised; its notes say at which key each part belongs."""
    from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError, IterableValidationError

    if isinstance(error, ClassValidationError | IterableValidationError):
        noted, bare = error.group_exceptions()
        for part, note in noted:
            yield from _mistakes(part, (*at, _step(note)))
        for part in bare:
            yield from _mistakes(part, at)
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(error.extra_fields):
            yield Mistake((*at, key), unknown((*at, key), subject(error.cl, at), settings_of(error.cl)))
    elif isinstance(error, Misfit):
        yield Mistake(at, error.at(at))
    elif isinstance(error, KeyError) and error.args == at[-1:]:
        yield Mistake(at, "is missing")
    else:
        yield _refused(error, at)


def _step(note: "AttributeValidationNote | IterableValidationNote") -> str | int:
    from cattrs.errors import AttributeValidationNote

    return note.name if isinstance(note, AttributeValidationNote) else note.index


def _refused(error: Exception, at: KeyPath) -> Mistake:
    """Return the message of the class's validator or constructor, the most specific one."""
    # The validators of attrs name the field as a second argument, and quote its value in the first.
    at = (*at, *(argument.name for argument in error.args[1:2] if isinstance(argument, Attribute)))
    if is_secret(at) or not error.args:
        return Mistake(at, f"is refused by its class ({type(error).__name__})")
    return Mistake(at, f"is refused: {error.args[0]}")
