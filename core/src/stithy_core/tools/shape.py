"""What the notes of a result's class say about each of its fields, worked out once a class."""

import typing
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from stithy_core.spi import Meta
from stithy_core.tools.hints import hints_of, noted


@frozen
class Field:
    """One field of a result's class.

    Args:
        name: Its name in Python.
        wire: Its name in the answer.
        cut: Whether its texts may be cut; None where nobody says.
        rest: What has the whole of it.
        echo: Whether it says back what the caller wrote.
    """

    name: str = ""
    wire: str = ""
    cut: bool | None = None
    rest: str = ""
    echo: bool = False


LOOSE = Field()
"""For values that stand in no field."""

_FIELDS: dict[type, tuple[Field, ...]] = {}


def fields_of(cls: type) -> tuple[Field, ...]:
    """Give the fields of an attrs class."""
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(_field(name, hint) for name, hint in hints_of(cls).items())
    return _FIELDS[cls]


def _field(name: str, hint: Any) -> Field:
    metas = list(_metas(hint))
    cuts = [meta.cut for meta in metas if meta.cut is not None]
    return Field(
        name=name,
        wire=noted(hint).name or name,
        cut=cuts[-1] if cuts else None,
        rest=next((meta.rest for meta in metas if meta.rest), ""),
        echo=any(meta.echo for meta in metas),
    )


def _metas(hint: Any) -> Iterator[Meta]:
    """Find the notes of a type and of what stands inside of it: those of a list's items are for the list's texts."""
    yield from (note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Meta))
    for inner in typing.get_args(hint):
        if not isinstance(inner, Meta):
            yield from _metas(inner)
