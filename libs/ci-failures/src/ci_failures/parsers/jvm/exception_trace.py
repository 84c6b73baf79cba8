"""Exceptions of the JVM: a message of some lines, frames, and causes with frames of their own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ci_failures.parsers.text_helpers import join_message

FRAME = re.compile(r"\s+at (?:[\w.@-]*+/){0,2}(?=[^\s/(\w$]*[\w$])([^/(]*)\.([^.]+)\(([\w$-]+\.(\w+)):(\d+)\)")
"""Kotlin and Spock have methods with spaces in their names, and Kotlin also classes."""
SIMPLE = re.compile(r"\s+at (?:[\w.@-]*+/)?([\w.$]+)\.([\w$<>]+)\(([\w$-]+\.(\w+)):(\d+)\)")
"""The form of most frames, which is matched in half the time."""
QUALIFIED = re.compile(r"[\w.$]+")
LIBRARIES = re.compile(
    r"(?:java|javax|jakarta|jdk|sun|com\.sun|junit|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|io\.kotest|io\.mockk"
    r"|munit|utest|zio|net\.bytebuddy|reactor|com\.google\.(?:common|truth)|org\.(?:junit|opentest4j|hamcrest|assertj"
    r"|mockito|testng|gradle|spockframework|codehaus\.groovy|apache\.(?:maven|groovy|tools\.ant)|scalatest|scalactic|specs2"
    r"|springframework|hibernate|eclipse\.jetty|robolectric|easymock|powermock|testcontainers|awaitility|jetbrains"
    r"|scalameta|scalacheck))\."
)
"""Classes of libraries: the test that failed is above them."""
CONFIGURATION = "invokeConfigurationMethod"
MOST_LINES = 40
"""Lines of a message that are kept."""
MOST_FRAMES = 400


class Frame(NamedTuple):
    """A frame that names its source.

    Args:
        of: The class, with its package; `Outer$Inner` where it is nested.
        method: Its method.
        file: The source's name, without a folder.
        language: The extension of the source's name.
        line: The line in it.
    """

    of: str
    method: str
    file: str
    language: str
    line: int

    @property
    def outer(self) -> str:
        """The class that is a source of its own."""
        return self.of.split("$", 1)[0]

    @property
    def path(self) -> str:
        """The path of the source below some source root: only Java requires folders like packages."""
        package = self.of.rpartition(".")[0].replace(".", "/")
        return f"{package}/{self.file}" if package and self.language == "java" else self.file


def frame(text: str) -> Frame | None:
    """Parse one frame; None if a line is not a frame, or does not name its source."""
    found = (SIMPLE.match(text) or FRAME.match(text)) if "(" in text else None
    if not found:
        return None
    of, method, file, language, line = found.groups()
    return Frame(of, method, file, language, int(line))


class Trace:
    """The output of one exception; its frames are kept as lines, since few of them are ever needed."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._cause = ""
        self._lines: list[str] = []
        self._cause_lines: list[str] = []
        self._framed = False
        self._caused = False

    def take(self, text: str) -> None:
        """Read a line; of causes, only the first line of the last one is kept."""
        bare = text.lstrip()
        if bare[:3] == "at " and bare != text and "(" in bare:
            self._framed = True
            kept = self._cause_lines if self._caused else self._lines
            if len(kept) < MOST_FRAMES:
                kept.append(text)
        elif bare[:1] in {"C", "S"} and bare.startswith(("Caused by:", "Suppressed:")):
            self._framed = self._caused = True
            self._cause = bare if bare.startswith("Caused by:") else self._cause
        elif not self._framed and len(self._said) < MOST_LINES:
            self._said.append(text)

    @property
    def frames(self) -> list[Frame]:
        """The frames of the exception itself that name their sources."""
        return list(_parse_frames(self._lines))

    @property
    def has_frames(self) -> bool:
        """Whether there is such a frame."""
        return next(_parse_frames(self._lines), None) is not None

    def frames_with(self, text: str) -> Iterable[Frame]:
        """Return those frames whose line contains a text."""
        lines = [line for line in self._lines if text in line]
        return _parse_frames(lines) if lines else ()

    @property
    def framed(self) -> bool:
        """Whether the message is complete."""
        return self._framed

    @property
    def message(self) -> str:
        """The message with its class, and the message of the innermost cause if that differs."""
        said = join_message(self._said)
        cause = self._cause.partition(": ")[2].strip()
        return join_message([*said.split("\n"), self._cause.strip()]) if said and cause and cause not in said else said

    def place(self, class_name: str) -> tuple[str, int | None]:
        """Return file and line of the innermost frame in a class; otherwise of one of its package, or of a cause's.

        If both are missing, the innermost frame outside of known libraries counts.
        """
        outer = class_name.partition("$")[0]
        near = _nearest(self._lines, outer) or _nearest(self._cause_lines, outer)
        if near is None:
            every = _parse_frames((*self._lines, *self._cause_lines))
            near = next((one for one in every if not LIBRARIES.match(one.of)), None)
        return (near.path, near.line) if near else ("", None)

    @property
    def sets_up(self) -> bool:
        """Whether it failed in a configuration method of TestNG and not in a test."""
        return any(one.method == CONFIGURATION for one in self.frames_with(CONFIGURATION))

    def class_of(self, told: str, method: str) -> str:
        """Return the class that contains a test: reports name the outer one, where the trace has the nested one."""
        in_words, nested = QUALIFIED.fullmatch(told) is None, f"{told}$"
        for one in self.frames_with(method if in_words else nested):
            if one.method == method and (in_words or one.of.startswith(nested)):
                return one.of
        return told


def _nearest(lines: Sequence[str], outer: str) -> Frame | None:
    """Return the innermost frame in a class or its nested ones, otherwise in its package; None if there is none."""
    package = outer.rpartition(".")[0]
    for line in lines:
        one = frame(line) if outer in line else None
        if one is None:
            continue
        of = one.outer
        if of == outer or (not package and of.endswith(f".{outer}")):
            return one
    within = _parse_frames(line for line in lines if package in line) if package else ()
    return next((one for one in within if one.of.rpartition(".")[0] == package), None)


def _parse_frames(lines: Iterable[str]) -> Iterator[Frame]:
    return (one for line in lines if (one := frame(line)))
