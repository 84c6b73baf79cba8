"""Repair UTF-8 that a console read in a code page of its own, as PowerShell does: `ÔÄ»` and `â¯` were `⎯`.

A code page counts if the signs of its lead bytes are there, and nearly all runs of characters beyond ASCII become
UTF-8 through it. Other texts do not: a single `é` of a code page is no UTF-8.
"""

import re
from collections.abc import Mapping

RUNS = re.compile("[\x80-\uffff]+")
MOST_RUNS = 2_000
"""Runs by which a code page is recognized."""
MOSTLY = 4
"""How many runs become UTF-8 for each that does not, at least."""
LEADS = (0xE2, 0xEF)
"""Lead bytes of what tools print: lines, arrows, marks; and of the byte order mark."""
CODE_PAGES = ("cp437", "cp850", "cp1252", "cp866", "cp1251")


def _decode(byte: int, code_page: str) -> str:
    try:
        return bytes([byte]).decode(code_page)
    except UnicodeDecodeError:
        return chr(byte)  # as Windows does


def _read_back(code_page: str) -> Mapping[int, int]:
    """Return the byte of each character of a code page beyond ASCII."""
    return {ord(_decode(byte, code_page)): byte for byte in range(0x80, 0x100)}


SIGNS = {page: tuple(_decode(lead, page).encode() for lead in LEADS) for page in CODE_PAGES}


class MojibakeRepair:
    """Repair of one log, whose code page is recognized in the first lines that show it."""

    def __init__(self) -> None:
        self._bytes: Mapping[int, int] | None = None

    def repair(self, data: bytes) -> bytes:
        """Return complete lines as they were before they were read in a wrong code page."""
        if data.isascii():
            return data
        if self._bytes is None and not self._recognize(data):
            return data
        return RUNS.sub(lambda run: self._repair_run(run[0]) or run[0], data.decode("utf-8", "replace")).encode()

    def _recognize(self, data: bytes) -> bool:
        candidates = [page for page, signs in SIGNS.items() if any(sign in data for sign in signs)]
        if not candidates:
            return False
        runs = RUNS.findall(data.decode("utf-8", "replace"))[:MOST_RUNS]
        for page in candidates:
            self._bytes = _read_back(page)
            repaired = sum(bool(self._repair_run(run)) for run in runs)
            if repaired > MOSTLY * (len(runs) - repaired):
                return True
        self._bytes = None
        return False

    def _repair_run(self, run: str) -> str:
        """Return a run as it was; empty if it is no UTF-8 in the code page."""
        assert self._bytes is not None
        try:
            return bytes(self._bytes[ord(character)] for character in run).decode()
        except (KeyError, UnicodeDecodeError):
            return ""
