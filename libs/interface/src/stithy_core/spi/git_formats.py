"""Formats of git: names of refs (git-check-ref-format(1)), and diffs with the paths in them (git-diff(1), "-p").

Readers of hunks differ and stay with their callers: what a plugin needs of a hunk, and what it does with a broken one.
"""

import re
from itertools import pairwise

_REF_PREFIX = "refs/"
_REF_FAULTS = (
    (re.compile(r"[\x00-\x1f\x7f]"), "it contains a control character"),
    (re.compile(r" "), "it contains a space"),
    (re.compile(r"[~^:?*\[\\]"), "it contains one of ~ ^ : ? * [ \\"),
    (re.compile(r"\.\."), "it contains '..'"),
    (re.compile(r"@\{"), "it contains '@{'"),
    (re.compile(r"//|/\Z"), "it has an empty component"),
    (re.compile(r"/\."), "a component begins with '.'"),
    (re.compile(r"\.lock(/|\Z)"), "a component ends with '.lock'"),
    (re.compile(r"\.\Z"), "it ends with '.'"),
)


def find_ref_fault(ref: str) -> str:
    """Return why a text is not a full ref that git accepts; empty if it is one.

    A full ref begins with `refs/`, so git cannot mistake it for an option.

    Args:
        ref: The text, such as `refs/pull/7/head`. Bytes that are not UTF-8 are surrogates, as git's output is decoded.
    """
    if not ref.startswith(_REF_PREFIX):
        return "it does not begin with 'refs/'"
    try:
        ref.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return "it cannot be encoded"
    return next((fault for pattern, fault in _REF_FAULTS if pattern.search(ref)), "")


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
