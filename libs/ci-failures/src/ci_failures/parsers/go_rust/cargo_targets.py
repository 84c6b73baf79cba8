"""The binaries that `cargo test` runs, and what failed in each of them."""

import re
from collections.abc import Iterable

from attrs import define, field

from ci_failures.model import MOST_FAILURES, Failure
from ci_failures.parsers.go_rust.panics import THREAD, parse_panic

RUNNING = re.compile(
    r"^ +Running (?:(unittests)(?: (\S+))? \(|(\S+) \(|)`?(?:\S*[\\/])?([\w\-]+)-[0-9a-f]{16}(?:\.exe)?[`)]?"
)
DOCTESTS = re.compile(r"^ +Doc-tests (\S+)$")
KINDS = {"--bin": "bin/", "--example": "example/", "--bench": "bench/", "--test": "", "--lib": "", "--doc": "doc"}
BUNDLE = "/doctest_bundle_"
"""The generated file that has all doctests of a crate, as the edition of 2024 compiles them."""
LIBRARY, UNKNOWN = ("--lib",), ("?",)
MOST_LINES = 400


@define
class Test:
    """A failed test, the number of the line that reports it, and its output."""

    name: str
    number: int
    lines: list[str] = field(factory=list)


@define
class Target:
    """A binary with tests, or the doctests of a package.

    Args:
        crate: The name of its file, with underscores.
        options: The options of cargo that choose it, as far as they are known.
        package: Its package, if cargo prints it.
        unit: The crate whose unit tests ran last before.
        tests: The failed tests.
        named: The tests that were reported as failed when they ended.
        listed: The tests of the list at the end.
        part: The part of libtest's output that a line is in: nothing, successes, blocks or list.
        begun: The test that was named last; the following lines are its output until its end is reported.
        open: The test whose block is read.
        panics: What was printed behind a panic outside of blocks, by its thread, which has the name of the test.
        panicked: The lines of the last of them, until the end of a test is reported.
        announced: Whether the number of its tests was printed.
        total: How many tests it announced.
        ran: How many of them were named as they ran.
        overflowed: The test whose stack overflowed.
        died: How the binary itself ended, if it crashed.
        number: The number of the line that reports it.
        counted: How many tests failed according to the binary.
        refused: The same of a result whose list has another length: without a later one, the log has lost lines.
        failed: Whether cargo reports that it failed.
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
    panics: dict[str, list[str]] = field(factory=dict)
    panicked: list[str] | None = None
    announced: bool = False
    total: int | None = None
    ran: int = 0
    overflowed: str = ""
    died: str = ""
    number: int = 0
    counted: int | None = None
    refused: int | None = None
    failed: bool = False

    @property
    def has_failed(self) -> bool:
        """Whether anything is known to have failed in it."""
        return bool(self.tests or self.died or self.overflowed or self.failed)

    def say(self, text: str) -> None:
        """Record a line of output: of a block, of the test that was named last, or behind a panic."""
        found = THREAD.match(text) if text.startswith("thread '") and not self.part else None
        if found and len(self.panics) < MOST_FAILURES:  # without capturing, tests print in parallel
            self.panicked = self.panics.setdefault(found[1], [])
        speaker = self.open if self.part == "blocks" else self.begun
        for lines in (speaker.lines if speaker else None, self.panicked):
            if lines is not None and len(lines) < MOST_LINES:
                lines.append(text)

    def output(self, test: Test) -> list[str]:
        """Return the output of a test, behind the panic of its thread if that was printed elsewhere."""
        captured = any(map(THREAD.match, test.lines))
        return test.lines if captured else [*self.panics.get(test.name, ()), *test.lines]

    def discard_list(self) -> None:
        """Discard a list at the end that was only output of a test."""
        if self.part == "list" and self.open:
            self.open.lines += ["failures:", *(f"    {name}" for name in self.listed)]
        self.part = "blocks"

    def chosen_by(self, options: str) -> None:
        """Read cargo's advice how to run it again: `-p app --test it`."""
        words = options.split()
        package = words[1] if words[:1] in (["-p"], ["--package"]) and len(words) > 1 else ""
        chosen = tuple(words[2:] if package else words)
        underscored = tuple(word.replace("-", "_") if at else word for at, word in enumerate(chosen))
        if chosen and self.options in (
            (),
            UNKNOWN,
            chosen,
            underscored,
        ):  # the names of binaries have underscores for hyphens
            self.options = chosen
            self.package = package or self.package
        self.failed = True
        if self.part in {"blocks", "list"} or (self.total is not None and self.counted is None):
            return  # a test may have printed it, or the streams are interleaved
        self.part = ""
        if self.counted is None:
            self.counted = len(self.tests)

    def owner(self, package: str) -> str:
        """Return the prefix of its tests' names: its package, and the target if that is not the library."""
        kind = self.options[0] if self.options else ""
        name = self.options[1] if len(self.options) > 1 else ""
        return "::".join(part for part in (package, f"{KINDS.get(kind, '')}{name}") if part)

    def failures(self, package: str) -> Iterable[Failure]:
        """Return what failed in it; of a binary that died, only what did not fail before."""
        owner, place = self.owner(package), self._place()
        for test in self.tests.values():
            message, file, line = parse_panic(self.output(test), test.name)
            if self.options[:1] == ("--doc",) and (not line or BUNDLE in file):
                file, line = _parse_item(test.name)
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
        if self.is_crash:
            yield self._crash(owner, place)

    @property
    def is_crash(self) -> bool:
        """Whether it ended without a result of its own; another parser reports killed processes."""
        by_itself = self.failed and not self.announced and self.options[:1] == ("--test",)  # and not by libtest
        broke_off = self.announced and self.counted is None  # a test called `process::exit`
        died = self.died and (broke_off or not self.died.startswith("exit "))
        crashed = not self.tests and (by_itself or died)
        return bool(crashed or self.overflowed) and "SIGKILL" not in self.died

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


def parse_target(text: str, unit: str) -> Target | None:
    """Return the binary that a line names as the next one; None for other lines. Old versions do not print its kind."""
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
    """Return the item of a doctest, by which rustdoc selects; its arguments are split at spaces."""
    found = re.match(r"^(\S+) - (\S*) ?\(line \d+\)", name)
    return found[2] or found[1] if found else name.partition(" ")[0]


def _parse_item(name: str) -> tuple[str, int | None]:
    found = re.match(r"^(\S+) - .*\(line (\d+)\)", name)
    return (found[1].replace("\\", "/"), int(found[2])) if found else ("", None)
