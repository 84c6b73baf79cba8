"""Splitting a diff into parts while it streams in: each part belongs to one file, and nothing is buffered whole.

The format is that of git-diff(1) with `-p`.
"""

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Annotated

from attrs import Factory, define, frozen

from stithy_comments.reading.pieces import Chain, Filling, stretches
from stithy_core.spi import Meta

FILE = "diff --git "
SIDES = ("--- ", "+++ ")
NAMES = ("rename to ", "copy to ")
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
class Cutter:
    """Splits a diff. Where it splits depends on the diff alone, not on the chunks in which it arrives."""

    chain: Chain = Factory(Chain)
    filling: Filling = Factory(Filling)
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
            *whole, self.rest = stretches(self.rest)
            yield from self._line("".join(whole), ends=False)

    def _line(self, line: str, *, ends: bool = True) -> Iterator[DiffPart]:
        if self.begins and line.startswith(FILE):  # lines of a hunk begin with ' ', '+', '-' or '\'
            yield from self._rest()
            self.path, self.heads = _both(line), True
        elif self.begins and self.heads:
            self.heads = not line.startswith("@@ ")
            self.path = (_named(line) if self.heads else "") or self.path
        for stretch in stretches(line):
            if full := self.filling.add(stretch):
                yield self._part(full)
        self.begins = ends

    def _rest(self) -> Iterator[DiffPart]:
        if rest := self.filling.taken():
            yield self._part(rest)

    def _part(self, text: str) -> DiffPart:
        try:
            text.encode()
        except UnicodeEncodeError:
            shown = text.encode(errors="surrogateescape").decode("latin-1")
            return DiffPart(self.path, self.chain.piece(text, shown), "latin-1")
        return DiffPart(self.path, self.chain.piece(text))


async def parts_of(diff: AsyncIterator[bytes]) -> AsyncGenerator[DiffPart, None]:
    """Iterate over the parts of a diff; joined, their texts are the diff. Closing the iterator closes the diff."""
    cutter = Cutter()
    try:
        async for chunk in diff:
            for part in cutter.feed(chunk):
                yield part
        for part in cutter.feed(b"", last=True):
            yield part
    finally:
        if isinstance(diff, AsyncGenerator):
            await diff.aclose()


def _both(line: str) -> str:
    """Parse the path from `diff --git a/PATH b/PATH`, where both sides have the same name."""
    both = line.removeprefix(FILE).rstrip("\n")
    return _unquoted(both[: (len(both) - 1) // 2])[len("a/") :]


def _named(line: str) -> str:
    """Parse the path from a header line; return an empty text if the line has no path or `/dev/null`."""
    for word in NAMES:
        if line.startswith(word):
            return _unquoted(line.removeprefix(word).rstrip("\n"))
    if line.startswith(SIDES) and (name := line[len("+++ ") :].rstrip("\n")) != "/dev/null":
        return _unquoted(name.removesuffix("\t"))[len("b/") :]  # git adds a tab after a name with spaces
    return ""


def _unquoted(name: str) -> str:
    """Parse a name as git writes it: unusual characters are in double quotes with C escapes."""
    if not name.startswith('"'):
        return name
    escaped = name[1:-1].encode(errors="surrogateescape").decode("unicode_escape", errors="replace")
    return escaped.encode("latin-1", errors="replace").decode(errors="replace")
