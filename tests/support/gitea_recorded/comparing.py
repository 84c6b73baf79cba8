"""Whether the model says what an answer said, and an error what a refusal said: found without any mapper of ours."""

from collections.abc import Sequence
from datetime import datetime

import pytest

from stithy_core.spi import Archived, Forbidden, Moved, NotFound, Rejected, Unauthorized, Unavailable, Unclear, Unknown

ERRORS = {
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
    """In the place of what an answer does not have."""


def told(record, path):
    """Walk to a value of the model, through what is several or nobody."""
    for name in path.split("."):
        if isinstance(record, tuple):
            record = tuple(getattr(one, name) for one in record)
        else:
            record = getattr(record, name, None)
    return record


def answered(row, path):
    """Walk to a value of the answer in the same way."""
    for name in path.split("."):
        if isinstance(row, list):
            row = tuple(one.get(name) for one in row)
        else:
            row = row.get(name, Missing) if isinstance(row, dict) else None
    return tuple(row) if isinstance(row, list) else row


def same(value, given):
    """Say whether a value is the given one; where nothing was given, it must not pretend to know."""
    if given is Missing or given is None:
        return isinstance(value, Unknown) or value in (None, "", (), False)
    if isinstance(value, datetime):
        return value == datetime.fromisoformat(given)
    return value == given or value == str(given) or str(value) == given


def differences(record, row, fields):
    """Say which fields of the model are not as in the answer."""
    pairs = {model: (told(record, model), answered(row, given)) for model, given in fields.items()}
    return {model: pair for model, pair in pairs.items() if not same(*pair)}


def unlike(records: Sequence, rows: Sequence, fields, key=("id", "id")):
    """Say what differs between what was read and what was answered, whatever the order of either."""
    read = {str(told(record, key[0])): record for record in records}
    given = {str(answered(row, key[1])): row for row in rows}
    if read.keys() != given.keys():
        return {"read": read.keys() - given.keys(), "not read": given.keys() - read.keys()}
    return {name: found for name, row in given.items() if (found := differences(read[name], row, fields))}


async def refused(exchange, asking, *kinds):
    """Expect the error that the status means, with the status and the words of the answer."""
    with pytest.raises(kinds or ERRORS[exchange.status]) as caught:
        await asking
    details = caught.value.details
    if not kinds:  # where another kind is expected, the details are those of the answer that explained it
        assert details["status"] == exchange.status
        assert not exchange.body or details["message"] == exchange.body["message"], details


def alike(record, row, fields):
    found = differences(record, row, fields)
    assert not found, found


def all_alike(records, rows, fields, key=("id", "id")):
    found = unlike(records, rows, fields, key)
    assert not found, found
