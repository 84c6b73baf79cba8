"""The program whose output a line is: lines of ctest that show it, prefixes of runners, paths of builds."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import command, relative

RESULT = re.compile(r"\s*(?:\d+/\d+ )?Test +#(\d+): (.+)")
STATUS = re.compile(
    r"(?P<good>(?<=[. ]) {2,3}Passed)(?: +\d+\.\d+ sec)?$"
    r"|(?P<before>(?:Subprocess|Child) \w+)?\*\*\*(?P<bad>Failed|Timeout|Not Run|Skipped|Exception)(?P<more>[^*]*)$"
    r"|(?P<code>Exit code 0x[0-9A-Fa-f]+)$"
)
TIME = re.compile(r"(?<! ) +-?\d+\.\d+ sec")
PROJECT = "Test project "
COMMAND = ": Test command: "
VERBOSE = re.compile(r"(\d+): ?(.*)")
PREFIX = re.compile(r"#\d+ \d+\.\d+ |##\[(?:error|warning|notice)\]")
PACKAGE = re.compile(r"^[\w.-]{1,100}> {1,20}(?=\S| {2})")
RUNNING = (COMMAND, PROJECT, "***Failed", "***Exception", "***Timeout", "Exit code 0xc")
"""Literals for parsers that have to know whose output they read."""
DEATHS = (
    "Segmentation fault", "core dumped", "Aborted", "terminate called", "terminating due to", "terminating with",
    "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "ERROR: ThreadSanitizer", "Bus error", "Illegal instruction",
    "Floating point exception", "Trace/breakpoint trap", "' failed.", "***Exception", "***Timeout", "Killed",
    "Process completed with exit code", "Unhandled exception", "Check failed:", "SIGSEGV", "SIGABRT",
)  # fmt: skip
DEATH = re.compile("|".join(map(re.escape, DEATHS)))
"""Output at the death of a program, if a test has begun that does not end."""


SANITIZER = re.compile(r"(?:ERROR|WARNING): (?:Address|Leak|Memory|Thread|HWAddress)Sanitizer: |: runtime error: ")
STACK = re.compile(r" +#\d+ 0x[0-9a-f]+ (?:in )?\S.* (/\S+?|\S+\.\w+):(\d+)(?::\d+)?(?: \(.*\))?$")
NOT_OURS = (
    "/libsanitizer/",
    "/compiler-rt/",
    "/sanitizer_common/",
    "/usr/",
    "/googletest",
    "/gtest",
    "/glibc",
    "../sysdeps",
)
"""Code in the stack of a sanitizer that does not belong to the project."""


def frame_of(text: str) -> tuple[str, int] | None:
    """Return the place of a line of a sanitizer's stack.

    None for other lines, and for places outside of the project.
    """
    found = STACK.match(text) if "#" in text[:8] else None
    if not found or any(part in f"/{found[1]}" for part in NOT_OURS):
        return None
    return source(found[1]), int(found[2])


class Result(NamedTuple):
    """ctest's result of one test.

    Args:
        number: Its number.
        name: Its name.
        status: Passed, Failed, Timeout, Not Run, Skipped or Exception.
        detail: The reason: SegFault, Disabled, the expression that was not found.
    """

    number: str
    name: str
    status: str
    detail: str


def result_of(text: str) -> Result | None:
    """Parse ` 1/10 Test  #1: name ........***Failed    0.01 sec`."""
    found = RESULT.match(text) if "Test " in text[:30] else None
    status = _status_of(found[2]) if found else None
    if not found or not status:
        return None
    name = found[2][: status.start()].rstrip(" .")
    if status["good"]:
        return Result(found[1], name, "Passed", "")
    if status["code"]:  # on Windows; the next line contains `***Exception:`
        return Result(found[1], name, "Exception", status["code"])
    more = (TIME.sub("", status["more"]) if " sec" in status["more"] else status["more"]).strip(" :")
    return Result(found[1], name, status["bad"], " ".join(filter(None, (status["before"], more))))


def _status_of(text: str) -> re.Match[str] | None:
    """Return the status in a result; behind its long row of dots, since a search reads each of them three times."""
    passed, marked = text.find("  Passed"), text.find("***")
    if "Exit code 0x" in text or (passed >= 0 and marked >= 0) or "Subprocess " in text or "Child " in text:
        return STATUS.search(text)
    return STATUS.search(text, max(passed - 1, marked)) if passed >= 0 or marked >= 0 else None


def source(path: str) -> str:
    """Return the path of a source file relative to the repository: build folders print `../src/a.c`."""
    rest = relative(path)
    while rest.startswith("../"):
        rest = rest[3:]
    return rest


def strip_prefix(text: str) -> str:
    """Return a line without the prefixes of docker build and of runners' problem matchers."""
    if text.startswith("#") and (found := PREFIX.match(text)):
        return text[found.end() :]
    return text


def strip_package(text: str) -> str:
    """Return a line without the name that Stack puts before each line of a package's tests if it builds several."""
    return PACKAGE.sub("", text, count=1)


class Surroundings:
    """The program or the test of ctest whose output is read.

    Attributes:
        place: A path, or `FOLDER#NAME` for a test of ctest; empty if no line shows it.
    """

    def __init__(self) -> None:
        self.place = ""
        self._folder = ""
        self._verbose = False

    def inside(self, text: str) -> str | None:
        """Return a line of a program without ctest's number; None for a line of ctest's own."""
        text = strip_prefix(text)
        if "Test " in text[:30] and self._read(text):
            return None
        if self._verbose and text[:1].isdigit() and (found := VERBOSE.match(text)):
            return found[2]
        return text

    def _read(self, text: str) -> bool:
        """Read a line of ctest's own; return whether it is one."""
        if text.startswith(PROJECT):
            self._folder = relative(text.removeprefix(PROJECT).strip())
        elif result := result_of(text):
            self.place = "" if result.status == "Passed" else f"{self._folder}#{result.name}"
        elif COMMAND in text[:30]:
            self._verbose = True
            self.place = source(text.partition(COMMAND)[2].split(" ", 1)[0])
        else:
            return False
        return True


def each_once(failures: Iterable[Failure]) -> list[Failure]:
    """Return failures without repetitions: one name at one line is one failure, even if its output is shown again.

    Without a line, one name in two places is two failures.
    """
    once: dict[tuple[str, str, int | None], Failure] = {}
    for one in failures:
        key = (one.name, one.file, one.line) if one.file else (one.name, f"in {one.place}", None)
        known = once.setdefault(key, one)
        if known.flaky and not one.flaky:
            once[key] = one
    return list(once.values())


def through(place: str, *words: str) -> str:
    """Return the command that runs a program with arguments; or, if only ctest is known, the test of ctest."""
    folder, sign, name = place.partition("#")
    if sign:
        into = ("--test-dir", folder) if folder else ()
        return command("ctest", *into, "-R", f"^{escape_regex(name)}$", "--output-on-failure")
    return command(place if "/" in place else f"./{place}", *words) if place else ""


def escape_regex(text: str) -> str:
    """Escape the special characters of CMake's regular expressions."""
    return re.sub(r"([\\^$.|?*+()\[\]])", r"\\\1", text)
