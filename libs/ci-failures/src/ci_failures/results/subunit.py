"""Subunit, the stream of stestr, testrepository and others: version 2 in binary packets, and version 1 as text.

https://github.com/testing-cabal/subunit describes both.
"""

import re
import zlib
from collections.abc import Iterator

from attrs import define, field, frozen

from ci_failures.model import MOST_TEXT, Failure
from ci_failures.results.dialects.case import last_place
from ci_failures.results.tally import Tally, UnreadableFile
from ci_failures.results.text import Text, strip_colours

SIGNATURE = 0xB3
VERSION = 2
LENGTH_AT = 3
"""Behind the signature and the flags, whose first bits are the version."""
SHORTEST = 8
"""Bytes of an empty packet: signature, flags, length and check sum."""
LARGEST = 4 << 20
"""Bytes of a packet at most, by its specification."""
MOST_OPEN = 10_000
"""Tests whose output is kept until they end."""
HAS_ID, HAS_ROUTE, HAS_TIME, HAS_TAGS = 0x0800, 0x0400, 0x0200, 0x0080
HAS_FILE, HAS_MIME, STATUS = 0x0040, 0x0020, 0x0007
IN_PROGRESS, FAILED = 2, 6
ENDS = frozenset({3, 4, 5, 6, 7})
"""Success, unexpected success, skip, failure, expected failure."""
UNEXPECTED = 4
FRAME = re.compile(r'File "([^"\n]{1,300})", line (\d{1,7})')
OUTCOME = re.compile(r"(success(?:ful)?|failure|error|skip|xfail|uxsuccess): (.+?)(?: \[( multipart)?)?$")
BAD = {"failure": "", "error": "", "uxsuccess": "it passed, and was expected to fail"}
LENGTH = re.compile(r"[0-9A-Fa-f]{1,8}$")
TRUNCATED = "its end is missing: the run was aborted, or the file was cut off"


@frozen
class Packet:
    """One packet: a status of a test, or some of its output."""

    test: str
    status: int
    file: str
    content: bytes


@define
class _OpenTests:
    """The output of tests that have not ended."""

    output: dict[str, str] = field(factory=dict)

    def add(self, test: str, text: str) -> None:
        """Keep the beginning of a test's output."""
        known = self.output.get(test)
        if known is not None or len(self.output) < MOST_OPEN:
            self.output[test] = ((known or "") + text)[: 8 * MOST_TEXT]


def is_subunit(start: bytes) -> bool:
    """Check whether a file begins with a packet of version 2; its check sum counts if the packet is there whole."""
    if len(start) < SHORTEST or start[0] != SIGNATURE or start[1] >> 4 != VERSION:
        return False
    try:
        length, _ = _number(start, LENGTH_AT)
    except IndexError:
        return False
    return length > len(start) or (length >= SHORTEST and _sums_up(start[:length]))


def read_packets(text: Text, tally: Tally) -> None:
    """Read a stream of version 2.

    Raises:
        UnreadableFile: A packet is damaged.
    """
    began = _OpenTests()
    for packet in _iterate_packets(text):
        if packet.content and packet.test:
            began.add(packet.test, packet.content.decode("utf-8", "replace"))
        elif packet.status == IN_PROGRESS:
            began.add(packet.test, "")
        if packet.status in ENDS:
            unexpected = BAD["uxsuccess"] if packet.status == UNEXPECTED else ""
            said = began.output.pop(packet.test, "") or unexpected
            _record(tally, packet.test, said, failed=packet.status in {FAILED, UNEXPECTED})
    if began.output:
        tally.add_gap(f"{len(began.output):,} tests began and did not end, the first being {next(iter(began.output))}")


def read_lines(text: Text, tally: Tally) -> None:
    """Read a stream of version 1."""
    lines, began = text.lines(), ""
    for line in lines:
        word, colon, name = line.partition(": ")
        if colon and word in {"test", "testing"}:
            began = name.strip()
        elif found := OUTCOME.match(line):
            details = " [" in line[found.end(2) :]
            said = "\n".join(_iterate_details(lines, parts=found[3] is not None)) if details else ""
            _record(tally, found[2], said or BAD.get(found[1], ""), failed=found[1] in BAD)
            began = "" if found[2] == began else began
    if began:
        tally.add_gap(f"the test {began} began and did not end")


def _iterate_details(lines: Iterator[str], *, parts: bool) -> Iterator[str]:
    """Iterate over the lines of a test's output up to a bracket; in parts, without their types, names and lengths."""
    for line in lines:
        if line == "]":
            return
        if not parts:
            yield line
        elif line.startswith("Content-Type:"):
            next(lines, "")  # the name of the part
            yield from _iterate_part(lines, next(lines, ""))
    yield TRUNCATED


def _iterate_part(lines: Iterator[str], length: str) -> Iterator[str]:
    """Iterate over the lines of a part, in chunks with their lengths before them; the last one has none."""
    while LENGTH.match(length) and (left := int(length, 16)):
        for line in lines:
            data = line.encode()
            if len(data) >= left:
                yield data[:left].decode("utf-8", "replace")
                length = data[left:].decode("utf-8", "replace")
                break
            yield line
            left -= len(data) + 1
            if not left:
                length = next(lines, "")
                break
        else:
            return


def _record(tally: Tally, name: str, said: str, *, failed: bool) -> None:
    """Record the end of a test."""
    if not failed:
        tally.ran += 1
        return
    said = strip_colours(said).strip()
    file, line = last_place(said, FRAME)
    lines = [text for text in said.split("\n") if text.strip()]
    message = lines[-1] if FRAME.search(said) and lines else said
    tally.record_failed(Failure(tool="subunit", name=name, message=message, file=file, line=line))


def _iterate_packets(text: Text) -> Iterator[Packet]:
    """Iterate over the packets; bytes between them are output of tests, and are skipped.

    Raises:
        UnreadableFile: A packet is damaged.
    """
    data = bytearray()
    for piece in text.pieces():
        data += piece
        while (found := data.find(SIGNATURE)) >= 0:
            del data[:found]
            if len(data) < SHORTEST:
                break
            length, _ = _number(data, LENGTH_AT)
            if not SHORTEST <= length <= LARGEST:
                raise UnreadableFile("a packet of Subunit has an impossible length")
            if len(data) < length:
                break
            yield _parse_packet(bytes(data[:length]))
            del data[:length]
    if data.find(SIGNATURE) >= 0:
        raise UnreadableFile(TRUNCATED)


def _sums_up(packet: bytes) -> bool:
    return zlib.crc32(packet[:-4]) == int.from_bytes(packet[-4:])


def _parse_packet(packet: bytes) -> Packet:
    if not _sums_up(packet):
        raise UnreadableFile("the check sum of a packet of Subunit is wrong")
    flags = int.from_bytes(packet[1:3])
    test = file = ""
    content = b""
    try:
        _, at = _number(packet, LENGTH_AT)
        if flags & HAS_TIME:
            _, at = _number(packet, at + 4)
        if flags & HAS_ID:
            test, at = _text(packet, at)
        if flags & HAS_TAGS:
            count, at = _number(packet, at)
            for _ in range(count):
                _, at = _text(packet, at)
        if flags & HAS_MIME:
            _, at = _text(packet, at)
        if flags & HAS_FILE:
            file, at = _text(packet, at)
            size, at = _number(packet, at)
            content = packet[at : at + size]
    except IndexError as error:
        raise UnreadableFile("a packet of Subunit is shorter than it says") from error
    return Packet(test, flags & STATUS, file, content)


def _number(data: bytes | bytearray, at: int) -> tuple[int, int]:
    """Return a number of one to four bytes, whose first two bits are the number of further ones, and where it ends."""
    more = data[at] >> 6
    if at + more >= len(data):
        raise IndexError(at)
    value = data[at] & 0x3F
    for byte in data[at + 1 : at + 1 + more]:
        value = value << 8 | byte
    return value, at + 1 + more


def _text(data: bytes, at: int) -> tuple[str, int]:
    size, at = _number(data, at)
    if at + size > len(data):
        raise IndexError(at)
    return data[at : at + size].decode("utf-8", "replace"), at + size
