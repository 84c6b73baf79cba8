"""Values of rules as YAML has them, and the error for those that cannot be used."""

from collections.abc import Mapping, Sequence
from typing import Any

_TRUE, _FALSE = frozenset(("true", "yes", "on")), frozenset(("false", "no", "off"))


class InvalidRule(Exception):
    """A rule cannot be used; the message says why."""


def to_texts(value: object) -> tuple[str, ...]:
    """Return a text or a list of texts as a tuple; empty for None."""
    if value is None or value == "":
        return ()
    return tuple(str(one) for one in value) if isinstance(value, list | tuple) else (str(value),)


def to_text(value: object) -> str:
    """Return a value as stripped text; empty for None."""
    return "" if value is None else str(value).strip()


def to_flag(value: object, *, default: bool = False) -> bool:
    """Return whether a value is true, as YAML 1.2 or 1.1 writes it; the default if it says neither."""
    word = to_text(value).lower()
    return default if word not in _TRUE | _FALSE else word in _TRUE


def to_mappings(value: object, what: str) -> Sequence[Mapping[str, Any]]:
    """Return a mapping or a list of mappings as a sequence.

    Raises:
        InvalidRule: The value is something else.
    """
    found: list[Any] = value if isinstance(value, list) else [value]
    if not all(isinstance(one, Mapping) for one in found):
        raise InvalidRule(f"{what} is not a mapping")
    return found
