"""What a packed file holds: gzip, bzip2, xz and Zstandard, unpacked as it is read and bounded against bombs."""

import zlib
from collections.abc import Callable
from importlib import import_module
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, cast

from ci_failures.results.tally import UnreadableFile

MODULES = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"\x28\xb5\x2f\xfd": "zstd"}
"""The beginnings of packed files, and the modules that unpack them."""
DAMAGED = (OSError, EOFError, zlib.error, ValueError)
"""Exceptions of a damaged file while it is unpacked; `lzma` and `zstd` have their own."""
MOST_BYTES = 512 << 20
"""Unpacked bytes up to which any ratio is accepted."""
MOST_RATIO = 200
"""Unpacked bytes for each packed byte of a larger file; bombs have thousands."""
WINDOW = 27
"""The logarithm of the bytes that a Zstandard file may refer back to: 128 MiB, as its own program accepts."""
PEEKED = 1 << 16


def unpack(raw: BufferedReader, start: bytes) -> BufferedReader:
    """Return what a packed file holds, and any other file as it is.

    Reading from it raises one of DAMAGED if the file is damaged, and UnreadableFile if it unpacks to too much.

    Args:
        raw: The bytes of the file.
        start: The first ones.
    """
    module = next((module for magic, module in MODULES.items() if start.startswith(magic)), "")
    return BufferedReader(_Unpacked(raw, _opener(module)), PEEKED) if module else raw


def _opener(module: str) -> Callable[[BinaryIO], BinaryIO]:
    """Return the function that opens files of a format; the modules take longer to import than most logs to read."""
    if module != "zstd":
        return cast("Callable[[BinaryIO], BinaryIO]", import_module(module).open)
    try:
        zstd = import_module("compression.zstd")
    except ModuleNotFoundError:  # before Python 3.14, or one that was built without it
        zstd = import_module("backports.zstd")
    limit = {zstd.DecompressionParameter.window_log_max: WINDOW}
    return lambda raw: cast("BinaryIO", zstd.open(raw, options=limit))


class _CountedReader:
    """The bytes of a packed file, which are counted as they are read."""

    def __init__(self, raw: BufferedReader) -> None:
        self._raw = raw
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        self.count += len(data)
        return data


class _Unpacked(RawIOBase):
    """The bytes that a packed file holds."""

    def __init__(self, raw: BufferedReader, opener: Callable[[BinaryIO], BinaryIO]) -> None:
        self._packed = _CountedReader(raw)
        self._raw = opener(cast("BinaryIO", self._packed))
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # the stubs of typeshed use types that are private
        try:
            data = self._raw.read(len(buffer))
        except DAMAGED:
            raise
        except Exception as error:  # lzma.LZMAError and ZstdError, whose modules are not imported for other files
            raise OSError(str(error)) from error
        self._count += len(data)
        if self._count > max(MOST_BYTES, MOST_RATIO * self._packed.count):
            raise UnreadableFile(f"it unpacks to more than {MOST_BYTES:,} bytes, and to {MOST_RATIO} times its size")
        buffer[: len(data)] = data
        return len(data)
