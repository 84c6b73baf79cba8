"""Cleaning a log: a chunk of bytes at a time, into lines that a person would see (field notes on CI logs, section 1).

Removed are time stamps, colours and other sequences for terminals, NUL, byte order marks and carriage returns. What a
runner or a tool put before every line (`gh run view --log`, act) goes as well. Lines keep their numbers.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 4_096
"""Characters of a line that are looked at."""
UNENDED = 1 << 20
"""Bytes without an end of line that are kept; of such a line the rest is not looked at."""

ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()#][0-9A-Za-z]|[=>78cDEHMNOZ])|\x9b[0-?]*[@-~]"
)
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}(?:Z|[+-]\d\d:\d\d) ?")
JOB_AND_STEP = re.compile(r"^[^\t\n]*\t[^\t\n]*\t(?=\d{4}-\d\d-\d\dT)", re.MULTILINE)
ACT = re.compile(r"^\[[^\]\n]+\] {1,4}\| ?", re.MULTILINE)


class Batch(NamedTuple):
    """Some lines of a log.

    Args:
        texts: What they say.
        numbers: Their numbers, one for one.
    """

    texts: list[str]
    numbers: Sequence[int]


class Cleaner:
    """Cleans one log."""

    def __init__(self) -> None:
        self._rest = b""
        self._number = 0
        self._prefix: re.Pattern[str] | None = None
        self._begun = False

    def feed(self, chunk: bytes) -> Batch:
        """Take bytes, and give the lines that are whole."""
        head, newline, rest = (self._rest + chunk).rpartition(b"\n")
        self._rest = rest if len(rest) <= UNENDED else rest[: 4 * LONGEST]
        return self._batch(head.removesuffix(b"\r")) if newline else Batch([], ())

    def finish(self) -> Batch:
        """Give the last line, if it has no end."""
        rest, self._rest = self._rest, b""
        return self._batch(rest) if rest else Batch([], ())

    def _batch(self, data: bytes) -> Batch:
        text = data.decode("utf-8", "replace")
        if "\x00" in text:
            text = text.replace("\x00", "")
        if "\x1b" in text or "\x9b" in text:
            text = ESCAPES.sub("", text)
        if "\ufeff" in text:  # also in the midst of a log, where pages of it were joined
            text = text.replace("\ufeff", "")
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        lines = self._unprefixed(text).split("\n")
        texts = [
            line if line[4:11:6] != "-T" else line[29:] if line[27:29] == "Z " else _unstamped(line) for line in lines
        ]  # most stamps have 29 characters, and to slice them off takes a third of the time of a match
        numbers: Sequence[int] = range(self._number + 1, self._number + 1 + len(texts))
        self._number += len(texts)
        if "\r" in text:
            texts, numbers = _parted(texts, numbers)
        if max(map(len, texts)) > LONGEST:
            texts = [line[:LONGEST] for line in texts]
        return Batch(texts, numbers)

    def _unprefixed(self, text: str) -> str:
        """Take away what stands before every line; the first line tells whether anything does."""
        if not self._begun:
            self._begun = True
            self._prefix = next((form for form in (JOB_AND_STEP, ACT) if form.match(text)), None)
        return self._prefix.sub("", text) if self._prefix else text


def _unstamped(line: str) -> str:
    """Take the stamp of a runner from the beginning of a line."""
    found = STAMP.match(line)
    return line[found.end() :] if found else line


def _parted(texts: Sequence[str], numbers: Sequence[int]) -> tuple[list[str], list[int]]:
    """Part lines at bare carriage returns: what was written over was seen once, too."""
    pairs = [(part, number) for line, number in zip(texts, numbers, strict=True) for part in (line.split("\r") or [""])]
    return [text for text, _ in pairs], [number for _, number in pairs]
