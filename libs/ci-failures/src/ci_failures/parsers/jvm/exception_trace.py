"""Exceptions of the JVM: a message of some lines, frames, and causes with frames of their own."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ci_failures.parsers.text_helpers import join_message

FRAME = re.compile(r"\s+at (?:[\w.@-]*/){0,2}(?=[^\s/(\w$]*[\w$])([^/(]*)\.([^.]+)\(([\w$-]+\.(\w+)):(\d+)\)")
"""Kotlin and Spock have methods with spaces in their names, and Kotlin also classes."""
LIBRARIES = re.compile(
    r"(?:java|javax|jakarta|jdk|sun|com\.sun|junit|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|io\.kotest|io\.mockk"
    r"|munit|utest|zio|net\.bytebuddy|reactor|com\.google\.(?:common|truth)|org\.(?:junit|opentest4j|hamcrest|assertj"
    r"|mockito|testng|gradle|spockframework|codehaus\.groovy|apache\.(?:maven|groovy|tools\.ant)|scalatest|scalactic|specs2"
    r"|springframework|hibernate|eclipse\.jetty|robolectric|easymock|powermock|testcontainers|awaitility|jetbrains"
    r"|scalameta|scalacheck))\."
)
"""Classes of libraries: the test that failed is above them."""
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
    found = FRAME.match(text) if "(" in text else None
    return Frame(found[1], found[2], found[3], found[4], int(found[5])) if found else None


class Trace:
    """The output of one exception."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._cause = ""
        self.frames: list[Frame] = []
        self._causes: list[Frame] = []
        self._framed = False
        self._caused = False

    def take(self, text: str) -> None:
        """Read a line; of causes, only the first line of the last one is kept."""
        bare = text.lstrip()
        if bare.startswith("at ") and bare != text and "(" in bare:
            self._framed = True
            kept = self._causes if self._caused else self.frames
            if len(kept) < MOST_FRAMES and (found := frame(text)):
                kept.append(found)
        elif bare.startswith(("Caused by:", "Suppressed:")):
            self._framed = self._caused = True
            self._cause = bare if bare.startswith("Caused by:") else self._cause
        elif not self._framed and len(self._said) < MOST_LINES:
            self._said.append(text)

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
        outer = class_name.split("$", 1)[0]
        package = outer.rpartition(".")[0]
        nears: Sequence[Callable[[Frame], bool]] = (
            lambda one: one.outer == outer or (not package and one.outer.endswith(f".{outer}")),
            lambda one: bool(package) and one.of.rpartition(".")[0] == package,
        )
        for frames in (self.frames, self._causes):
            for near in nears:
                for one in frames:
                    if near(one):
                        return one.path, one.line
        own = (one for one in (*self.frames, *self._causes) if not LIBRARIES.match(one.of))
        first = next(own, None)
        return (first.path, first.line) if first else ("", None)

    @property
    def sets_up(self) -> bool:
        """Whether it failed in a configuration method of TestNG and not in a test."""
        return any(one.method == "invokeConfigurationMethod" for one in self.frames)

    def class_of(self, told: str, method: str) -> str:
        """Return the class that contains a test: reports name the outer one, where the trace has the nested one."""
        in_words = re.fullmatch(r"[\w.$]+", told) is None
        for one in self.frames:
            if one.method == method and (in_words or one.of.startswith(f"{told}$")):
                return one.of
        return told
