"""Read and decode files."""

import os
import stat
from io import StringIO
from pathlib import Path

from stithy_archdocs.document_models import DocumentProblem


class NotText(Exception):
    """The file is not text, or it is too large."""


class BinaryFile(NotText):
    """The file is not text."""


def open_nonblocking(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, in case a FIFO replaced it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_regular_file(path: Path, most: int) -> bytes:
    """Read a file.

    Raises:
        NotText: It has more than `most` bytes, or is not a regular file: a FIFO may have replaced one meanwhile.
        OSError: It cannot be read.
    """
    with open(path, "rb", opener=open_nonblocking) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotText("not a regular file")
        data = file.read(most + 1)
    if len(data) > most:
        raise NotText(f"the file has more than {most:,} bytes")
    return data


def split_lines(text: str) -> list[str]:
    """Return the lines with their ends, as git has them: only a line feed ends one."""
    return list(StringIO(text, newline="\n"))


def decode_text(data: bytes, path: str) -> tuple[str, list[DocumentProblem]]:
    """Decode a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252; line ends become newlines.

    Raises:
        BinaryFile: The file contains a zero byte.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return normalize_newlines(data.decode("utf-16", errors="replace")), []
    if b"\0" in data:
        raise BinaryFile("the file contains a zero byte and is not text")
    try:
        return normalize_newlines(data.decode("utf-8-sig")), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        said = DocumentProblem(
            rule="encoding", path=path, line=line, message="not UTF-8; decoded as Windows-1252; save the file as UTF-8"
        )
        return normalize_newlines(data.decode("cp1252", errors="replace")), [said]


def normalize_newlines(text: str) -> str:
    """Return a text whose line ends are newlines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
