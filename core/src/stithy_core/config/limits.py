"""What the `Meta` of a setting allows of its value, held to when its table is read."""

import re
from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

from stithy_core.config.scalars import Hook
from stithy_core.config.wording import Misfit
from stithy_core.spi.tools import Meta

if TYPE_CHECKING:
    from cattrs import Converter


def is_annotated(cls: Any) -> bool:
    """Return whether a type has annotations."""
    return get_origin(cls) is Annotated


def limited(cls: Any, converter: "Converter") -> Hook:
    """Make the hook of `Annotated[T, Meta(…)]`: what T takes, within the limits."""
    base, *notes = get_args(cls)
    metas = [note for note in notes if isinstance(note, Meta)]

    def hook(value: Any, _: Any) -> Any:
        read = converter.structure(value, base)
        for meta in metas:
            if must := "; ".join(_broken(read, meta)):
                raise Misfit(meta.message or must, value)
        return read

    return hook


def _broken(value: Any, meta: Meta) -> Iterator[str]:
    """Return the limits that a value violates."""
    if isinstance(value, int | float):
        # Asked this way round, since nan keeps to no limit.
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
