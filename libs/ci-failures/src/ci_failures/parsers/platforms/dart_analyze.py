r"""`dart analyze` and `flutter analyze`: one issue on each line, between `Analyzing …` and the total.

      error - lib/cart.dart:3:10 - Undefined name 'x'. - undefined_identifier
      error • Undefined name 'x' • lib/cart.dart:3:10 • undefined_identifier
      error - Undefined name 'x' - lib\cart.dart:3:10 - undefined_identifier

Whether warnings and infos fail a run is an option: if there are errors, only these are reported. Without an option,
infos fail only `flutter analyze`: beside warnings, `dart analyze` prints them for information.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative

PLACE = r"(?P<file>\S{1,400}\.\w{1,10}):(?P<line>\d{1,7}):(?P<column>\d{1,7})"
RULE = r"(?P<rule>[A-Za-z]\w{2,100})"
DART = re.compile(rf"^ *(?P<kind>error|warning|info) - {PLACE} - (?P<text>.{{1,1000}}) - {RULE}$")
PLAIN = re.compile(rf"^ *(?P<kind>error|warning|info) - (?P<text>.{{1,1000}}) - {PLACE} - {RULE}$")
FLUTTER = re.compile(rf"^ *(?P<kind>error|warning|info) • (?P<text>.{{1,1000}}) • {PLACE} • {RULE}$")
FLUTTERS = "info of flutter"
"""The kind of an info that fails a run."""


class DartAnalyze(Parser):
    """Parser of issues, each once."""

    tool: ClassVar[str] = "dart-analyze"
    wakes: ClassVar[tuple[str, ...]] = ("error - ", "warning - ", "info - ", "error • ", "warning • ", "info • ")

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, Failure]] = {}

    def read(self, line: Line) -> bool:
        """Read a line with an issue."""
        text = line.text.rstrip()
        found = DART.match(text) or FLUTTER.match(text) or PLAIN.match(text)
        if found and len(self._found) < MOST_FAILURES:
            file = relative(found["file"])
            name = f"{found['rule']} {file}:{found['line']}:{found['column']}"
            one = Failure(
                tool=self.tool, kind="lint", name=name, message=found["text"], file=file, line=int(found["line"]),
                selector=file, log_line=line.number,
            )  # fmt: skip
            kind = FLUTTERS if found["kind"] == "info" and FLUTTER.match(text) else found["kind"]
            self._found.setdefault(name, (kind, one))
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors, or otherwise the other issues, of which infos count least."""
        for kinds in ({"error"}, {"warning", FLUTTERS}):
            if found := [one for kind, one in self._found.values() if kind in kinds]:
                return found
        return [one for _, one in self._found.values()]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that analyses these files again."""
        return command("dart", "analyze", *each_once(one.selector for one in failures))
