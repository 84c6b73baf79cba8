"""Diffs as git writes them: their sections, one for each file, and the paths in them (git-diff(1), "-p").

Readers of hunks differ and stay with their callers: what a plugin needs of a hunk, and what it does with a broken one.
"""

import re
from itertools import pairwise

_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_HUNKS = re.compile(rb"^@@ ", re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_BEGIN = b"diff --git "
_NAMES = (b"rename to ", b"copy to ")
_SIDES = (b"--- ", b"+++ ")
_PREFIX = len("a/")


def split_diff_sections(diff: bytes) -> list[tuple[bytes, bytes]]:
    """Split a diff into the header and the hunks of each file; the hunks are empty for a binary file, for example.

    A line of a hunk never begins as a section does, so nothing that a third party wrote into a file can pass for
    another file.
    """
    edges = [*(found.start() for found in _SECTION.finditer(diff)), len(diff)]
    return [_split_header(diff[start:end]) for start, end in pairwise(edges)]


def _split_header(section: bytes) -> tuple[bytes, bytes]:
    hunks = _HUNKS.search(section)
    return (section[: hunks.start()], section[hunks.start() :]) if hunks else (section, b"")


def parse_diff_path(line: bytes) -> str:
    """Return the path in a header line, the new one for a renamed file; empty if the line has no path or `/dev/null`.

    The path of a file is in the last header line that has one: the first line does not say where a path with spaces
    ends, unless both sides have the same.

    Args:
        line: A line of a section's header, with or without its line feed.
    """
    line = line.removesuffix(b"\n")
    for name in _NAMES:
        if line.startswith(name):
            return unquote_path(line.removeprefix(name))
    if line.startswith(_SIDES) and (side := line[len(b"+++ ") :]) != b"/dev/null":
        return unquote_path(side.removesuffix(b"\t"))[_PREFIX:]  # git adds a tab after a name with spaces
    if line.startswith(_BEGIN):
        both = line.removeprefix(_BEGIN)  # the same name twice, with a space between
        return unquote_path(both[: (len(both) - 1) // 2])[_PREFIX:]
    return ""


def unquote_path(name: bytes) -> str:
    """Parse a name as git writes it: unusual characters are in double quotes with C escapes.

    Bytes that are not UTF-8 become U+FFFD.
    """
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_unescape, name[1:].removesuffix(b'"'))
    return name.decode(errors="replace")


def _unescape(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    return bytes([int(code, 8) & 0xFF]) if code.isdigit() else _LETTERS.get(code, code)
