"""Splitting a diff into parts while it streams in: each part belongs to one file, and nothing is buffered whole.

The format is that of git-diff(1) with `-p`.
"""

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Annotated

from attrs import Factory, define, frozen

from stithy_comments.pull_request_parts.text_pieces import PieceBuffer, PieceKeys, split_line
from stithy_core.spi import Meta, parse_diff_path

FILE = "diff --git "
LONG = 65_536
"""Characters of an incomplete line that are kept until its end arrives."""


@frozen
class DiffPart:
    """A part of a diff.

    Args:
        path: The file by its new name.
        text: The lines as git writes them.
        encoding: The encoding that turns `text` back into the diff's bytes if those were not UTF-8; then each byte is
            one character of `text`.
    """

    path: Annotated[str, Meta(cut=False)]
    text: Annotated[str, Meta(cut=False)]
    encoding: str | None = None


@define
class DiffSplitter:
    """Splits a diff. Where it splits depends on the diff alone, not on the chunks in which it arrives."""

    chain: PieceKeys = Factory(PieceKeys)
    filling: PieceBuffer = Factory(PieceBuffer)
    decoder: IncrementalDecoder = Factory(lambda: getincrementaldecoder("utf-8")("surrogateescape"))
    path: str = ""
    rest: str = ""
    begins: bool = True
    heads: bool = False

    def feed(self, chunk: bytes, *, last: bool = False) -> Iterator[DiffPart]:
        """Add bytes and iterate over the parts that are complete now; `last` ends the diff."""
        *lines, self.rest = (self.rest + self.decoder.decode(chunk, last)).split("\n")
        for line in lines:
            yield from self._line(line + "\n")
        if last:
            yield from self._line(self.rest)
            yield from self._rest()
        elif len(self.rest) > LONG:
            *whole, self.rest = split_line(self.rest)
            yield from self._line("".join(whole), ends=False)

    def _line(self, line: str, *, ends: bool = True) -> Iterator[DiffPart]:
        if self.begins and line.startswith(FILE):  # lines of a hunk begin with ' ', '+', '-' or '\'
            yield from self._rest()
            self.path, self.heads = "", True
        if self.begins and self.heads:
            self.heads = not line.startswith("@@ ")
            self.path = (self.heads and parse_diff_path(line.encode(errors="surrogateescape"))) or self.path
        for stretch in split_line(line):
            if full := self.filling.add(stretch):
                yield self._part(full)
        self.begins = ends

    def _rest(self) -> Iterator[DiffPart]:
        if rest := self.filling.flush():
            yield self._part(rest)

    def _part(self, text: str) -> DiffPart:
        try:
            text.encode()
        except UnicodeEncodeError:
            shown = text.encode(errors="surrogateescape").decode("latin-1")
            return DiffPart(self.path, self.chain.create_piece(text, shown), "latin-1")
        return DiffPart(self.path, self.chain.create_piece(text))


async def split_diff(diff: AsyncIterator[bytes]) -> AsyncGenerator[DiffPart, None]:
    """Iterate over the parts of a diff; joined, their texts are the diff. Closing the iterator closes the diff."""
    cutter = DiffSplitter()
    try:
        async for chunk in diff:
            for part in cutter.feed(chunk):
                yield part
        for part in cutter.feed(b"", last=True):
            yield part
    finally:
        if isinstance(diff, AsyncGenerator):
            await diff.aclose()
