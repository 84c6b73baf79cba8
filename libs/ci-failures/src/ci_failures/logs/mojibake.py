"""Repair UTF-8 that a console read in a code page of its own, as PowerShell does: `ÔÄ»` and `â¯` were `⎯`.

A code page counts if nearly all runs of characters beyond ASCII become UTF-8 through it. Other texts do not: a single
`é` of a code page is not UTF-8.
"""

import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

RUNS = re.compile("[\x80-\uffff]+")
ASCII_AS_BLANKS = bytes.maketrans(bytes(range(0x80)), b" " * 0x80)
"""Splits bytes into runs beyond ASCII in a fifth of the time of a pattern."""
LEAST = 4
"""Bytes of the shortest run that may be repaired: two characters of a code page; most signs that tools print have 3."""
MOST_RUNS = 100
"""Runs of a portion of a log by which a code page is recognized: to look at all would take as long as to read them."""
SAMPLE = 32 * 1024
"""Bytes of a portion that are searched for runs."""
MOST_WINDOWS = 8
"""Portions with characters beyond ASCII by which it is recognized."""
MOSTLY = 4
"""How many runs become UTF-8 for each that does not, at least."""
LEADS = range(0xC2, 0xF5)
"""The bytes with which a character of UTF-8 beyond ASCII begins."""
CODE_PAGES = ("cp437", "cp850", "cp1252", "cp866", "cp1251")


def _decode(byte: int, code_page: str) -> str:
    try:
        return bytes([byte]).decode(code_page)
    except UnicodeDecodeError:
        return chr(byte)  # as Windows does


@cache
def _read_back(code_page: str) -> Mapping[str, int]:
    """Return the byte of each character of a code page beyond ASCII."""
    return {_decode(byte, code_page): byte for byte in range(0x80, 0x100)}


def _are_most(count: int, runs: int) -> bool:
    """Check whether a number of runs is enough to recognize a code page."""
    return count > MOSTLY * (runs - count)


class MojibakeRepair:
    """Repair of one log, whose code page is recognized in the first lines that show it."""

    def __init__(self) -> None:
        self._bytes: Mapping[str, int] | None = None
        self._windows = MOST_WINDOWS

    def repair(self, data: bytes) -> bytes:
        """Return complete lines as they were before they were read in a wrong code page."""
        if (self._bytes is None and not self._windows) or data.isascii():
            return data
        if self._bytes is None and not self._recognize(data):
            return data
        return RUNS.sub(lambda run: self._repair_run(run[0]) or run[0], data.decode("utf-8", "replace")).encode()

    def _recognize(self, data: bytes) -> bool:
        found = data[:SAMPLE].translate(ASCII_AS_BLANKS).split(maxsplit=MOST_RUNS)[:MOST_RUNS]
        runs = [run for run in found if run != BOM_UTF8]  # which was written after what precedes it was misread
        self._windows = self._windows - 1 if len(runs) < MOST_RUNS else 0
        if not _are_most(sum(len(run) >= LEAST for run in runs), len(runs)):
            return False
        texts = [(run.decode("utf-8", "replace"), times) for run, times in Counter(runs).items()]
        best = max(CODE_PAGES, key=lambda page: self._count_repaired(page, texts, len(runs)))
        is_recognized = _are_most(self._count_repaired(best, texts, len(runs)), len(runs))
        self._bytes = _read_back(best) if is_recognized else None
        return is_recognized

    def _count_repaired(self, page: str, texts: Sequence[tuple[str, int]], count: int) -> int:
        """Return how many runs become UTF-8 through a code page, the frequent ones through several; 0 for few."""
        self._bytes = _read_back(page)
        begins = sum(times for text, times in texts if self._bytes.get(text[0], 0) in LEADS)
        if not _are_most(begins, count):
            return 0
        return sum(times for text, times in texts if self._repair_run(text))

    def _repair_run(self, run: str) -> str:
        """Return a run as it was; empty if it is not UTF-8 in the code page."""
        assert self._bytes is not None
        try:
            return bytes(map(self._bytes.__getitem__, run)).decode()
        except (KeyError, UnicodeDecodeError):
            return ""
