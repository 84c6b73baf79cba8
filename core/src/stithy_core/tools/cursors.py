"""Opaque cursors: where a page ended, bound to the tool and the arguments it was asked with."""

import base64
import binascii
import json
from collections.abc import Mapping
from hashlib import blake2s
from typing import Any

from attrs import frozen

from stithy_core.errors import InvalidArguments

ARGUMENT = "cursor"


@frozen
class Position:
    """The last item a caller has seen: its key, and how many stood up to it."""

    key: str
    seen: int


def mint(position: Position, tool: str, arguments: Mapping[str, Any]) -> str:
    """Write a position as a cursor that only the same call accepts."""
    payload = json.dumps([position.key, position.seen]).encode()
    return base64.urlsafe_b64encode(_check(payload, tool, arguments) + payload).decode().rstrip("=")


def read(cursor: str, tool: str, arguments: Mapping[str, Any]) -> Position:
    """Read a cursor back.

    Raises:
        InvalidArguments: It was not made by this tool for these arguments, or was changed since.
    """
    try:
        raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        check, payload = raw[:8], raw[8:]
        if check == _check(payload, tool, arguments):
            key, seen = json.loads(payload)
            return Position(str(key), int(seen))
    except (binascii.Error, ValueError, TypeError):  # garbage is answered like a cursor of another call
        pass
    message = "cursor does not belong to this call"
    allowed = "nextCursor of the previous answer, unchanged, with the same arguments"
    raise InvalidArguments(
        message,
        suggestion="Leave the cursor out to begin anew.",
        details={"errors": [{"path": ARGUMENT, "given": cursor[:100], "allowed": allowed, "message": message}]},
    )


def _check(payload: bytes, tool: str, arguments: Mapping[str, Any]) -> bytes:
    rest = {name: value for name, value in arguments.items() if name != ARGUMENT}
    bound = json.dumps([tool, rest], sort_keys=True).encode()
    return blake2s(payload, digest_size=8, key=blake2s(bound).digest()).digest()
