"""Opaque cursors: where a page ended, bound to the tool and the arguments it was asked with, sealed with a key."""

import base64
import binascii
import hmac
import json
import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2s
from typing import Any

from attrs import frozen

from stithy_core.errors import InvalidArguments
from stithy_core.spi.tools import CURSOR_ARGUMENT

SEAL = 8
"""Bytes of the seal: one of 2^64 cannot be guessed by trying."""
MARK = 3
"""Bytes of the mark of an item: short, and rarely that of another of the same list."""
NEAR = (1, 2, 8)
"""Distances from the last item seen to the items before it that replace it if it is gone."""


@frozen
class Position:
    """The last item a caller has seen.

    Args:
        key: Its key.
        seen: How many items stood up to it.
        before: Hashes of items before it, the nearest first: they replace it if it is gone.
    """

    key: str
    seen: int
    before: tuple[bytes, ...] = ()

    @classmethod
    def at(cls, seen: int, key: Callable[[int], str]) -> "Position":
        """Return the position after the first items of a list.

        Args:
            seen: How many, at least one.
            key: Returns the key of an item by its index.
        """
        last = seen - 1
        return cls(key(last), seen, tuple(_hash_key(key(last - steps)) for steps in NEAR if steps <= last))

    def behind(self, keys: Sequence[str]) -> int:
        """Return the index at which the list continues, though items were added or removed meanwhile.

        If all known items are gone, the list starts again: items may be sent twice, but none is lost.

        Args:
            keys: Those of the list as it is now.

        Returns:
            The index of the first item that was not seen.
        """
        if keys[self.seen - 1 : self.seen] == [self.key]:  # nothing changed: pages of a long list stay cheap
            return self.seen
        indices = [index for index, key in enumerate(keys) if key == self.key]
        if indices:
            return _index_after_nearest(indices, self.seen)
        marks = [_hash_key(key) for key in keys]
        for steps, mark in zip(NEAR, self.before, strict=False):
            if indices := [index for index, one in enumerate(marks) if one == mark]:
                return _index_after_nearest(indices, self.seen - steps)
        return 0


class Cursors:
    """Writes and reads cursors with one key.

    Args:
        key: Returns the key; called once, when it is first needed. By default a key of this process.
    """

    def __init__(self, key: Callable[[], bytes] = lambda: os.urandom(32)) -> None:
        self._source = key
        self._key: bytes | None = None

    def mint(self, position: Position, tool: str, arguments: Mapping[str, Any]) -> str:
        """Write a position as a cursor that only the same call accepts."""
        marks = b"".join(position.before)
        place = f"{position.seen} {position.key}".encode(errors="surrogatepass")
        payload = bytes([len(position.before)]) + marks + place
        return _encode(self._seal(payload, tool, arguments) + payload)

    def read(self, cursor: str, tool: str, arguments: Mapping[str, Any]) -> Position:
        """Read a cursor back.

        Raises:
            InvalidArguments: It was not made by this tool for these arguments, or with another key, or changed since.
        """
        try:
            raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):  # garbage is answered like a cursor of another call
            raw = b""
        seal, payload = raw[:SEAL], raw[SEAL:]
        # What decodes to the same bytes is not yet the same text: the last character has bits to spare.
        if not hmac.compare_digest(seal, self._seal(payload, tool, arguments)) or _encode(raw) != cursor:
            raise _foreign_cursor_error(cursor)
        marks, place = payload[1 : 1 + MARK * payload[0]], payload[1 + MARK * payload[0] :]
        seen, _, key = place.decode(errors="surrogatepass").partition(" ")
        return Position(key, int(seen), tuple(marks[at : at + MARK] for at in range(0, len(marks), MARK)))

    def _seal(self, payload: bytes, tool: str, arguments: Mapping[str, Any]) -> bytes:
        if self._key is None:
            self._key = self._source()
        rest = {name: value for name, value in arguments.items() if name != CURSOR_ARGUMENT}
        bound = json.dumps([tool, rest], sort_keys=True).encode()  # it is ASCII without NUL, so that it ends there
        return hmac.digest(self._key, bound + b"\0" + payload, "sha256")[:SEAL]


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _foreign_cursor_error(cursor: str) -> InvalidArguments:
    message = "cursor does not belong to this call"
    allowed = (
        "nextCursor of the previous answer, unchanged, with the same arguments,"
        " from this server or one that shares its key"
    )
    return InvalidArguments(
        message,
        suggestion="Omit the cursor to get the first page.",
        details={"errors": [{"path": CURSOR_ARGUMENT, "given": cursor[:100], "allowed": allowed, "message": message}]},
    )


def _hash_key(key: str) -> bytes:
    return blake2s(key.encode(errors="surrogatepass"), digest_size=MARK).digest()


def _index_after_nearest(indices: Sequence[int], seen: int) -> int:
    """Return the index after the one that is nearest to the item's former index."""
    return min(indices, key=lambda index: abs(index + 1 - seen)) + 1
