"""A diff cut into pieces while it comes in: each of one file, and none of it is kept (git-diff(1), "-p")."""

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
"""Characters of a line that are kept to wait for its end."""


@frozen
class DiffPart:
    """A part of a diff.

    Args:
        path: The file that it is about, by its new name.
        text: As git writes it.
        encoding: How to make bytes of `text` where those are no UTF-8, so that each became a character of its own.
    """

    path: Annotated[str, Meta(cut=False)]
    text: Annotated[str, Meta(cut=False)]
    encoding: str | None = None


@define
class Cutter:
    """Cuts a diff. Where it cuts depends on the diff alone, not on how it comes in."""

    chain: Chain = Factory(Chain)
    filling: Filling = Factory(Filling)
    decoder: IncrementalDecoder = Factory(lambda: getincrementaldecoder("utf-8")("surrogateescape"))
    path: str = ""
    rest: str = ""
    begins: bool = True
    heads: bool = False

    def feed(self, chunk: bytes, *, last: bool = False) -> Iterator[DiffPart]:
        """Take bytes in, and give the parts that are complete."""
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
        if self.begins and line.startswith(FILE):  # no line of a hunk begins so
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
    """Cut a diff that comes in; joined, the texts of the parts are the diff. Who has enough closes it."""
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
    """Read the path of a file that has the same name on both sides: it stands there twice, with a space between."""
    both = line.removeprefix(FILE).rstrip("\n")
    return _unquoted(both[: (len(both) - 1) // 2])[len("a/") :]


def _named(line: str) -> str:
    """Read the path from a line before the hunks; nothing where it names none, or the file that is not there."""
    for word in NAMES:
        if line.startswith(word):
            return _unquoted(line.removeprefix(word).rstrip("\n"))
    if line.startswith(SIDES) and (name := line[len("+++ ") :].rstrip("\n")) != "/dev/null":
        return _unquoted(name.removesuffix("\t"))[len("b/") :]  # a tab follows a name with spaces
    return ""


def _unquoted(name: str) -> str:
    """Read a name as git writes it: between double quotes with C's escapes, where it holds unusual characters."""
    if not name.startswith('"'):
        return name
    escaped = name[1:-1].encode(errors="surrogateescape").decode("unicode_escape", errors="replace")
    return escaped.encode("latin-1", errors="replace").decode(errors="replace")
