"""Mocha's reporter `json-stream`: an event on each line.

["start",{"total":17}]
["fail",{"title":"rejects","fullTitle":"Auth rejects","file":"/home/…/a.js","err":"…","stack":"…"}]
["end",{"suites":2,"tests":17,"passes":16,"pending":0,"failures":1,…}]
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from ci_failures.model import Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.mocha import HOOK, Mocha
from ci_failures.parsers.javascript.patterns import escape_pattern
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import join_message, relative

FAIL, END = '["fail",{"title":', '["end",{"suites":'
FIELD = re.compile(r'"(title|fullTitle|file)":("(?:[^"\\]|\\.)*")')
"""A field of an event, which may be longer than the part of a line that is read."""


class MochaStream(Parser):
    """Parser of Mocha's events."""

    tool: ClassVar[str] = "mocha"
    wakes: ClassVar[tuple[str, ...]] = (FAIL, END)
    first_line: ClassVar[str] = r'\["(?:fail|end)",\{'

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read an event; the lines between are output of tests."""
        if line.text.startswith(FAIL):
            fields = _fields(line.text)
            if isinstance(fields.get("fullTitle"), str):
                self._failed.add(_failure(fields, line.number))
        elif line.text.startswith(END):
            count = _fields(line.text).get("failures")
            self._counted = (self._counted or 0) + (count if isinstance(count, int) else 0)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return what failed."""
        return self._failed.with_confidence(self._counted)

    def total(self) -> int | None:
        """Return the total in the last event."""
        return self._failed.adjust_total(self._counted)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that Mocha's list has."""
        return Mocha.rerun(failures)


def _fields(text: str) -> dict[str, Any]:
    """Return the fields of an event; of one that was cut, those at its beginning."""
    try:
        _, fields = json.loads(text)
    except (ValueError, RecursionError):
        return {name: json.loads(value, strict=False) for name, value in FIELD.findall(text)}
    return fields if isinstance(fields, dict) else {}


def _failure(fields: dict[str, Any], number: int) -> Failure:
    name, path = fields["fullTitle"], relative(str(fields.get("file") or ""))
    path = "" if path.startswith("/") else path
    stack = str(fields.get("stack") or "").split("\n")
    file, line = next((place for text in stack if (place := frame(text))), (path, None))
    hook = HOOK.search(name)
    titles = escape_pattern(name[: hook.start()]) if hook else f"{escape_pattern(name)}$"
    return Failure(
        tool="mocha",
        name=name,
        message=join_message(str(fields.get("err") or "").split("\n")),
        file=file,
        line=line,
        selector=f"{path}\n{titles}" if path else titles,
        log_line=number,
    )
