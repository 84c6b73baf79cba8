"""A diff as git writes it, cut into its files (git-diff(1), "Generating patch text with -p")."""

import re
from itertools import pairwise

from stithy_core.spi import Maybe, Unknown

BINARY = Unknown("the file is binary", "Read the file itself.")

_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_HUNKS = re.compile(rb"^@@ ", re.MULTILINE)
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_SIDE = len("a/")


def split_patches(diff: bytes, *, whole: bool = True) -> dict[str, Maybe[str]]:
    """Return the hunks of each file by path, the new one for a renamed file; unknown for a binary file.

    Bytes that are no UTF-8 become U+FFFD. A line of a hunk never begins as a section does, so nothing that a stranger
    wrote into a file can pass for another one.

    Args:
        diff: The text.
        whole: Whether nothing was cut off its end; the last file is left out otherwise.
    """
    edges = [*(found.start() for found in _SECTION.finditer(diff)), len(diff)]
    sections = [diff[start:end] for start, end in pairwise(edges)]
    found: dict[str, Maybe[str]] = {}
    for section in sections if whole else sections[:-1]:
        path, patch = _file(section)
        earlier = found.get(path)
        # A file that becomes a link has two sections: one that deletes it, one that adds it.
        found[path] = f"{earlier}\n{patch}" if isinstance(earlier, str) and isinstance(patch, str) else patch
    return found


def unquote_path(name: bytes) -> str:
    """Read a name as git writes it: between double quotes with C's escapes, where it holds unusual characters."""
    if name.startswith(b'"'):
        name = _ESCAPE.sub(_character, name[1:].removesuffix(b'"'))
    return name.decode(errors="replace")


def _character(escape: re.Match[bytes]) -> bytes:
    code = escape[1]
    return bytes([int(code, 8) & 0xFF]) if code.isdigit() else _LETTERS.get(code, code)


def _file(section: bytes) -> tuple[str, Maybe[str]]:
    hunks = _HUNKS.search(section)
    head = (section[: hunks.start()] if hunks else section).split(b"\n")
    if any(line.startswith((b"Binary files ", b"GIT binary patch")) for line in head):
        return _path(head), BINARY
    return _path(head), section[hunks.start() :].decode(errors="replace").removesuffix("\n") if hunks else ""


def _path(head: list[bytes]) -> str:
    """Find the path where it stands alone, since the first line does not say where a path with spaces ends."""
    said = dict(_named(line) for line in head)
    for word in (b"rename to ", b"copy to "):
        if word in said:
            return unquote_path(said[word])
    for word in (b"+++ ", b"--- "):
        if (name := said.get(word, b"/dev/null")) != b"/dev/null":
            return unquote_path(name.removesuffix(b"\t"))[_SIDE:]  # a tab follows a name with spaces
    both = head[0].removeprefix(b"diff --git ")  # the same name twice, with a space between
    return unquote_path(both[: (len(both) - 1) // 2])[_SIDE:]


def _named(line: bytes) -> tuple[bytes, bytes]:
    for word in (b"rename to ", b"copy to ", b"+++ ", b"--- "):
        if line.startswith(word):
            return word, line.removeprefix(word)
    return b"", line
