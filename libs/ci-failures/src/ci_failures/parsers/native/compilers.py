"""GCC, Clang, and compilers with the same output: `file:line:column: error: message`."""

import posixpath
import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Confidence, Failure, Kind, Line, Parser
from ci_failures.parsers.native.program_context import source, strip_prefix

ERROR = re.compile(r"((?:[A-Za-z]:[\\/])?[^:]+):(\d+)(?::(\d+))?: (?:fatal |internal compiler )?error: (.*)")
DRIVER = re.compile(
    r"(?:[^\s:]*/)?((?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-cl|emcc|em\+\+|icx|icpx|cc1|cc1plus|cc1obj|collect2|lto1)(?:-[\d.]+)?)(?:\.exe)?:"
    r" (?:fatal |internal compiler )?error: (.*)"
)
WINDOWS = re.compile(r"((?:[A-Za-z]:[\\/])?[^:(]+)\((\d+)(?:,(\d+))?\): (?:fatal |catastrophic )?error: (.*)")
"""The output of clang-cl and nvcc; without a column also gtest's for MSVC."""
XCTEST = re.compile(r"[-+]\[\w+ \w+\] : ")
"""Failures of tests in Objective-C."""
OPTION = re.compile(r" \[(-W[^\]]*|[a-z][\w.,-]*)\]$")
ENDINGS = frozenset(
    (
        *("c", "h", "C", "H", "cc", "hh", "cp", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "inl", "inc", "ipp", "tpp"),
        *("tcc", "txx", "ixx", "cppm", "m", "mm", "cu", "cuh", "cl", "hip", "ino", "S", "s", "i", "ii", "l", "ll"),
        *("y", "yy", "def"),
        *("adb", "ads"),
        *("x", "xi", "xm", "xmi"),  # Objective-C with the directives of Logos
    )
)
BUILT_IN = ("<command-line>", "<stdin>", "<built-in>", "<scratch space>", "<inline asm>")
CUDA = frozenset(("cu", "cuh"))
PROBES = (
    "conftest.", "_configtest.", "CMakeFiles/CMakeTmp", "CMakeFiles/CMakeScratch", "CMakeFiles/_CMakeLTOTest",
    "testCCompiler.c",
)  # fmt: skip
"""Signs that a compiler only was tested for a feature."""
BANNERS = (
    "all warnings being treated as errors", "some warnings being treated as errors", "linker command failed",
    "ld returned ", "linker `", "too many errors emitted",
)  # fmt: skip
LINKING = ("undefined reference to ", "multiple definition of ", "undefined symbol")
KILLED = re.compile(r"Killed|signal 9|SIGKILL|out of memory", re.IGNORECASE)
REQUIRED = re.compile(
    r"((?:[A-Za-z]:[\\/])?[^:]+):(\d+)(?::\d+)?:(?: +required from here| note: in instantiation of .* requested here)$"
)
"""The line of the project that makes a library's code fail: GCC prints it before the error, Clang after it."""
OUTSIDE = ("/usr/", "/opt/", "/Applications/", "/Library/")
CONFIRMING = ("errors generated", "error generated", "ninja: build stopped", "] Error ", "compilation terminated")


REQUIRING = ("required from here", " requested here")


class Compilers(Parser):
    """Parser of GCC, Clang and similar compilers, for C, C++, Objective-C, CUDA and Ada."""

    tool: ClassVar[str] = "gcc/clang"
    wakes: ClassVar[tuple[str, ...]] = (
        ": error: ",
        ": fatal error: ",
        ": internal compiler error: ",
        *CONFIRMING,
        *REQUIRING,
    )

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}
        self._confirmed = False
        self._required: tuple[str, int] | None = None
        self._last = ""

    def read(self, line: Line) -> bool:
        """Read an error; each is one line, so that the parser needs no further ones."""
        text = strip_prefix(line.text)
        if "error: " in text and len(self._failures) < MOST_FAILURES:
            failure = _parse_error(text, line.number) or _driver(text, line.number)
            if failure:
                self._keep(failure)
        elif text.endswith(REQUIRING):
            self._requires(text)
        elif any(sign in text for sign in CONFIRMING):
            self._confirmed = True
        return False

    def _keep(self, failure: Failure) -> None:
        """Record an error; one in a library's header has the place of the project that requires it."""
        if self._required and failure.file.startswith(OUTSIDE):
            failure = evolve(failure, file=self._required[0], line=self._required[1])
        self._failures.setdefault(failure.name, failure)
        self._required, self._last = None, failure.name

    def _requires(self, text: str) -> None:
        found = REQUIRED.match(text.lstrip())
        if not found or found[1].startswith(OUTSIDE):
            return
        place = source(found[1]), int(found[2])
        if " note: " not in text:
            self._required = place
        elif (last := self._failures.get(self._last)) and last.file.startswith(OUTSIDE):
            self._failures[self._last] = evolve(last, file=place[0], line=place[1])

    def finish(self) -> Iterable[Failure]:
        """Return each error once, however many files include its place."""
        confidence: Confidence = "high" if self._confirmed else "medium"
        return [evolve(one, confidence=confidence) for one in self._failures.values()]


def _parse_error(text: str, number: int) -> Failure | None:
    """Parse an error with a file of a language that these compile."""
    found = ERROR.match(text.lstrip()) or WINDOWS.match(text.lstrip())
    if not found or found[4].startswith(LINKING) or XCTEST.match(found[4]):
        return None
    file, line, column, message = found.groups()
    base, dot, ending = file.rpartition(".")
    known = ending in ENDINGS if dot and base else file in BUILT_IN
    if not known and not file.startswith(("/usr/", "/opt/", "/Applications/")):
        return None
    if any(probe in file for probe in PROBES) or (found.re is WINDOWS and not column and ending not in CUDA):
        return None
    tool, kind, rule = _rule(message)
    path = source(posixpath.normpath(file) if "/../" in file else file)
    place = f"{path}:{line}:{column}" if column else f"{path}:{line}"
    return Failure(
        tool=tool,
        kind=kind,
        name=f"{rule} {place}",
        message=message[:MOST_TEXT],
        file=path,
        line=int(line),
        log_line=number,
    )


def _driver(text: str, number: int) -> Failure | None:
    """Parse an error of the compiler as a whole: an unsupported option, a missing file, a crash."""
    found = DRIVER.match(text.lstrip())
    if not found or found[2].startswith(BANNERS):
        return None
    kind: Kind = "out_of_memory" if KILLED.search(found[2]) else "compile"
    name = f"error {found[1]}: {found[2]}"
    return Failure(tool="gcc/clang", kind=kind, name=name[:MOST_TEXT], message=found[2][:MOST_TEXT], log_line=number)


def _rule(message: str) -> tuple[str, Kind, str]:
    """Return the tool, the kind and the rule of an error, from the brackets at its end."""
    found = OPTION.search(message)
    option = found[1] if found else ""
    if option == "-Wclang-format-violations":
        return "clang-format", "lint", option
    if option.startswith("-W"):  # `-Werror=unused` of GCC and `-Werror,-Wunused` of Clang are -Wunused
        return "gcc/clang", "compile", option.rpartition(",")[2].replace("-Werror=", "-W")
    diagnostic = option.partition(",")[0].removeprefix("clang-diagnostic-")
    if option.startswith("clang-diagnostic-") and diagnostic != "error":
        return "gcc/clang", "compile", f"-W{diagnostic}"
    if "-" in option and not option.startswith("clang-diagnostic"):
        return "clang-tidy", "lint", option.removesuffix(",-warnings-as-errors")
    if option and option.isalnum() and option != option.lower():
        return "cppcheck", "lint", option
    return "gcc/clang", "compile", "error"
