"""Clean a log: one chunk of bytes at a time, into the lines that a person would see.

Time stamps, colours and other terminal sequences, NUL, byte order marks and carriage returns are removed, and so is
the prefix of the log, once it was learned. Lines keep their numbers.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ci_failures.document_starts import DOCUMENT, LONGEST_PREFIX
from ci_failures.logs.mojibake import MojibakeRepair
from ci_failures.logs.prefixes import Prefix
from ci_failures.logs.streams import join_lines

LONGEST = 4_096
"""Characters of a line that are read."""
PRINTED = re.compile(rf"(?s:.{{0,{LONGEST_PREFIX}}}?)(?<!\S){DOCUMENT}")
"""A line with a result file, which is read whole, in parts."""
UNENDED = 1 << 20
"""Bytes without an end of line that are kept; the rest of such a line is dropped."""

COLOUR = r"\x1b\[[0-?]*[ -/]*[@-~]"
COLOURS = re.compile(COLOUR.encode())
"""Most logs have no other sequences, and a pattern that begins with a literal is searched four times as fast."""
JENKINS = re.compile(rb"\x1b\[8mha:[^\x1b\n]*\x1b\[0m")
"""What Jenkins keeps in its logs for itself."""
ESCAPES = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()#][0-9A-Za-z]|[=>78cDEHMNOZ])"
    rb"|\xc2\x9b[0-?]*[@-~]"
)
SHOWN = re.compile(rb"\^\[\[[0-9;]*m")
"""A colour in the logs that `gh` saves, with two characters instead of the escape."""
ENDS = re.compile(rb"\r\r{0,7}+\n")
"""The end of a line with carriage returns: nested terminals write several."""
STAMP = re.compile(rb"\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}(?:Z|[+-]\d\d:\d\d) ?")
MOSTLY = re.compile(rb"\n[0-9-]{10}T[0-9:.]{16}Z ")
"""The form of nearly all stamps, which is searched in half the time."""
MASKED = re.compile(rb"##\[(error|warning|group|endgroup|command)\*\*\*")
"""A command of GitHub's runner in a job with a secret that ends with a bracket."""
MARK = "\ufeff".encode()
"""A byte order mark; also within a log, where pages of it were joined."""


class Batch(NamedTuple):
    """Some lines of a log.

    Args:
        texts: The lines.
        numbers: The number of each line.
        data: The lines as one text, each between two line feeds; empty without lines.
        names: The names of the runs of lines by index, if the prefix tells several.
    """

    texts: list[str]
    numbers: Sequence[int]
    data: bytes
    names: Mapping[int, str]

    def list_whole_lines(self, count: int) -> list[str]:
        """Return which of the first lines do not begin behind a carriage return: these have no prefix."""
        if isinstance(self.numbers, range):
            return self.texts[:count]
        numbers = zip(self.numbers[:count], (0, *self.numbers), strict=False)
        return [text for text, (number, before) in zip(self.texts, numbers, strict=False) if number != before]

    def without(self, prefix: Prefix) -> "Batch":
        """Return the lines without a prefix that was learned from them."""
        if isinstance(self.numbers, range):
            data, names = prefix.remove(self.data)
        else:
            data, names = prefix.remove(self._join_parts())
            data = data.replace(b"\r", b"\n")
            names = _name_parts(names, [number - self.numbers[0] for number in self.numbers])
        return Batch(data[1:-1].decode("utf-8", "replace").split("\n"), self.numbers, data, names)

    def _join_parts(self) -> bytes:
        """Return the lines as one text in which those with one number are divided by carriage returns."""
        lines = self.data[1:-1].split(b"\n")
        ends = (b"\r" if number == after else b"\n" for number, after in pairwise((*self.numbers, 0)))
        return b"\n" + b"".join(line + end for line, end in zip(lines, ends, strict=True))


class Cleaner:
    """Cleaner of one log.

    Attributes:
        prefix: What is removed from the beginnings of lines; None for nothing.
        cut: How many lines were longer than what is read.
        first_cut: The number of the first one.
    """

    def __init__(self, prefix: Prefix | None = None) -> None:
        self.prefix = prefix
        self.cut = self.first_cut = 0
        self._mojibake = MojibakeRepair()
        self._rest = bytearray()
        self._is_dropped = False
        self._number = 0

    def feed(self, chunk: bytes) -> Batch:
        """Read bytes, and return the complete lines."""
        head, newline, rest = chunk.rpartition(b"\n")
        if not newline:
            self._rest += rest
            if len(self._rest) > UNENDED:
                del self._rest[4 * LONGEST :]
                self._is_dropped = True
            return NOTHING
        data, self._rest = bytes(self._rest) + head, bytearray(rest)
        batch, self._is_dropped = self._batch(data, ended=True), False
        return batch

    def finish(self) -> Batch:
        """Return the last line, if it has no line feed."""
        rest, self._rest = self._rest, bytearray()
        return self._batch(bytes(rest), ended=False) if rest else NOTHING

    def _batch(self, data: bytes, *, ended: bool) -> Batch:
        bare = _plain(self._mojibake.repair(data))
        if b"\r" in bare:
            bare = ENDS.sub(b"\n", bare)
        bare = _unstamped(b"\n%b\n" % (bare.rstrip(b"\r") if ended else bare))
        names: dict[int, str] = {}
        if self.prefix:
            bare, names = self.prefix.remove(bare)
        parted: Sequence[int] = ()
        if b"\r" in bare:
            bare, parted = _parted(bare)
            names = _name_parts(names, _numbers(0, bare.count(b"\n") - 1, parted))
        texts = bare[1:-1].decode("utf-8", "replace").split("\n")
        first = self._number + 1
        self._number += len(texts) - len(parted)
        numbers = _numbers(first, len(texts), parted)
        return self._shorten(texts, numbers, names) if _has_long(bare) else Batch(texts, numbers, bare, names)

    def _shorten(self, texts: Sequence[str], numbers: Sequence[int], names: Mapping[int, str]) -> Batch:
        """Cut long lines, and record how many there were; a result file is split to parts with one number."""
        short: list[str] = []
        own: list[int] = []
        named: dict[int, str] = {}
        for index, (number, text) in enumerate(zip(numbers, texts, strict=True)):
            parts = [text[:LONGEST]]
            if len(text) > LONGEST and not self._is_dropped and PRINTED.match(text):
                parts = [text[at : at + LONGEST] for at in range(0, len(text), LONGEST)]
            elif len(text) > LONGEST:
                self.first_cut = self.first_cut or number
                self.cut += 1
            if index in names:
                named.update((at, names[index]) for at in range(len(short), len(short) + len(parts)))
            short += parts
            own += [number] * len(parts)
        return Batch(short, own, join_lines(short), named)


NOTHING = Batch([], (), b"", {})


def _plain(data: bytes) -> bytes:
    """Remove invisible bytes; searching one rare byte first costs a tenth of searching several."""
    if b"\x00" in data:
        data = data.replace(b"\x00", b"")
    if b"^" in data and b"^[[" in data:
        data = SHOWN.sub(b"", data)
    if b"\x1b" in data:
        data = JENKINS.sub(b"", data) if b"\x1b[8mha:" in data else data
        data = COLOURS.sub(b"", data)
    if b"\x1b" in data or (b"\xc2" in data and b"\xc2\x9b" in data):
        data = ESCAPES.sub(b"", data)
    if b"***" in data:
        data = MASKED.sub(rb"##[\1]", data)
    return data.replace(MARK, b"") if MARK[:1] in data else data


def _unstamped(data: bytes) -> bytes:
    """Remove the stamps at the beginning of lines."""
    bare, found = MOSTLY.subn(b"\n", data)
    return bare if found == data.count(b"\n") - 1 else STAMP.sub(b"\n", data)


def _parted(data: bytes) -> tuple[bytes, Sequence[int]]:
    """Split lines at bare carriage returns: overwritten text was visible once, too.

    Returns:
        The lines, and the indices of those that begin behind a carriage return.
    """
    parted: list[int] = []
    index, seen = 0, 1
    while (at := data.find(b"\r", seen)) >= 0:
        index += data.count(b"\n", seen, at) + 1
        parted.append(index)
        seen = at + 1
    return data.replace(b"\r", b"\n"), parted


def _name_parts(names: Mapping[int, str], wholes: Sequence[int]) -> dict[int, str]:
    """Return the names of the parts of lines by index.

    Args:
        names: The names of the whole lines, by their index.
        wholes: For each part, the index of its whole line.
    """
    return {at: names[whole] for at, whole in enumerate(wholes) if whole in names} if names else {}


def _numbers(first: int, count: int, parted: Sequence[int]) -> Sequence[int]:
    """Return the numbers of lines from the first one on; the parts of a split line share its number."""
    if not parted:
        return range(first, first + count)
    numbers = list(range(first, first + parted[0]))
    for begin, end in pairwise((*parted, count)):
        numbers += range(numbers[-1], numbers[-1] + end - begin)
    return numbers


def _has_long(data: bytes) -> bool:
    """Check whether a line may be longer than what is read, by jumping from line to line by that length."""
    at = 0
    while at + LONGEST + 1 < len(data):
        at = data.rfind(b"\n", at + 1, at + LONGEST + 2)
        if at < 0:
            return True
    return False
