"""What pytest prints of one failure, under a header such as `____ TestA.test_b[1] ____`."""

import re

from ci_failures.parsers.common import cut

PLACE = re.compile(
    r"(?:file )?((?:[A-Za-z]:[\\/])?[\w./\\@+~ -]+\.\w+)(?::|, line )(\d+)(?:: ?|$)",
)
"""Where an entry of a traceback ends: `test_a.py:12: AssertionError`, `app/a.py:3: in pay`; `file a.py, line 3`."""
FRAME = re.compile(r'[ |+E]*File "([^"]+)", line (\d+)')
"""An entry of a traceback as Python writes it."""
STORY = re.compile(r"(?:ERROR at (?:setup|teardown) of|ERROR collecting) (.+)")
SUBTEST = re.compile(r"([\w.]+(?:\[[^ ]*\])?) [\[(].*[\])]$")
CRASHED = re.compile(r"worker '[^']+' crashed while running '(.+)'$")
PRINTED = re.compile(r"-+ \S.* -+$")
NOT_OURS = ("site-packages", "dist-packages", "/lib/python3", "/lib/python2", "/_pytest/", "<")
MOST_LINES = 60


class Block:
    """One failure as a section of failures or errors tells it.

    Args:
        number: The number of the line that its header is on.
        title: What the header says.
    """

    def __init__(self, number: int, title: str) -> None:
        told = STORY.match(title)
        self.number = number
        self.title = told[1] if told else title
        self.collecting = title.startswith("ERROR collecting ")
        self.printing = False
        self.taken = False
        self.places: list[tuple[str, int]] = []
        self._errors: list[str] = []
        self._texts: list[str] = []
        self._within = False
        self._python = False

    @property
    def name(self) -> str:
        """What pytest calls the test within its file; the test itself for one of its subtests."""
        sub = SUBTEST.match(self.title)
        return sub[1] if sub else self.title

    @property
    def crashed(self) -> str:
        """The whole name of the test that a worker of xdist died with; empty if none did."""
        found = CRASHED.match(self._texts[0]) if self._texts else None
        return found[1] if found else ""

    def read(self, text: str) -> None:
        """Take a line of the block; what the test printed is nobody's failure."""
        if self.printing:
            return
        first = text[:1]
        error = first == "E" and (text[1:4] == "   " or text == "E")
        if error:
            self._error(text[1:])
        elif first == "-" and PRINTED.match(text):
            self.printing = True
        elif first not in {"", ">", "_", " "} and not text.startswith("[gw") and not self._entry(text):
            self._text(text)
        if error or (first == " " and self._python):
            self._frame(text)
        self._within = error

    def _error(self, text: str) -> None:
        if not self._within:
            self._errors.clear()
        if len(self._errors) < MOST_LINES:
            self._errors.append(text)

    def _entry(self, text: str) -> bool:
        return not self._python and (":" in text or ", line " in text) and self._place(PLACE.match(text))

    def _place(self, found: re.Match[str] | None) -> bool:
        if found and not any(mark in found[1] for mark in NOT_OURS):
            self.places = [*self.places[:1], (found[1], int(found[2]))]
        return found is not None

    def _frame(self, text: str) -> None:
        if 'File "' in text and (found := FRAME.match(text)):
            self._place(found)
            self._texts.clear()

    def _text(self, text: str) -> None:
        if text.startswith("Traceback (most recent"):
            self._python = True
        elif len(self._texts) < MOST_LINES:
            self._texts.append(text)

    def message(self) -> str:
        """Give the last error of the block; for want of one what stands in it."""
        if self._errors and self._errors[0].lstrip().startswith('File "'):  # what cannot be parsed stands before why
            return cut([self._errors[-1].strip(), *self._errors[:-1]])
        return cut(self._errors or self._texts)
