"""Errors that a tool prints as commands of a workflow, where no parser reads what it found.

::error file=src/a.ts,line=3,col=7,title=lint/style::Use const.

##vso[task.logissue type=error;sourcepath=src/a.py;linenumber=3;columnnumber=7;code=F401;]`os` imported but unused

GitHub and Azure replace their own in their logs; Gitea, Forgejo and act keep GitHub's as they are.
"""

import re
from collections.abc import Mapping
from typing import ClassVar

from ci_failures.model import Line
from ci_failures.parsers.scripting.linting import Linter
from ci_failures.parsers.text_helpers import parse_number

COMMAND = re.compile(r"::error (?P<properties>(?=[^:]*\bfile=).{1,1000}?)::(?P<text>.*)$")
PROPERTY = re.compile(r"(\w{1,20})=([^,]*)(?:,|$)")
AZURE = re.compile(r"##vso\[task\.logissue (?P<properties>(?=[^\]]*\bsourcepath=)[^\]]{1,1000})\](?P<text>.*)$")
OF_AZURE = re.compile(r"(\w{1,20})=([^;]*)(?:;|$)")
ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
LAST_LINE = 1 << 60


class WorkflowCommands(Linter):
    """Parser of the commands; they count only in a log from which nothing else was read."""

    tool: ClassVar[str] = "annotation"
    wakes: ClassVar[tuple[str, ...]] = ("\n::error ", "\n##vso[task.logissue ")

    def read(self, line: Line) -> bool:
        """Read a command that has a file and a line."""
        if line.text[:1] == "#":
            return self._read_azure(line)
        if not (found := COMMAND.match(line.text)):
            return False
        told = {key: unescape_property(value) for key, value in PROPERTY.findall(found["properties"])}
        row, column = (number if (number := told.get(key, "")).isdecimal() else "0" for key in ("line", "col"))
        text = unescape_property(found["text"])
        rule = told.get("title") or text.partition("\n")[0] or "error"
        self.find(rule[:MOST_RULE], told["file"], int(row[:9]), text, line.number, column=int(column[:9]))
        return False

    def _read_azure(self, line: Line) -> bool:
        """Read a command of Azure."""
        found = AZURE.match(line.text)
        told = dict(OF_AZURE.findall(found["properties"])) if found else {}
        if found and told.get("type") == "error":
            row, column = (parse_number(told.get(key, "")) or 0 for key in ("linenumber", "columnnumber"))
            text = found["text"]
            self.find((told.get("code") or text)[:MOST_RULE], told["sourcepath"], row, text, line.number, column=column)
        return False

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the whole log for each: a tool that has a parser prints the same beside its own output."""
        return dict.fromkeys(self.found, (1, LAST_LINE))


MOST_RULE = 120
"""Characters of a title in a name."""


def unescape_property(text: str) -> str:
    """Return a property or a message without the escapes of the command."""
    for code, sign in ESCAPES:
        text = text.replace(code, sign)
    return text
