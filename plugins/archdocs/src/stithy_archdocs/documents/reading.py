"""From bytes to text."""

from stithy_archdocs.records import Problem


class NoText(Exception):
    """A file holds no text, or too much of it."""


def decode(data: bytes, path: str) -> tuple[str, list[Problem]]:
    """Read a file's bytes: UTF-8 or, where a mark says so, UTF-16; line ends become newlines.

    Raises:
        NoText: There is a zero byte in it.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _lines(data.decode("utf-16", errors="replace")), []
    if b"\0" in data:
        raise NoText("a zero byte: it is no text")
    try:
        return _lines(data.decode("utf-8-sig")), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = Problem(rule="encoding", path=path, line=line, message="it is not UTF-8; it was read as Windows-1252")
        return _lines(data.decode("cp1252", errors="replace")), [said]


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
