"""Long texts cut into pieces that fit into answers, at the ends of lines as far as they have any."""

import json
from collections.abc import Iterator
from hashlib import blake2s

from attrs import Factory, define

from stithy_core.spi import grapheme_boundary

MOST = 2_400
"""Bytes of a piece: three of them, twice each, and what stands around them fit into one answer."""
STRETCH = MOST // 4
"""Characters of a long line that stay together: none takes more than four bytes."""
TAG = 6

_JSON = json.JSONEncoder(ensure_ascii=False)


class Piece(str):
    """A part of a text, with its key in cursors: its number, and a mark of the whole text up to its end."""

    __slots__ = ("key",)

    key: str


class Chain:
    """Gives keys to pieces in their order. Two texts have the same key at a place only if they are alike up to it."""

    def __init__(self) -> None:
        self._mark = blake2s(digest_size=TAG)
        self._count = 0

    def piece(self, text: str, shown: str = "") -> Piece:
        """Give the next piece.

        Args:
            text: What it is in truth.
            shown: What is to be read in its place.
        """
        self._count += 1
        self._mark.update(text.encode(errors="surrogatepass"))
        made = Piece(shown or text)
        made.key = f"{self._count}.{self._mark.hexdigest()}"
        return made


@define
class Filling:
    """Fills pieces, stretch by stretch."""

    stretches: list[str] = Factory(list)
    size: int = 0

    def add(self, stretch: str) -> str:
        """Take a stretch in, and give what was there before if both are too much for one piece; else nothing."""
        need = cost(stretch)
        full = self.taken() if self.size + need > MOST else ""
        self.stretches.append(stretch)
        self.size += need
        return full

    def taken(self) -> str:
        """Give what is there, and begin anew."""
        text = "".join(self.stretches)
        self.stretches, self.size = [], 0
        return text


def pieces_of(text: str) -> list[Piece]:
    """Cut a text; joined, the pieces are the text."""
    chain, filling = Chain(), Filling()
    found = [
        chain.piece(full)
        for line in text.splitlines(keepends=True)
        for stretch in stretches(line)
        if (full := filling.add(stretch))
    ]
    rest = filling.taken()
    return [*found, chain.piece(rest)] if rest else found


def stretches(line: str) -> Iterator[str]:
    """Cut a line so that each stretch fits into a piece, never inside of what a reader takes for one character."""
    start = 0
    while len(line) - start > STRETCH:
        end = grapheme_boundary(line, start + STRETCH)
        yield line[start:end]
        start = end
    yield line[start:]


def cost(text: str) -> int:
    """Measure in the bytes that are sent: UTF-8 of JSON."""
    written = _JSON.encode(text)
    return (len(written) if written.isascii() else len(written.encode(errors="surrogatepass"))) - len('""')
