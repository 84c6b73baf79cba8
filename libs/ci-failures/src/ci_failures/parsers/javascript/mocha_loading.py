"""Files that Mocha before 11 could not load: it prints only the error, whose stack ends in its loader.

/home/runner/work/app/app/test/a.spec.js:3
…
Error: Cannot find module './gone'
Require stack:
- /home/runner/work/app/app/test/a.spec.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/home/runner/work/app/app/test/a.spec.js:1:1)
    at exports.requireOrImport (/home/runner/work/app/app/node_modules/mocha/lib/nodejs/esm-utils.js:53:16)
"""

import re
from collections import deque
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.javascript.stacks import frame, inside
from ci_failures.parsers.text_helpers import relative

RAISED = re.compile(r"(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: .+)$")
PLACE = re.compile(r"(?:file://)?(/\S{1,500}):(\d{1,7})$")
REQUIRED = re.compile(r"- (/\S{1,500})$")
COMPILED = "TSError: "
"""tsc's parser reports such an error in more detail."""
BACK = 40


class MochaLoading(Parser):
    """Parser that reads the stack upwards, from Mocha's loader to the error."""

    tool: ClassVar[str] = "mocha"
    wakes: ClassVar[tuple[str, ...]] = ("requireOrImport (", "loadFilesAsync (", "Mocha.loadFiles (")
    before: ClassVar[int] = BACK

    def __init__(self) -> None:
        self._recent: deque[Line] = deque(maxlen=BACK)
        self._found: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line; the error precedes Mocha's loader."""
        if line.text.lstrip().startswith("at ") and any(loader in line.text for loader in self.wakes):
            self._unread()
            self._recent.clear()
        else:
            self._recent.append(line)
        return False

    def _unread(self) -> None:
        lines = list(self._recent)
        told = [at for at, line in enumerate(lines) if RAISED.match(line.text)]
        if not told or lines[told[-1]].text.startswith(COMPILED) or "Exception during run" in lines[told[-1]].text:
            return
        at = told[-1]
        found = RAISED.match(lines[at].text)
        file, number = _place([line.text for line in lines[:at]], [line.text for line in lines[at:]])
        if found and file:
            failure = Failure(
                tool="mocha",
                kind="compile",
                name=file,
                message=found[1],
                file=file,
                line=number,
                log_line=lines[at].number,
            )
            self._found.setdefault(file, failure)

    def finish(self) -> Iterable[Failure]:
        """Return the files."""
        return list(self._found.values())


def _place(above: list[str], below: list[str]) -> tuple[str, int | None]:
    """Return the place: from the stack, otherwise where the parser stopped, otherwise the requiring module."""
    places = [place for text in below if (place := frame(text))]
    stopped = [inside(found[1], int(found[2])) for text in above if (found := PLACE.match(text))]
    asked = [relative(found[1]) for text in below if (found := REQUIRED.match(text))]
    first = next(iter([*places, *(place for place in stopped[-1:] if place)]), None)
    return first or (next(iter(asked), ""), None)
