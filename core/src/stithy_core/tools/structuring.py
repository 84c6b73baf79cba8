"""From checked JSON to the attrs class a handler is given, by one cattrs converter."""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from stithy_core.tools.hints import hints_of, noted, options_of
from stithy_core.tools.schema import value_schema
from stithy_core.tools.validation import errors_of, moment

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
    converter.register_structure_hook(datetime, lambda text, _: moment(text))
    converter.register_structure_hook_func(lambda hint: hint is object, lambda value, _: value)

    @converter.register_structure_hook_factory(attrs.has)
    def renamed(cls: type) -> Any:
        names = {name: noted(hint).name for name, hint in hints_of(cls).items()}
        overrides = {name: override(rename=wire) for name, wire in names.items() if wire}
        return make_dict_structure_fn(cls, converter, _cattrs_detailed_validation=False, **overrides)  # type: ignore[arg-type]

    @converter.register_structure_hook_factory(lambda hint: len(options_of(hint)) > 1)
    def chosen(union: Any) -> Any:
        # The schemas decide, as they did in the check: cattrs knows no limits, no scalars and no notes.
        options = [(option, errors_of(value_schema(option))) for option in options_of(union)]
        return lambda value, _: next(
            converter.structure(value, option) for option, errors in options if not any(errors(value))
        )

    return converter


def without_nulls(value: Any) -> Any:
    """Drop what is null: agents send it for what they leave out."""
    if isinstance(value, dict):
        return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value
