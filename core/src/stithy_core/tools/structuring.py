"""From checked JSON to the attrs class a handler is given, by one cattrs converter."""

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from stithy_core.tools.schema import hints_of, noted

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")


def structure(arguments: dict[str, Any], cls: type[T]) -> T:
    """Make the arguments that were checked into their class."""
    return _converter().structure(arguments, cls)


@cache
def _converter() -> "Converter":
    from cattrs import Converter, override
    from cattrs.gen import make_dict_structure_fn

    converter = Converter(detailed_validation=False)
    converter.register_structure_hook(datetime, lambda text, _: _utc(text))

    @converter.register_structure_hook_factory(attrs.has)
    def renamed(cls: type) -> Any:
        names = {name: noted(hint).name for name, hint in hints_of(cls).items()}
        overrides = {name: override(rename=wire) for name, wire in names.items() if wire}
        return make_dict_structure_fn(cls, converter, _cattrs_detailed_validation=False, **overrides)  # type: ignore[arg-type]

    return converter


def _utc(text: str) -> datetime:
    """Read a time; one that names no zone is taken to be in UTC."""
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def without_nulls(value: Any) -> Any:
    """Drop what is null: agents send it for what they leave out."""
    if isinstance(value, dict):
        return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value
