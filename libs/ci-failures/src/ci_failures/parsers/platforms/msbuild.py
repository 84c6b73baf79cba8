r"""MSBuild: errors of the compilers for .NET, of its analysers, and of MSBuild itself; Microsoft's compiler for C++.

    src/Account.cs(10,5): error CS1002: ; expected [/home/runner/work/app/app/src/App.csproj]
    src\account.cpp(10): error C2143: syntax error: missing ';' before '{'
    LINK : fatal error LNK1104: cannot open file 'till.lib'

A build prints each error at once and again at its end, and once for each target framework. No log was available.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative

FORM = re.compile(
    r"^(?:##\[error\]|::error[^:]{0,200}::)?(?:#\d{1,6} )?(?:\d{1,6}\.\d{1,3} )?\s*(?:\d+>)?(?P<file>\S.{0,400}?)"
    r"(?:\((?P<line>\d{1,7})(?:,(?P<column>\d{1,7}))?(?:,\d+,\d+)?\))? ?"
    r": (?:fatal |Command line )?error (?P<code>[A-Za-z]{1,12}\d{2,6}) ?: (?P<text>.*?)"
    r"(?: \[(?P<project>[^\[\]]{1,400}proj[^\[\]]{0,80})\])?$"
)
NATIVE = ("C", "LNK", "RC", "D", "CVT")
"""The compiler for C and C++, the linker, the compiler of resources, the command line, the converter of resources."""
COMPILERS = ("CS", "FS", "BC", "MSB", "NETSDK", "RZ", "BL", "XA", "XLS", "WMC", "MC", "GEN")
MINE = (
    *COMPILERS,
    "CA",
    "IDE",
    "SA",
    "AD",
    "xUnit",
    "MSTEST",
    "NUnit",
    "RCS",
    "VSTHRD",
    "SYSLIB",
    "IL",
    "S",
    "RS",
)


class MsBuild(Parser):
    """Parser of errors, each once."""

    tool: ClassVar[str] = "msbuild"
    codes: ClassVar[Collection[str]] = MINE
    wakes: ClassVar[tuple[str, ...]] = tuple(f": error {code}" for code in MINE)

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}

    def read(self, line: Line) -> bool:
        """Read a line with an error."""
        found = FORM.match(line.text.rstrip())
        code = found["code"] if found else ""
        is_mine = code.rstrip("0123456789") in self.codes and code != "TESTERROR"
        if found and is_mine and len(self._found) < MOST_FAILURES:
            one = _failure(self.tool, found, line.number)
            self._found.setdefault(one.name, one)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._found.values()

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that builds the projects again."""
        projects = each_once(one.selector for one in failures)
        return " && ".join(command("dotnet", "build", project) for project in projects) or "dotnet build"


class Msvc(MsBuild):
    """Parser of errors of Microsoft's compiler and linker, under MSBuild or any other builder."""

    tool: ClassVar[str] = "msvc"
    codes: ClassVar[Collection[str]] = NATIVE
    wakes: ClassVar[tuple[str, ...]] = (
        *(f": {fatal}error {code}" for code in ("C", "LNK", "RC", "CVT") for fatal in ("", "fatal ")),
        ": Command line error D",
    )

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that builds the projects again, which only MSBuild prints."""
        return " && ".join(command("msbuild", project) for project in each_once(one.selector for one in failures))


def _failure(tool: str, found: re.Match[str], number: int) -> Failure:
    file, code = relative(found["file"]), found["code"]
    line = int(found["line"]) if found["line"] else None
    where = ":".join(str(part) for part in (file, line, found["column"]) if part)
    letters = code.rstrip("0123456789")
    kind: Kind = "compile" if letters in (*COMPILERS, *NATIVE) else "lint"
    project = relative((found["project"] or "").partition("::")[0])
    return Failure(
        tool=tool, kind=kind, name=f"{code} {where}", message=f"{code}: {found['text']}", file=file, line=line,
        selector="" if project.startswith("/") else project, log_line=number,
    )  # fmt: skip
