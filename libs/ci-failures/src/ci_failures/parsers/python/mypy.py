"""mypy's output, plain, pretty or JSON: one line for each error."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Confidence, Failure, Line, Parser
from ci_failures.parsers.python.findings import again
from ci_failures.parsers.text_helpers import relative

ERROR = re.compile(r"((?:[A-Za-z]:\\)?[^\s:\"'|=][^:\"'|=]*\.pyi?):(\d+)(?::(\d+))?(?::\d+:\d+)?: error: (.*)$")
CODE = re.compile(r"(.*)\[([a-z][a-z0-9-]*)\]$")
UNPLACED = re.compile(r"([^\s:\"'|=][^:\"'|=]*\.pyi?): error: (.*)$")
"""An error of a whole file, after which mypy checks nothing."""
COUNT = re.compile(r"Found (\d+) errors? in \d+ files? \((?:checked \d+ source|errors prevented)")
JSON = '"severity": "error"'
WRAPPED = 6
"""Lines at most of a message that is wrapped to the width of a terminal."""


class Mypy(Parser):
    """Parser of mypy's errors; pretty output wraps messages, and shows the source below."""

    tool = "mypy"
    wakes = (": error: ", JSON, " source file", "errors prevented further checking")
    first_line: ClassVar[str] = r".*\.pyi?:[\d:]* error: |\{|Found \d"

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._open: re.Match[str] | None = None
        self._texts: list[str] = []
        self._number = 0
        self._told = 0
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line."""
        text = line.text
        found = ERROR.match(text) if ": error: " in text else None
        if text.startswith("{") and JSON in text:
            self._json(text, line.number)
        elif found:
            self._end()
            self._open, self._texts, self._number = found, [found[4]], line.number
        elif ": error: " in text and (whole := UNPLACED.match(text)):
            self._end()
            self._keep("error", (relative(whole[1]), 0, None), whole[2], line.number)
        elif self._open and not text.startswith(" ") and ": note: " not in text and not COUNT.match(text):
            self._texts.append(text)
        else:
            self._end()
        if self._open and (len(self._texts) > WRAPPED or CODE.match(self._texts[-1])):
            self._end()
        if count := COUNT.match(text):
            self._counted = (self._counted or 0) + int(count[1])
        return self._open is not None

    def _json(self, text: str, number: int) -> None:
        """Parse an error of --output=json, which counts columns from 0; a line that was cut is ignored."""
        try:
            told = json.loads(text)
            file, line, column = relative(str(told["file"])), int(told["line"]), int(told["column"]) + 1
            code, said = str(told.get("code") or "error"), str(told["message"])
        except (ValueError, KeyError, TypeError):
            return
        self._keep(code, (file, line, str(column)), said, number)

    def _end(self) -> None:
        """Record the open error; what follows an error without a code does not belong to it."""
        if not self._open:
            return
        coded = CODE.match(" ".join(self._texts))
        text, code = (coded[1].rstrip(), coded[2]) if coded else (self._texts[0], "error")
        self._keep(code, (relative(self._open[1]), int(self._open[2]), self._open[3]), text, self._number)
        self._open = None

    def _keep(self, code: str, place: tuple[str, int, str | None], text: str, number: int) -> None:
        file, line, column = place
        name = ":".join(str(part) for part in (f"{code} {file}", line, column) if part)
        self._told += 1
        if len(self._found) < MOST_FAILURES:
            failure = Failure(
                tool=self.tool,
                kind="compile" if code == "syntax" or not line else "lint",
                name=name,
                message=text[:MOST_TEXT],
                file=file,
                line=line or None,
                selector=file,
                log_line=number,
                confidence="medium",
            )
            self._found.setdefault(name, failure)

    def finish(self) -> Iterable[Failure]:
        """Return the errors, each once."""
        self._end()
        sure: Confidence = "high" if self._told == self._counted else "medium"
        told = (one for one in self._found.values() if self._counted is not None or not one.name.startswith("error "))
        return [
            evolve(one, confidence=sure) for one in told
        ]  # without a code and a total, any tool may have printed it

    def total(self) -> int | None:
        """Return how many errors mypy counts, those of one place and code as one; call it after `finish`."""
        return None if self._counted is None else self._counted - (self._told - len(self._found))

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command that checks the same files again."""
        return again(("mypy",), failures)
