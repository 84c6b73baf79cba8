"""Cleaning a log: a chunk of bytes at a time, into lines that a person would see (field notes on CI logs, section 1).

Removed are time stamps, colours and other sequences for terminals, NUL, byte order marks and carriage returns. What a
runner put before every line (`gh run view --log`, act) goes as well. Lines keep their numbers.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 4_096
"""Characters of a line that are looked at."""
UNENDED = 1 << 20
"""Bytes without an end of line that are kept; of such a line the rest is not looked at."""

COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""Mostly there are no others, and what begins with a literal is found four times as fast."""
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()#][0-9A-Za-z]|[=>78cDEHMNOZ])|\x9b[0-?]*[@-~]"
)
SHOWN = re.compile(r"\^\[\[[0-9;]*m")
"""A colour as `gh` writes it in the logs that it saves: with two characters in the place of escape."""
HIDDEN = re.compile(r"\x1b\[8mha:[^\x1b\n]*\x1b\[0m")
"""What Jenkins keeps in its logs for itself."""
ENDS = re.compile(r"(?<!\r)\r+\n")
"""A line's end with several carriage returns, as terminals within terminals write it."""
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
        self._rest = bytearray()
        self._number = 0
        self._prefix: re.Pattern[str] | None = None
        self._begun = False

    def feed(self, chunk: bytes) -> Batch:
        """Take bytes, and give the lines that are whole."""
        head, newline, rest = chunk.rpartition(b"\n")
        if not newline:
            self._rest += rest
            if len(self._rest) > UNENDED:
                del self._rest[4 * LONGEST :]
            return Batch([], ())
        data, self._rest = self._rest + head, bytearray(rest)
        return self._batch(data, ended=True)

    def finish(self) -> Batch:
        """Give the last line, if it has no end."""
        rest, self._rest = self._rest, bytearray()
        return self._batch(rest, ended=False) if rest else Batch([], ())

    def _batch(self, data: bytearray, *, ended: bool) -> Batch:
        text = data.decode("utf-8", "replace")
        if "\x00" in text:
            text = text.replace("\x00", "")
        if "\x1b[8mha:" in text:
            text = HIDDEN.sub("", text)
        if "^[[" in text:
            text = SHOWN.sub("", text)
        if "\x1b" in text or "\x9b" in text:
            only_colours = "\x9b" not in text and text.count("\x1b") == text.count("\x1b[")
            text = (COLOURS if only_colours else ESCAPES).sub("", text)
        if "\ufeff" in text:  # also in the midst of a log, where pages of it were joined
            text = text.replace("\ufeff", "")
        if "\r" in text:
            text = text.replace("\r\n", "\n")
            if "\r\n" in text:
                text = ENDS.sub("\n", text)
            text = text.rstrip("\r") if ended else text
        lines = self._unprefixed(text).split("\n")
        texts = [
            line[29:]
            if line[27:29] == "Z " and line[4:11:6] == "-T"
            else _without(STAMP, line)
            if line[10:11] == "T"
            else line
            for line in lines
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


def _without(prefix: re.Pattern[str], line: str) -> str:
    """Take what a runner put there from the beginning of a line."""
    found = prefix.match(line)
    return line[found.end() :] if found else line


def _parted(texts: Sequence[str], numbers: Sequence[int]) -> tuple[list[str], list[int]]:
    """Part lines at bare carriage returns: what was written over was seen once, too."""
    parts: list[str] = []
    of: list[int] = []
    begin = 0
    for index in [index for index, line in enumerate(texts) if "\r" in line]:
        written = texts[index].split("\r")
        parts += [*texts[begin:index], *written]
        of += [*numbers[begin:index], *([numbers[index]] * len(written))]
        begin = index + 1
    return [*parts, *texts[begin:]], [*of, *numbers[begin:]]
