"""Splitting long texts into pieces that fit into answers, at line ends where possible."""

import json
from collections.abc import Iterator
from hashlib import blake2s

from attrs import Factory, define

from stithy_core.spi import grapheme_boundary

MOST = 2_400
"""Bytes of a piece: three pieces, each both as JSON and as text, and the other fields fit into one answer."""
STRETCH = MOST // 4
"""Characters of a long line that stay together; one takes at most four bytes."""
TAG = 6

_JSON = json.JSONEncoder(ensure_ascii=False)


class Piece(str):
    """A part of a text with its cursor key, `number.digest`; the digest covers the whole text up to its end."""

    __slots__ = ("key",)

    key: str


class PieceKeys:
    """Assigns keys to pieces in order. Two texts have the same key at a piece only if they are equal up to it."""

    def __init__(self) -> None:
        self._mark = blake2s(digest_size=TAG)
        self._count = 0

    def create_piece(self, text: str, shown: str = "") -> Piece:
        """Return the next piece.

        Args:
            text: The text for the digest.
            shown: The text of the piece, if it differs.
        """
        self._count += 1
        self._mark.update(text.encode(errors="surrogatepass"))
        piece = Piece(shown or text)
        piece.key = f"{self._count}.{self._mark.hexdigest()}"
        return piece


@define
class PieceBuffer:
    """Collects stretches until they fill a piece."""

    stretches: list[str] = Factory(list)
    size: int = 0

    def add(self, stretch: str) -> str:
        """Add a stretch; return the text before it if both do not fit into one piece, else an empty text."""
        need = measure_json(stretch)
        full = self.flush() if self.size + need > MOST else ""
        self.stretches.append(stretch)
        self.size += need
        return full

    def flush(self) -> str:
        """Return the collected text and start an empty piece."""
        text = "".join(self.stretches)
        self.stretches, self.size = [], 0
        return text


def split_text(text: str) -> list[Piece]:
    """Split a text; joined, the pieces are the text."""
    chain, filling = PieceKeys(), PieceBuffer()
    found = [
        chain.create_piece(full)
        for line in text.splitlines(keepends=True)
        for stretch in split_line(line)
        if (full := filling.add(stretch))
    ]
    rest = filling.flush()
    return [*found, chain.create_piece(rest)] if rest else found


def split_line(line: str) -> Iterator[str]:
    """Split a line into stretches that each fit into a piece, never inside a grapheme cluster."""
    start = 0
    while len(line) - start > STRETCH:
        end = grapheme_boundary(line, start + STRETCH)
        yield line[start:end]
        start = end
    yield line[start:]


def measure_json(text: str) -> int:
    """Return the number of bytes that a text takes as UTF-8 in JSON, without the quotes."""
    written = _JSON.encode(text)
    return (len(written) if written.isascii() else len(written.encode(errors="surrogatepass"))) - len('""')
