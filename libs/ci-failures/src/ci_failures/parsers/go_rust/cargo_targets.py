"""The binaries that `cargo test` runs, and what failed in each of them."""

import re
from collections.abc import Iterable

from attrs import define, field

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.panics import told

RUNNING = re.compile(
    r"^ +Running (?:(unittests)(?: (\S+))? \(|(\S+) \(|)`?(?:\S*[\\/])?([\w\-]+)-[0-9a-f]{16}(?:\.exe)?[`)]?"
)
DOCTESTS = re.compile(r"^ +Doc-tests (\S+)$")
KINDS = {"--bin": "bin/", "--example": "example/", "--bench": "bench/", "--test": "", "--lib": "", "--doc": "doc"}
LIBRARY, UNKNOWN = ("--lib",), ("?",)


@define
class Test:
    """A test that failed, the number of the line that says so, and what it printed."""

    name: str
    number: int
    lines: list[str] = field(factory=list)


@define
class Target:
    """A binary with tests, or the doctests of a package.

    Args:
        crate: What its file is called, with underscores.
        options: Those of cargo that choose it, as far as they are known.
        package: Whose it is, where cargo says so.
        unit: The crate whose unit tests ran last before.
        tests: What failed.
        named: The tests that were said to have failed as they ended.
        listed: What the list at the end names.
        part: Where in the output of libtest a line stands: nothing, successes, blocks or list.
        begun: The test that was named last; what follows is its own until it is said how it ended.
        open: The test whose block is read.
        announced: Whether it began to run.
        total: How many tests it said to run.
        ran: How many of them were named as they ran.
        overflowed: The test whose stack was too small.
        died: How the binary itself ended, if not as it should.
        number: The number of the line that says so.
        counted: How many failed, as the binary counts.
        failed: Whether cargo says that it failed.
    """

    crate: str = ""
    options: tuple[str, ...] = ()
    package: str = ""
    unit: str = ""
    tests: dict[str, Test] = field(factory=dict)
    named: set[str] = field(factory=set)
    listed: list[str] = field(factory=list)
    part: str = ""
    begun: Test | None = None
    open: Test | None = None
    announced: bool = False
    total: int | None = None
    ran: int = 0
    overflowed: str = ""
    died: str = ""
    number: int = 0
    counted: int | None = None
    failed: bool = False

    @property
    def has_failed(self) -> bool:
        """Whether anything failed in it, as far as is known."""
        return bool(self.tests or self.died or self.overflowed or self.failed)

    def was_said(self) -> None:
        """Take what looked like the list at the end for something that a test printed."""
        if self.part == "list" and self.open:
            self.open.lines += ["failures:", *(f"    {name}" for name in self.listed)]
        self.part = "blocks"

    def chosen_by(self, options: str) -> None:
        """Take what cargo says of how to run it again: `-p app --test it`."""
        words = options.split()
        package = words[1] if words[:1] in (["-p"], ["--package"]) and len(words) > 1 else ""
        chosen = tuple(words[2:] if package else words)
        underscored = tuple(word.replace("-", "_") if at else word for at, word in enumerate(chosen))
        if chosen and self.options in ((), UNKNOWN, chosen, underscored):  # files of binaries have no hyphens
            self.options = chosen
            self.package = package or self.package
        self.failed = True
        if self.part in {"blocks", "list"} or (self.total is not None and self.counted is None):
            return  # a test may have printed it, or the streams are not in order
        self.part = ""
        if self.counted is None:
            self.counted = len(self.tests)

    def owner(self, package: str) -> str:
        """Give what stands before the name of a test: its package, and of what is not the library the target."""
        kind = self.options[0] if self.options else ""
        name = self.options[1] if len(self.options) > 1 else ""
        return "::".join(part for part in (package, f"{KINDS.get(kind, '')}{name}") if part)

    def failures(self, package: str) -> Iterable[Failure]:
        """Give what failed in it; of a binary that died only what did not fail before."""
        owner, place = self.owner(package), self._place()
        for test in self.tests.values():
            message, file, line = told(test.lines, test.name)
            if self.options[:1] == ("--doc",) and not line:
                file, line = _documented(test.name)
            yield Failure(
                tool="cargo",
                name="::".join(part for part in (owner, test.name) if part),
                message=message,
                file=file,
                line=line,
                selector=test.name,
                place=place,
                log_line=test.number,
                confidence="high" if self.counted == len(self.tests) else "medium",
            )
        by_itself = self.failed and not self.announced and self.options[:1] == ("--test",)  # and not by libtest
        crashed = not self.tests and (by_itself or (self.died and not self.died.startswith("exit ")))
        if (crashed or self.overflowed) and "SIGKILL" not in self.died:  # who was killed is told elsewhere
            yield self._crash(owner, place)

    def _place(self) -> str:
        options = () if self.options == UNKNOWN else self.options
        return " ".join((*(("-p", self.package) if self.package else ()), *options))

    def _crash(self, owner: str, place: str) -> Failure:
        test = self.overflowed if self.overflowed != "main" else ""
        overflowed = "has overflowed its stack; " if self.overflowed else ""
        return Failure(
            tool="cargo",
            name="::".join(part for part in (owner, test) if part) or self.crate or "cargo test",
            message=f"{overflowed}{self.died}".strip("; ") or "test failed",
            selector=test,
            place=place,
            log_line=self.number,
            confidence="medium",
        )


def begun(text: str, unit: str) -> Target | None:
    """Give the binary that a line says to run; None if it says none. Old versions do not tell of which kind it is."""
    if found := DOCTESTS.match(text):
        return Target(crate=found[1].replace("-", "_"), package=found[1], options=("--doc",))
    found = RUNNING.match(text)
    if not found:
        return None
    crate, source = found[4], (found[2] or found[3] or "").replace("\\", "/")
    if not source:
        return Target(crate=crate, options=UNKNOWN)
    if not found[1]:
        kind = "--bench" if "benches/" in source else "--example" if "examples/" in source else "--test"
        return Target(crate=crate, options=(kind, crate), unit=unit)
    if source.endswith("main.rs") or "bin/" in source:
        return Target(crate=crate, options=("--bin", crate), unit=crate if source.endswith("main.rs") else unit)
    return Target(crate=crate, options=LIBRARY, unit=crate)


def item(name: str) -> str:
    """Give the item of a doctest, by which rustdoc chooses; its arguments are parted at spaces."""
    found = re.match(r"^(\S+) - (\S*) ?\(line \d+\)", name)
    return found[2] or found[1] if found else name.partition(" ")[0]


def _documented(name: str) -> tuple[str, int | None]:
    found = re.match(r"^(\S+) - .*\(line (\d+)\)", name)
    return (found[1].replace("\\", "/"), int(found[2])) if found else ("", None)
