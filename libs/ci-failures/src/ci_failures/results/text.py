"""From the bytes of a result file to text: decoded, without the characters that XML forbids, up to a limit."""

import codecs
import re
import sys
from collections.abc import Iterator

from ci_failures.results.tally import Readable, UnreadableFile

HEAD = 4_096
"""Bytes by which the format is recognized."""
PIECE = 1 << 16
DECLARED = re.compile(rb"""^[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
ESCAPE = "\ue01b"
"""Replaces an escape until its sequence is complete: XML forbids escapes, and a piece may end within a sequence."""
COLOURS = re.compile(rf"(?:{ESCAPE}|\x1b|#x1B|\N{{REPLACEMENT CHARACTER}})\[[0-?]*[ -/]*[@-~]|{ESCAPE}|\x1b")
"""Go's writers of XML replace an escape by another character."""
MARKS = (ESCAPE, "\x1b", "#x1B", "\N{REPLACEMENT CHARACTER}[")
REFERENCE = re.compile(r"&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,8}));")
OPEN = re.compile(r"&(?:#(?:x?[0-9A-Fa-f]{0,8})?)?$")
LONGEST = 1 << 20
"""Characters of a line that are kept, in formats that have lines."""
BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class Text:
    """A file as text; one with more than `limit` bytes is refused.

    Args:
        raw: Its bytes.
        limit: How many bytes are read at most; None for all.
    """

    def __init__(self, raw: Readable[bytes], limit: int | None = None) -> None:
        self._raw = raw
        self._limit = limit
        self._taken = 0
        self._first = self._bytes(HEAD)
        while len(self._first) < HEAD and (more := self._bytes(HEAD - len(self._first))):
            self._first += more
        self._decoder = codecs.getincrementaldecoder(_encoding(self._first))("replace")
        self.head = codecs.getincrementaldecoder(_encoding(self._first))("replace").decode(self._first)
        self._begun = False
        self.has_excess = False
        """Whether something follows behind the document that was read."""

    @property
    def starts(self) -> bytes:
        """The first bytes."""
        return self._first

    def pieces(self) -> Iterator[bytes]:
        """Iterate over the bytes as they are, with UTF-16 converted to UTF-8.

        For files that are not result files, such as logs.
        """
        wide = _encoding(self._first) == "utf-16"
        data = self._first
        while data:
            yield self._decoder.decode(data).encode("utf-8", "replace") if wide else data
            data = self._bytes(PIECE)

    def limited(self, limit: int | None) -> "Text":
        """Set the limit, once the format is known."""
        self._limit = limit
        return self

    def read(self, size: int = PIECE) -> str:
        """Return some characters, without forbidden ones; empty at the end."""
        if not self._begun:
            self._begun = True
            return _clean(self._decoder.decode(self._first)).lstrip() or self.read(size)
        while data := self._bytes(size):
            if text := _clean(self._decoder.decode(data)):
                return text
        return _clean(self._decoder.decode(b"", final=True))

    def lines(self) -> Iterator[str]:
        """Iterate over the lines, each cut at LONGEST characters."""
        rest = ""
        while text := self.read():
            *whole, rest = (rest + text).split("\n")
            yield from (line[:LONGEST].rstrip("\r") for line in whole)
            rest = rest[:LONGEST]
        if rest:
            yield rest

    def _bytes(self, size: int) -> bytes:
        data = self._raw.read(size)
        self._taken += len(data)
        if self._limit is not None and self._taken > self._limit:
            raise UnreadableFile(f"it has more than {self._limit:,} bytes")
        return data


class Markup:
    """Text for an XML parser: references to forbidden characters are removed, too."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._rest = ""

    def read(self, size: int = PIECE) -> str:
        """Return some characters; a reference is never split."""
        text = self._text.read(size)
        whole = self._rest + text
        self._rest = ""
        if text and (found := OPEN.search(whole, max(0, len(whole) - 12))):
            whole, self._rest = whole[: found.start()], whole[found.start() :]
            if not whole:
                return self.read(size)
        return REFERENCE.sub(_allowed, whole) if "&#" in whole else whole


def strip_colours(text: str) -> str:
    """Return a text without colours."""
    return COLOURS.sub("", text) if any(mark in text for mark in MARKS) else text


def _clean(text: str) -> str:
    return FORBIDDEN.sub("", text.replace("\x1b", ESCAPE) if "\x1b" in text else text)


def _allowed(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    if code > sys.maxunicode:
        return ""
    return ESCAPE if chr(code) == "\x1b" else "" if FORBIDDEN.match(chr(code)) else found[0]


def _encoding(head: bytes) -> str:
    """Return the encoding that a byte order mark or the XML declaration names; otherwise UTF-8."""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return encoding
    declared = DECLARED.match(head) if head.startswith(b"<?xml") else None
    try:
        name = codecs.lookup(declared[1].decode()).name if declared else "utf-8"
        return name if codecs.lookup(name)._is_text_encoding and not name.startswith("utf-16") else "utf-8"  # noqa: SLF001 -- as open() does
    except LookupError:
        return "utf-8"
