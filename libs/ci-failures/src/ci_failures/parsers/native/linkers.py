"""Linkers: GNU ld, gold, lld, mold and Apple's; a failure for each symbol or library."""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser
from ci_failures.parsers.native.program_context import source, strip_prefix

UNDEFINED = re.compile(r"undefined reference to [`'\u2018](.+?)['\u2019]?(?:; .*)?$")
MULTIPLE = re.compile(r"multiple definition of [`'\u2018](.+?)['\u2019](?:; .*|$)")
MISSING = re.compile(
    r"(?:cannot find|library not found for|unable to find library|library not found:|ld\.lld: error: cannot open)"
    r" (-l\S+?|[^\s:]+):?(?: |$)"
)
LLVM = re.compile(
    r"(?<!\S)(?:(?=\S*?(?:ld|link))\S+: error:|error: \S{0,40}(?:ld|link):) (undefined|duplicate) (?:\w+ )?symbol: (.+)"
)
"""Zig has the linker behind the error."""
BROKEN = re.compile(
    r"(?:\S*/)?[\w.+-]*(?:ld|lld|mold|gold)[\w.]*: (?:error: )?"
    r"(\S+ is incompatible with \S+"
    r"|\S+: (?:file in wrong format|file (?:format )?not recognized"
    r"|relocation R_\w+ against .{1,200}? can ?not be used).*)"
)
"""Objects of another architecture or model."""
APPLE_HEAD = re.compile(r"Undefined symbols for architecture \S+:|Undefined symbols:")
APPLE = re.compile(r'  "(.+)", referenced from:')
APPLE_TWICE = re.compile(r"duplicate symbol '?(.+?)'? in:")
APPLE_MISSING = re.compile(r"ld: library '(.+)' not found")
PLACE = re.compile(r"(?:^|[: ])((?:[A-Za-z]:[\\/])?[^\s:()]+\.\w+):(\d+): ")
REFERENCED = re.compile(r">>> (?:referenced|defined) (?:by|at) (?:.*\()?([^\s:()]+):(\d+)\)?")
OBJECT = re.compile(r"(?:^|: )(\S+\.(?:o|obj)): [Ii]n function [`'\u2018]")
BUILT = re.compile(r"^(?>(.*?)CMakeFiles/[^/]+\.dir/)(.+\.\w{1,20})\.(?:o|obj)$")
"""The objects that CMake makes of source files."""
PROBES = re.compile(r"(?:^|[/\s(])_?conf(?:igtest|test)\.(?:c|cc|cpp|o):")
"""Signs that a script only tested for a function."""
FROM = "undefined reference to ", "multiple definition of "
ORIGIN = re.compile(r".*(?:[./\\]\w|\+0x[0-9a-f]+\)|:\d+|(?:ld|link|mold)(?:\.exe)?:$)")
"""The last word before a message: a linker, a place, an object or a library."""


class Linkers(Parser):
    """Parser of symbols and libraries that are missing or defined twice."""

    tool: ClassVar[str] = "ld"
    wakes: ClassVar[tuple[str, ...]] = (
        *FROM, "cannot find -l", "library not found for -l", "unable to find library -l", "error: undefined symbol: ",
        "error: undefined protected symbol: ", "error: undefined hidden symbol: ", "error: duplicate symbol: ",
        "lld-link: undefined symbol: ", "lld: undefined symbol: ", "wasm-ld: undefined symbol: ",
        "ld.lld: error: cannot open ",
        "Undefined symbols", "duplicate symbol '", "ld: library '", "library not found: ",
        ": in function `", ": In function `",
        " is incompatible with ", ": file in wrong format", ": file not recognized", " be used when making ",
    )  # fmt: skip

    def __init__(self) -> None:
        self._failures: dict[str, Failure] = {}
        self._last = self._object = ""
        self._apple = False

    def read(self, line: Line) -> bool:
        """Read a line; lld and Apple's linker name the users of a symbol in the following lines."""
        text = strip_prefix(line.text)
        if " function `" in text and (found := OBJECT.search(text)):
            built = BUILT.match(found[1])
            self._object = source(built[1] + built[2]) if built else ""
        if self._last and text.startswith(">>> "):
            self._read_reference(text)
            return True
        self._last = ""
        if APPLE_HEAD.match(text):
            self._apple = True
        elif self._apple and (found := APPLE.match(text)):
            self._add(f"undefined reference to {found[1]}", text, line.number)
        elif self._apple and not text.startswith("  "):
            self._apple = False
        if (name := _symbol(text)) and not PROBES.search(text):
            self._add(name, text, line.number)
        return bool(self._last or self._apple)

    def _add(self, name: str, text: str, number: int) -> None:
        place = PLACE.search(text.partition(name[:20])[0] if name[:20] in text else text)
        failure = Failure(
            tool="ld",
            kind="compile",
            name=name[:MOST_TEXT],
            message=text.strip()[:MOST_TEXT],
            file=source(place[1]) if place else self._object,
            line=int(place[2]) if place else None,
            log_line=number,
        )
        if len(self._failures) < MOST_FAILURES:
            self._failures.setdefault(failure.name, failure)
            self._last = failure.name

    def _read_reference(self, text: str) -> None:
        failure, found = self._failures[self._last], REFERENCED.match(text)
        if found and not failure.file:
            self._failures[self._last] = evolve(failure, file=source(found[1]), line=int(found[2]))

    def finish(self) -> Iterable[Failure]:
        """Return each symbol and each library once."""
        return list(self._failures.values())


def _symbol(text: str) -> str:
    """Return what a linker misses or has twice, in the same words for each linker."""
    if FROM[0] in text:
        found = UNDEFINED.search(text)
        is_one = found and "more undefined references" not in text and _has_origin(text, found.start())
        return f"undefined reference to {found[1]}" if found and is_one else ""
    if FROM[1] in text:
        found = MULTIPLE.search(text)
        return f"multiple definition of {found[1]}" if found and _has_origin(text, found.start()) else ""
    if "symbol" in text:
        if found := LLVM.search(text):
            return f"{'undefined reference to' if found[1] == 'undefined' else 'multiple definition of'} {found[2]}"
        found = APPLE_TWICE.match(text)
        return f"multiple definition of {found[1]}" if found else ""
    if found := BROKEN.match(text):
        return found[1]
    return _missing_library(text)


def _has_origin(text: str, at: int) -> bool:
    """Return whether a message is a linker's: programs print the same words, but not behind a linker, object or place.

    GHC prints the place on the line above; what is left then begins the line, in the quotation marks of GNU's linker.
    """
    begin = text[:at].rstrip()
    for word in ("error:", "warning:"):
        begin = begin.removesuffix(word).rstrip()
    if not begin:
        return "`" in text[at:]
    return begin.endswith(":") and ("function " in begin or bool(ORIGIN.match(begin.rpartition(" ")[2])))


def _missing_library(text: str) -> str:
    if found := APPLE_MISSING.match(text):
        return f"cannot find -l{found[1]}"
    found = MISSING.search(text) if re.match(r"(?:\S*/)?\S*(?:ld|lld|mold|link)\S*: ", text) else None
    return f"cannot find {found[1]}" if found else ""
