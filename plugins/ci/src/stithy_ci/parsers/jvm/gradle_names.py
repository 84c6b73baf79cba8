"""How Gradle names tests, and how `--tests` selects them."""

import re
from collections.abc import Sequence

from attrs import frozen

from stithy_ci.parsers.jvm.traces import Frame

RUNS = ("Gradle Test Run ", "Gradle Test Executor ", "Gradle suite", "Gradle test")
CLASS = re.compile(r"(?:[\w$]+\.)*[A-Z][\w$]*(?:\[[^\]]*\])?")
QUALIFIED = re.compile(r"((?:[\w$]+\.)+[A-Z][\w$]*)\.([\w$].*)")
TARGET = re.compile(r"\[[^\]]*\]$")
NESTED = re.compile(r"[A-Z][\w$]*")
METHOD = re.compile(r"([^()\[\]]*[^()\[\]\s])(\(.*\))?(\[.*)?")
LONGEST = 1_000


@frozen
class Test:
    """A test as a line names it.

    Args:
        of: Its class, with its package where the line has it, `Outer$Inner` where it is nested.
        method: What stands behind the class, without `()`.
        sure: Whether the method is one, and not words it is displayed by.
        prepares: Whether it is no test, but prepares tests of TestNG.
    """

    of: str
    method: str
    sure: bool
    prepares: bool = False

    @property
    def name(self) -> str:
        """Its canonical name."""
        return f"{self.of}.{self.method}"

    @property
    def in_words(self) -> bool:
        """Whether its class is told by words that it is displayed by."""
        return CLASS.fullmatch(self.of) is None

    @property
    def outer(self) -> str:
        """The class that is a source."""
        return self.of.split("$", 1)[0]

    def pattern(self, frames: Sequence[Frame]) -> str:
        """Give what `--tests` selects it by; one case of many cannot be selected, so all of them are.

        Empty where the log tells neither class nor method.
        """
        if self.in_words:
            ran = next((one for one in frames if self.sure and one.method == self.method.partition("(")[0]), None)
            return f"{ran.of}.{ran.method}" if ran else ""
        own = [one for one in frames if one.of == self.of or one.of.endswith(f".{self.of}")]
        of = self.of if "." in self.of else own[0].of if own else f"*{self.of}"
        if self.prepares or self.method in {"classMethod", "initializationError", "executionError"}:
            return of
        called = re.split(r" > ", self.method)[0]
        found = METHOD.match(called)
        method = found[1] if found else called
        if not self.sure and (" " in method or not found):
            method = next((one.method for one in own if "$" not in one.method), method)
        return f"{of}.{method}{'*' if found and found[3] and not found[2] else ''}"


def named(text: str) -> Test | None:
    """Read `pkg.Class > Nested > method()`, `Class > method() > [1] x` or `pkg.Class.method`; None for what is none."""
    if not text or text[0] in " \t>:[-" or len(text) > LONGEST:
        return None
    parts = [part for part in text.split(" > ") if not part.startswith(RUNS)]
    if not parts:
        return None
    last = QUALIFIED.fullmatch(parts[-1])
    if last and (len(parts) == 1 or parts[0].rpartition(".")[2] == last[1].rpartition(".")[2]):
        return Test(last[1], last[2].removesuffix("()"), sure=True, prepares=text == parts[-1])
    if len(parts) == 1:
        return None
    target = TARGET.search(parts[0])  # one of several that Kotlin is compiled for
    of, rest = parts[0].removesuffix(target[0]) if target else parts[0], parts[1:]
    while len(rest) > 1 and NESTED.fullmatch(rest[0]):
        of, rest = f"{of}${rest[0]}", rest[1:]
    return Test(of, " > ".join(rest).removesuffix("()"), sure=rest[0].endswith(")"))
