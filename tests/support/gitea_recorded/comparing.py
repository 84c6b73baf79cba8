"""Comparison of the model with a response, and of an error with a refusal, without the plugin's mappers."""

from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest

from gitea_recorded.exchanges import Exchange
from stithy_core.spi import (
    Archived,
    Forbidden,
    ForgeError,
    Moved,
    NotFound,
    Rejected,
    Unauthorized,
    Unavailable,
    Unclear,
    Unknown,
)

ERRORS: dict[int, type[ForgeError] | tuple[type[ForgeError], ...]] = {
    301: Moved,
    400: Rejected,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    422: Rejected,
    423: Archived,
    500: (Unavailable, Unclear),
}


class Missing:
    """Stands for a field that a response lacks."""


def read_model(record: Any, path: str) -> Any:
    """Return the value of the model at a path, through tuples and None."""
    for name in path.split("."):
        if isinstance(record, tuple):
            record = tuple(getattr(one, name) for one in record)
        else:
            record = getattr(record, name, None)
    return record


def read_row(row: Any, path: str) -> Any:
    """Return the value of the response at a path, in the same way."""
    for name in path.split("."):
        if isinstance(row, list):
            row = tuple(one.get(name) for one in row)
        else:
            row = row.get(name, Missing) if isinstance(row, dict) else None
    return tuple(row) if isinstance(row, list) else row


def is_same(value: Any, given: Any) -> bool:
    """Return whether a value equals the given one; without a given one it must be unknown or empty."""
    if given is Missing or given is None:
        return isinstance(value, Unknown) or value in (None, "", (), False)
    if isinstance(value, datetime):
        return value == datetime.fromisoformat(given)
    return bool(value == given or value == str(given) or str(value) == given)


def compare_fields(record: Any, row: Any, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of the model that differ from the response."""
    pairs = {model: (read_model(record, model), read_row(row, given)) for model, given in fields.items()}
    return {model: pair for model, pair in pairs.items() if not is_same(*pair)}


def compare_lists(
    records: Sequence[Any], rows: Sequence[Any], fields: Mapping[str, str], key: tuple[str, str] = ("id", "id")
) -> dict[str, Any]:
    """Return the differences between records and response, whatever the order of either."""
    read = {str(read_model(record, key[0])): record for record in records}
    given = {str(read_row(row, key[1])): row for row in rows}
    if read.keys() != given.keys():
        return {"read": read.keys() - given.keys(), "not read": given.keys() - read.keys()}
    return {name: found for name, row in given.items() if (found := compare_fields(read[name], row, fields))}


async def expect_error(exchange: Exchange, asking: Awaitable[object], *kinds: type[ForgeError]) -> None:
    """Check that a call raises the error of the response's status, with its status and message."""
    with pytest.raises(kinds or ERRORS[exchange.status]) as caught:
        await asking
    details = caught.value.details
    if not kinds:  # where another kind is expected, the details are those of the answer that explained it
        assert details["status"] == exchange.status
        assert not exchange.body or details["message"] == exchange.body["message"], details


def check_fields(record: Any, row: Any, fields: Mapping[str, str]) -> None:
    found = compare_fields(record, row, fields)
    assert not found, found


def check_lists(
    records: Sequence[Any], rows: Sequence[Any], fields: Mapping[str, str], key: tuple[str, str] = ("id", "id")
) -> None:
    found = compare_lists(records, rows, fields, key)
    assert not found, found
