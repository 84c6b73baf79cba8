"""GCC and Clang, and what they print alike: `file:line:column: error: message`."""

import posixpath
import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Confidence, Failure, Kind, Line, Parser
from ci_failures.parsers.native.places import source, unprefixed

ERROR = re.compile(r"((?:[A-Za-z]:[\\/])?[^:]+):(\d+)(?::(\d+))?: (?:fatal |internal compiler )?error: (.*)")
DRIVER = re.compile(
    r"(?:[^\s:]*/)?((?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-cl|emcc|em\+\+|icx|icpx|cc1|cc1plus|cc1obj|collect2|lto1)(?:-[\d.]+)?)(?:\.exe)?:"
    r" (?:fatal |internal compiler )?error: (.*)"
)
WINDOWS = re.compile(r"((?:[A-Za-z]:[\\/])?[^:(]+)\((\d+)(?:,(\d+))?\): (?:fatal |catastrophic )?error: (.*)")
"""What clang-cl and nvcc print; without a column also what gtest prints for MSVC."""
XCTEST = re.compile(r"[-+]\[\w+ \w+\] : ")
"""How tests in Objective-C tell their failures."""
OPTION = re.compile(r" \[(-W[^\]]*|[a-z][\w.,-]*)\]$")
ENDINGS = frozenset(
    (
        *("c", "h", "C", "H", "cc", "hh", "cp", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "inl", "inc", "ipp", "tpp"),
        *("tcc", "txx", "ixx", "cppm", "m", "mm", "cu", "cuh", "cl", "hip", "ino", "S", "s", "i", "ii", "l", "ll"),
        *("y", "yy", "def"),
    )
)
BUILT_IN = ("<command-line>", "<stdin>", "<built-in>", "<scratch space>", "<inline asm>")
CUDA = frozenset(("cu", "cuh"))
PROBES = (
    "conftest.", "_configtest.", "CMakeFiles/CMakeTmp", "CMakeFiles/CMakeScratch", "CMakeFiles/_CMakeLTOTest",
    "testCCompiler.c",
)  # fmt: skip
"""What tells that a compiler was only asked whether it can do something."""
BANNERS = (
    "all warnings being treated as errors", "some warnings being treated as errors", "linker command failed",
    "ld returned ", "linker `", "too many errors emitted",
)  # fmt: skip
LINKING = ("undefined reference to ", "multiple definition of ", "undefined symbol")
KILLED = re.compile(r"Killed|signal 9|SIGKILL|out of memory", re.IGNORECASE)
REQUIRED = re.compile(
    r"((?:[A-Za-z]:[\\/])?[^:]+):(\d+)(?::\d+)?:(?: +required from here| note: in instantiation of .* requested here)$"
)
"""Where code of the project makes a library's fail: GCC says so before the error, Clang after it."""
OUTSIDE = ("/usr/", "/opt/", "/Applications/", "/Library/")
CONFIRMING = ("errors generated", "error generated", "ninja: build stopped", "] Error ", "compilation terminated")


REQUIRING = ("required from here", " requested here")


class Compilers(Parser):
    """Reads GCC, Clang and those that print like them, for C, C++, Objective-C and CUDA."""

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
        """Take a line that tells of an error; each is one line, so there is nothing to stay awake for."""
        text = unprefixed(line.text)
        if "error: " in text and len(self._failures) < MOST_FAILURES:
            failure = _placed(text, line.number) or _driver(text, line.number)
            if failure:
                self._keep(failure)
        elif text.endswith(REQUIRING):
            self._requires(text)
        elif any(sign in text for sign in CONFIRMING):
            self._confirmed = True
        return False

    def _keep(self, failure: Failure) -> None:
        """Keep an error; one in a library's header has its place in the project where the project requires it."""
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
        """Give each error once, however many files include its place."""
        confidence: Confidence = "high" if self._confirmed else "medium"
        return [evolve(one, confidence=confidence) for one in self._failures.values()]


def _placed(text: str, number: int) -> Failure | None:
    """Read an error that names a file of a language that these compile."""
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
    """Read an error of the compiler as a whole: an option it lacks, a file that is not there, its death."""
    found = DRIVER.match(text.lstrip())
    if not found or found[2].startswith(BANNERS):
        return None
    kind: Kind = "out_of_memory" if KILLED.search(found[2]) else "compile"
    name = f"error {found[1]}: {found[2]}"
    return Failure(tool="gcc/clang", kind=kind, name=name[:MOST_TEXT], message=found[2][:MOST_TEXT], log_line=number)


def _rule(message: str) -> tuple[str, Kind, str]:
    """Give whose an error is, its kind and its rule, from what stands in brackets at its end."""
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
