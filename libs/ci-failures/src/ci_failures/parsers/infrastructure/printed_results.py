"""Result files that a tool or a shell printed into a log: JUnit XML, Checkstyle's XML, JSON of test tools and linters.

<testsuites name="vitest tests" tests="3" failures="1">
  …
</testsuites>

They are read as files are. A document that breaks off leaves the log without a total, and its status unknown.
"""

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import ClassVar

from attrs import evolve

from ci_failures.document_starts import LINES, ROOTS, STARTS
from ci_failures.model import MOST_FAILURES, Failure, Line, Parser

LARGEST = 16 << 20
"""Characters at most of one document."""
ROOT = re.compile(rf"(?:<\?xml [^>]{{0,200}}\?>)?\s{{0,20}}<({'|'.join(ROOTS)})[ >/]")
DECLARED = re.compile(r"<\?xml [^>]{0,200}\?>\s{0,20}$")
OBJECTS = (
    *('  "stats": {', '  "config": {', '  "errors": [', '    "version": "', '    "messages": ['),
    *('  "$schema": "http', '  "version": "2.1.0"', '  "runs": [', '  "diagnostics": [', '  "source": {'),
)
"""The first keys of documents whose first line is a brace."""
ARRAYS = ('    "cell": ', '        "type": "', '    "description": "')
"""The first keys of the first object of documents whose first line is a bracket."""
OPENINGS = {**dict.fromkeys(OBJECTS, ("{",)), **dict.fromkeys(ARRAYS, ("[", "{"))}
"""The lines above each of these keys."""
CLOSINGS = {"{": "}", "[": "]"}


class PrintedResults(Parser):
    """Parser of the documents; each failure has the tool that the document shows."""

    tool: ClassVar[str] = "result file"
    wakes: ClassVar[tuple[str, ...]] = (
        *(f"\n{begin}" for begin in STARTS),
        *(f"\n{key}" for key in OPENINGS),
    )
    before: ClassVar[int] = 2

    def __init__(self) -> None:
        self._failures: dict[tuple[str, str], Failure] = {}
        self._counted: int | None = None
        self._cut = False
        self._above: list[str] = []
        self._clear()

    def _clear(self) -> None:
        self._pieces: list[str] = []
        self._size = self._begun = self._last = self._depth = 0
        self._root = ""

    def wants_before(self, text: str) -> bool:
        """Return whether the lines before decide: a brace or a bracket that opens the document."""
        return text.startswith((*OBJECTS, *ARRAYS))

    def look_back(self, lines: Sequence[Line]) -> None:
        """Keep what stands alone in the lines before."""
        self._above = [line.text for line in lines]

    def read(self, line: Line) -> bool:
        """Read a line; those of a document are wanted up to its end."""
        if self._begun and not self._continues(line):
            self._end()
        above, self._above = self._above, []
        if not self._begun and not self._begin(line, above):
            return False
        self._add(line)
        if self._size > LARGEST:
            self._cut = True
            self._clear()
        elif self._is_complete(line.text):
            self._end()
        return bool(self._begun)

    def _begin(self, line: Line, above: Sequence[str]) -> bool:
        """Begin a document, and return whether this line is its first."""
        text = line.text
        if text.startswith(("{", "[{")):
            self._root = "lines" if text.startswith(LINES) else "line"
        elif text.startswith("<") and (found := ROOT.match(text)):
            self._root = found[1]
        elif DECLARED.match(text):
            self._root = "?"
        elif opening := _find_opening(text, above):
            self._root, self._pieces = opening[0], [f"{one}\n" for one in opening]
        else:
            return False
        self._begun = line.number
        return True

    def _continues(self, line: Line) -> bool:
        """Check whether a line belongs to the document: one on a line ends with it, and a declaration needs a root."""
        if self._root in {"line", "lines"}:
            return line.number == self._last or (self._root == "lines" and line.text.startswith("{"))
        if self._root != "?" or not line.text.strip():
            return True
        found = ROOT.match(line.text)
        self._root = found[1] if found else ""
        if not found:
            self._clear()
        return True

    def _add(self, line: Line) -> None:
        """Add a line, or a further part of a long one; behind a document's end may be more."""
        parts = self._last == line.number and self._pieces
        if parts:
            self._pieces[-1] = self._pieces[-1].removesuffix("\n")
        closing = CLOSINGS.get(self._root, "")
        self._pieces.append(closing if closing and line.text.startswith(closing) else f"{line.text}\n")
        self._size += len(line.text)
        self._last = line.number

    def _is_complete(self, text: str) -> bool:
        """Check whether a line ends the document; a suite of JUnit may have others within."""
        if self._root in CLOSINGS:
            return text.startswith(CLOSINGS[self._root])
        if self._root in {"line", "lines", "?"}:
            return False
        if f"<{self._root}" in text or f"</{self._root}>" in text:
            opened, closed = re.findall(rf"<{self._root}(?: [^<>]{{0,4000}})?>", text), text.count(f"</{self._root}>")
            self._depth += sum(not one.endswith("/>") for one in opened) - closed
            return self._depth <= 0 and bool(opened or closed)
        return False

    def _end(self) -> None:
        """Read the document that was collected."""
        if not self._begun:
            return
        from ci_failures.results.files import read_file
        from ci_failures.results.tally import UnreadableFile

        document, begun = "".join(self._pieces).encode(), self._begun
        self._clear()
        try:
            results = read_file("", BytesIO(document))
        except UnreadableFile:
            self._cut = True
            return
        if results is None:
            return
        certain = [one for one in results.failures if not one.flaky]
        self._cut = self._cut or bool(results.gap and results.counted is None)
        self._counted = (self._counted or 0) + (len(certain) if results.counted is None else results.counted)
        for one in results.failures:
            if len(self._failures) < MOST_FAILURES:
                self._failures.setdefault((one.tool, one.name), evolve(one, log_line=begun))

    def finish(self) -> Iterable[Failure]:
        """Return what the documents report."""
        self._end()
        return self._failures.values()

    def total(self) -> int | None:
        """Return how many failures the documents count; None if one of them was not read whole."""
        return None if self._cut else self._counted


def _find_opening(text: str, above: Sequence[str]) -> Sequence[str]:
    """Return the lines that open a document above its first key; empty if they are others."""
    wanted = next((lines for key, lines in OPENINGS.items() if text.startswith(key)), ())
    found = above[len(above) - len(wanted) :] if wanted else ()
    return wanted if found and tuple(map(str.strip, found)) == wanted and found[0] == wanted[0] else ()
