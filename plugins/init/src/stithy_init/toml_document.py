"""Edit TOML; everything else in the text stays as it is."""

from collections.abc import Sequence
from typing import Any

from stithy_init.plain_data import find_value, nest_value, remove_from, set_in


def parse(text: str) -> Any:
    """Parse TOML.

    Raises:
        ValueError: It is something else.
    """
    import tomllib

    return tomllib.loads(text)


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value at a path of keys. A new table is appended, so that no existing line changes."""
    import tomlkit

    newline = "\r\n" if "\r\n" in text else "\n"
    if isinstance(value, dict) and len(path) > 1 and find_value(parse(text), path) is None:
        gap = (newline if text.endswith("\n") else newline * 2) if text.strip() else ""
        table = tomlkit.dumps(nest_value(path, {key: _inline(each) for key, each in value.items()}))
        return text + gap + table.replace("\n", newline)
    document = tomlkit.parse(text)
    set_in(document, path, _inline(value))
    return tomlkit.dumps(document)


def _inline(value: Any) -> Any:
    import tomlkit

    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the value at a path; unchanged if there is none."""
    import tomlkit

    if find_value(parse(text), path) is None:
        return text
    document = tomlkit.parse(text)
    remove_from(document, path)
    return tomlkit.dumps(document)
