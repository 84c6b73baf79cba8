"""Records of the model as plain data, to compare with what an answer says."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from attrs import fields, has

from stithy_core.spi import IssueRef, RepositoryRef, Unknown

UNKNOWN = "?"
"""In the place of what nobody knows, whatever the reason."""


def plain(value: Any) -> Any:
    """Write a record as dictionaries, lists and texts; times stay, and have to be in UTC."""
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, RepositoryRef | IssueRef):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(one) for one in value]
    if has(type(value)):
        return {field.name: plain(getattr(value, field.name)) for field in fields(type(value))}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        assert value.utcoffset() == timedelta(0), value
    return value
