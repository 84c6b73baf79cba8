"""Gradle's names of tests: parts separated by ` > `, with or without packages."""

import re
from collections.abc import Sequence

from attrs import frozen

RUNS = ("Gradle Test Run ", "Gradle Test Executor ", "Gradle suite", "Gradle test")
CLASS = re.compile(r"(?:[\w$]+\.)*[A-Z][\w$]*(?:\[[^\]]*\])?")
QUALIFIED = re.compile(r"((?:[\w$]+\.)+[A-Z][\w$]*)\.([\w$].*)")
METHOD = re.compile(r"[\w$]+(?:\[\d+\]\(.*\))?")
OF_TESTNG = 3
"""Parts of a name that begins with TestNG's names of a suite and of a test."""
OF_A_TEST = 2
"""The fewest parts of a name that does not repeat the class."""
DEEP = 2
"""Parts of a name: if there are more between two names of the same class, they are contexts of Kotest."""
TARGET = re.compile(r"\[[^\]]*\]$")
NESTED = re.compile(r"[A-Z][\w$]*")
LONGEST = 1_000


@frozen
class Test:
    """A test as a line names it.

    Args:
        of: Its class, with its package where the line has it, `Outer$Inner` where it is nested.
        parts: The parts behind the class: a method, preceded by display names of nested classes, followed by cases.
        prepares: Whether it is a configuration method of TestNG and not a test.
    """

    of: str
    parts: Sequence[str]
    prepares: bool = False

    @property
    def method(self) -> str:
        """The part behind the class, without `()`."""
        return " > ".join(self.parts).removesuffix("()")

    @property
    def name(self) -> str:
        """Its canonical name."""
        return f"{self.of}.{self.method}"

    @property
    def in_words(self) -> bool:
        """Whether its class is only known by a display name."""
        return CLASS.fullmatch(self.of) is None

    @property
    def outer(self) -> str:
        """The class that is a source of its own."""
        return self.of.split("$", 1)[0]


def parse_name(text: str) -> Test | None:
    """Parse `pkg.Class > Nested > method()`, `Class > method() > [1] x` or `pkg.Class.method`; None for other text."""
    if not text or text[0] in " \t>:[-" or len(text) > LONGEST:
        return None
    parts = [part for part in text.split(" > ") if not part.startswith(RUNS)]
    last = QUALIFIED.fullmatch(parts[-1]) if parts else None
    if last and len(parts) > DEEP and last[1] == parts[0] and not last[2].startswith(parts[-2]):
        return Test(last[1], (*parts[1:-1], last[2]))
    if last and len(parts) > OF_TESTNG and (CLASS.fullmatch(parts[0]) is None or _same(parts[0], last[1])):
        parts[-1], last = last[2], None  # Gradle repeats the class in a test of a container that tells none
    if last and (len(parts) == 1 or _same(parts[0], last[1])):
        return Test(last[1], (last[2],), prepares=text == parts[-1])
    if last and len(parts) == OF_TESTNG and METHOD.fullmatch(last[2]) and not parts[1].endswith((")", "]")):
        return Test(last[1], (last[2],))
    if len(parts) < OF_A_TEST:
        return None
    target = TARGET.search(parts[0])  # one of several platforms of Kotlin
    of, rest = parts[0].removesuffix(target[0]) if target else parts[0], parts[1:]
    while len(rest) > 1 and CLASS.fullmatch(of) and NESTED.fullmatch(rest[0]):
        of, rest = f"{of}${rest[0]}", rest[1:]
    return Test(of, rest)


def _same(told: str, of: str) -> bool:
    """Check whether the class of a test is the one named before it, or is nested in it."""
    whole, outer = told.rpartition(".")[2], of.rpartition(".")[2]
    return outer == whole or outer.startswith(f"{whole}$")
