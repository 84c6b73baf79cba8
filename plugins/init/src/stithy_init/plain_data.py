"""Values at paths in nested mappings and lists; in a list, a key is the `name` of an entry."""

from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any


def find_value(data: Any, path: Sequence[str]) -> Any:
    """Return the value at a path; None if there is none.

    Raises:
        ValueError: A value on the way is neither a mapping nor a list.
    """
    for key in path:
        if data is None:
            return None
        data = data.get(key) if isinstance(data, Mapping) else _find_entry(data, key)[1]
    return data


def nest_value(path: Sequence[str], value: Any) -> Any:
    """Return a value inside of mappings that have only the keys of a path."""
    for key in reversed(path):
        value = {key: value}
    return value


def set_in(data: Any, path: Sequence[str], value: Any) -> None:
    """Set the value at a path; mappings that are missing, or null, are created."""
    for position, key in enumerate(path[:-1]):
        below = find_value(data, [key])
        if below is None:
            return set_in(data, path[: position + 1], nest_value(path[position + 1 :], value))
        data = below
    if isinstance(data, MutableMapping):
        data[path[-1]] = value
        return None
    number, _ = _find_entry(data, path[-1])
    if number is None:
        data.insert(0, value)
    else:
        data[number] = value
    return None


def remove_from(data: Any, path: Sequence[str]) -> None:
    """Remove the value at a path, if there is one."""
    data = find_value(data, path[:-1])
    if isinstance(data, MutableMapping):
        data.pop(path[-1], None)
    elif data is not None and (number := _find_entry(data, path[-1])[0]) is not None:
        del data[number]


def _find_entry(entries: Any, name: str) -> tuple[int | None, Any]:
    if not isinstance(entries, MutableSequence):
        raise ValueError("expected a mapping or a list")  # noqa: TRY004 -- as for every document of another shape
    found = (row for row in enumerate(entries) if isinstance(row[1], Mapping) and row[1].get("name") == name)
    return next(found, (None, None))
