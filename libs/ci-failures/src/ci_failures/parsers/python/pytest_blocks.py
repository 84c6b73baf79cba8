"""The block that pytest prints for one failure, below a header such as `____ TestA.test_b[1] ____`."""

import re

from ci_failures.parsers.text_helpers import join_message

PLACE = re.compile(
    r"(?:file )?((?:[A-Za-z]:[\\/])?[\w./\\@+~ -]+\.\w+)(?::|, line )(\d+)(?:: ?|$)",
)
"""The end of a traceback's entry: `test_a.py:12: AssertionError`, `app/a.py:3: in pay`; `file a.py, line 3`."""
FRAME = re.compile(r'[ |+E]*File "([^"]+)", line (\d+)')
"""The entry of a traceback as Python prints it."""
STORY = re.compile(r"(?:ERROR at (?:setup|teardown) of|ERROR collecting) (.+)")
SUBTEST = re.compile(r"([\w.]+(?:\[[^ ]*\])?) [\[(].*[\])]$")
CRASHED = re.compile(r"worker '[^']+' crashed while running '(.+)'$")
PRINTED = re.compile(r"-+ \S.* -+$")
NOT_OURS = ("site-packages", "dist-packages", "/lib/python3", "/lib/python2", "/_pytest/", "<")
SELF = re.compile(r"self = <([\w.]{1,300})\.(\w{1,200}) (?:testMethod=\w|object at 0x)")
"""The argument of a test's method, which the first entry of a traceback prints: it has the module of the test."""
MOST_LINES = 60


class PytestBlock:
    """One block of the section of failures or of errors.

    Args:
        number: The number of the header's line.
        title: The text of the header.
    """

    def __init__(self, number: int, title: str) -> None:
        told = STORY.match(title)
        self.number = number
        self.title = told[1] if told else title
        self.collecting = title.startswith("ERROR collecting ")
        self.printing = False
        self.taken = False
        self.module = ""
        """The module of the test's class, dotted; empty where the block does not show it."""
        self.places: list[tuple[str, int]] = []
        self._errors: list[str] = []
        self._texts: list[str] = []
        self._within = False
        self._python = False

    @property
    def name(self) -> str:
        """The name of the test within its file; of a subtest, the name of its test."""
        sub = SUBTEST.match(self.title)
        return sub[1] if sub else self.title

    @property
    def crashed(self) -> str:
        """The whole name of the test that killed a worker of xdist; empty if none did."""
        found = CRASHED.match(self._texts[0]) if self._texts else None
        return found[1] if found else ""

    def read(self, text: str) -> None:
        """Read a line of the block; captured output is not part of the failure."""
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
        if not self.module and text.startswith("self = <") and (found := SELF.match(text)):
            classes = self.title.split(".")
            own = f"{found[1]}.{found[2]}" if found[2] in classes else ""
            self.module = own.removesuffix("." + ".".join(classes[: classes.index(found[2]) + 1])) if own else ""
        if text.startswith("Traceback (most recent"):
            self._python = True
        elif len(self._texts) < MOST_LINES:
            self._texts.append(text)

    def message(self) -> str:
        """Return the last error of the block; if it has none, its text."""
        if self._errors and self._errors[0].lstrip().startswith(
            'File "'
        ):  # the code that cannot be parsed precedes the error
            return join_message([self._errors[-1].strip(), *self._errors[:-1]])
        return join_message(self._errors or self._texts)
