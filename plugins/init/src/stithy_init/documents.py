"""Edit the settings files of hosts: each edit is checked by parsing the result again."""

import copy
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Literal, TypeAlias

from stithy_init.plain_data import find_value, remove_from, set_in

Format: TypeAlias = Literal["json", "toml", "yaml"]


class InvalidDocument(Exception):
    """A file cannot be edited; its text has the reason, and nothing of the file."""


def parse_document(text: str, form: Format) -> Any:
    """Parse a settings file.

    Raises:
        InvalidDocument: It is not valid, or no mapping.
    """
    try:
        data = _load_format(form).parse(text)
    except (ValueError, RecursionError) as error:
        raise InvalidDocument(f"it is not valid {form.upper()}: {_describe(error)}") from None
    if not isinstance(data, dict):
        raise InvalidDocument("its top level is not a mapping")
    return data


def set_entry(text: str, form: Format, path: Sequence[str], value: Any, *, whole: bool = False) -> str:
    """Return the text with a value at a path.

    Args:
        text: The text of a file.
        form: Its format.
        path: The keys.
        value: The value.
        whole: Whether a mapping that exists is replaced. Otherwise only the values in it that differ are changed.

    Raises:
        InvalidDocument: The text is not valid, or cannot be edited without changing something else.
    """
    expected = parse_document(text, form)
    try:
        present = find_value(expected, path)
        rows = [(tuple(path), value)]
        if isinstance(present, dict) and isinstance(value, dict) and not whole:
            rows = [((*path, key), each) for key, each in value.items() if present.get(key) != each]
        changed = text
        for place, each in rows:
            changed = _load_format(form).set_value(changed, place, each)
            set_in(expected, place, copy.deepcopy(each))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise InvalidDocument(f"{'.'.join(path)} cannot be set in it: {_describe(error)}") from None
    return _check(changed, form, expected)


def remove_entry(text: str, form: Format, path: Sequence[str]) -> str:
    """Return the text without the value at a path.

    Raises:
        InvalidDocument: As for `set_entry`.
    """
    expected = parse_document(text, form)
    try:
        remove_from(expected, path)
        changed = _load_format(form).remove_value(text, path)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise InvalidDocument(f"{'.'.join(path)} cannot be removed from it: {_describe(error)}") from None
    if parent := path[:-1]:  # TOML has no empty table without a line of its own
        present = parse_document(changed, form)
        if find_value(expected, parent) == {} and find_value(present, parent) is None:
            remove_from(expected, parent)
    return _check(changed, form, expected)


def _check(text: str, form: Format, expected: Any) -> str:
    if parse_document(text, form) != expected:
        raise InvalidDocument("the edit would change something else")
    return text


def _load_format(form: Format) -> Any:
    return import_module(f"stithy_init.{form}_document")


def _describe(error: Exception) -> str:
    # json.JSONDecodeError has the position in its text, and neither it nor tomllib quotes the file.
    return str(error) or type(error).__name__
