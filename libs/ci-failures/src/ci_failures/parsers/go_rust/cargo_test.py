"""`cargo test`: unit tests, integration tests and doctests, one binary after the other."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.go_rust.cargo_targets import LIBRARY, UNKNOWN, Target, Test, item, parse_target
from ci_failures.parsers.text_helpers import command, each_once, relative, strip_mark

COMPILING = re.compile(r"^ +(?:Compiling|Checking|Fresh|Testing) (\S+) v\S+ \(([^)]*[\\/][^)]*)\)")
BEGINS = re.compile(r"^running (\d+) tests?$")
MODE = r"(?: - (?:should panic|compile fail|compile))?"
"""What libtest adds to the name of a test with another way to pass."""
VERDICT = re.compile(rf"^test (.+?){MODE} \.\.\. (.*)$")
FAILED = re.compile(r"FAILED(?: \(time limit exceeded\))?(?: [<(]?[\d.]+s[>)]?)?$")
SHORT = re.compile(rf"^(?:(.+?){MODE} --- )?FAILED$")
BLOCK = re.compile(rf"^---- (.+?){MODE} std(?:out|err) ----$")
LISTED = re.compile(rf"^(.+?){MODE}$")
RESULT = re.compile(r"^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (?:(\d+) measured; )?")
AGAIN = re.compile(r"^error: (?:test|doctest|bench|\d+ targets?) failed, to re-?run pass [`'](.*?)[`']$")
OVERFLOW = re.compile(r"^thread '(.+?)'(?: \(\d+\))? has overflowed its stack$")
DIED = re.compile(r"^  process didn't exit successfully: `.*` \((signal: \d.*|exit (?:status|code): .*)\)$")
NEXTEST = (" Nextest run ID ", " tests across ", " test across ")


class CargoTest(Parser):
    """Parser of libtest's output for each binary, and of cargo's lines between them."""

    tool = "cargo"
    wakes = (
        "     Running ", "   Doc-tests ", "   Compiling ", "\nrunning ", "]running ", " ... FAILED", "--- FAILED",
        " stdout ----", "test result: ", "to rerun pass ", " has overflowed its stack", "(signal: ",
        "Nextest run ID", " tests across ", " test across ",
    )  # fmt: skip

    def __init__(self) -> None:
        self._targets: list[Target] = []
        self._packages: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._unit = ""
        self._now = Target()
        self._nested = False

    def read(self, line: Line) -> bool:
        """Read a line; awake from the start of a binary until cargo has reported its end."""
        number, text = line.number, strip_mark(line.text)
        if text.startswith(" ") and any(map(text.__contains__, NEXTEST)):
            self._nested = True  # its output contains the output of libtest
        if text.startswith(" ") and "(" in text and (found := COMPILING.match(text)):
            self._packages[found[1].replace("-", "_")] = found[1]
            self._folders[found[1]] = relative(found[2])
        elif text.startswith((" ", "\t")) and ("Running " in text or "Doc-tests " in text) and self._begins(text):
            self._nested = False
            return True
        if self._nested or self._take(number, text):
            return not self._nested
        return self._now.counted is None and (self._now.announced or bool(self._now.tests))

    def _begins(self, text: str) -> bool:
        """Read the line that names the next binary."""
        if self._now.part == "blocks":  # it is output of a test
            return False
        target = parse_target(text, self._unit)
        if not target:
            return False
        self._next(target)
        self._unit = target.unit or self._unit
        return True

    def _next(self, target: Target) -> None:
        self._keep()
        self._now = target

    def _keep(self) -> None:
        if self._now.has_failed and len(self._targets) < MOST_FAILURES:
            self._targets.append(self._now)

    def _take(self, number: int, text: str) -> bool:
        """Read a line of libtest or of cargo, and return whether the next one is wanted in any case."""
        now = self._now
        if not now.part and self._verdict(number, text):
            return True
        if text == "successes:" and not now.part:
            now.part = "successes"
        elif text == "failures:":
            now.part = "list" if now.part == "blocks" else "blocks"
            now.listed = []
        elif text.startswith("test result: ") and (result := RESULT.match(text)):
            self._result(number, result)
        elif not self._read_end(number, text):
            self._read_block(number, text)
            return bool(now.part)
        return True

    def _verdict(self, number: int, text: str) -> bool:
        """Read a line that begins the tests of a binary, or that reports the end of one test."""
        now = self._now
        if text.startswith("test ") and (verdict := VERDICT.match(text)):
            now.begun = Test(verdict[1], number)
            now.ran += 1
            if FAILED.search(verdict[2]):
                self._add_test(now.begun)
            return True
        if text.endswith("FAILED") and (short := SHORT.match(text)):
            test = Test(short[1], number) if short[1] else now.begun
            if test:
                self._add_test(test)
            return True
        if text.startswith("running ") and (begins := BEGINS.match(text)):
            if now.announced:  # a binary without a name, as with --quiet
                self._next(Target())
            self._now.announced, self._now.total = True, int(begins[1])
            return True
        return False

    def _read_end(self, number: int, text: str) -> bool:
        """Read a line that reports the end of a binary."""
        now = self._now
        if text.startswith("error: ") and (again := AGAIN.match(text)):
            now.chosen_by(again[1])
            now.number = now.number or number
        elif text.startswith("thread '") and (found := OVERFLOW.match(text)):
            now.overflowed, now.number = found[1], number
        elif text.startswith("  process didn't") and (died := DIED.match(text)):
            now.died, now.number = died[1], now.number or number
        else:
            return False
        return True

    def _read_block(self, number: int, text: str) -> None:
        """Read a line of a block or of the list of failed tests."""
        now = self._now
        if now.part == "successes":
            return
        if now.part and text.startswith("---- ") and (block := BLOCK.match(text)):
            test = now.tests.get(block[1])
            if test is None and self._is_quiet():
                test = now.tests[block[1]] = Test(block[1], number)
            if test:
                now.open, now.part = test, "blocks"
                return
        if now.part == "list":
            if text.startswith("    ") and text.strip():
                now.listed.append(text[4:])
                return
            if not text:
                return
            now.discard_list()
        now.say(text)

    def _add_test(self, test: Test) -> None:
        self._now.panicked = None
        if len(self._now.tests) < MOST_FAILURES:
            self._now.tests.setdefault(test.name, test)
            self._now.named.add(test.name)
        self._now.begun = None

    def _is_quiet(self) -> bool:
        """Check whether tests are not named as they end: then only their blocks name them."""
        return not self._now.tests or all(one.lines or one is self._now.open for one in self._now.tests.values())

    def _result(self, number: int, result: re.Match[str]) -> None:
        now, failed = self._now, int(result[3])
        if now.total not in {None, sum(int(count or 0) for count in result.groups()[1:])}:  # it is output of a test
            now.discard_list()
            now.part = "" if 0 < now.ran < (now.total or 0) else now.part
            return
        names = [LISTED.sub(r"\1", name) for name in now.listed[:MOST_FAILURES]]
        strange = now.named - set(names)  # without capturing, a test may have printed that another one failed
        unsure = bool(strange) and (now.total is None or strange == now.named)
        if now.part == "blocks" or (now.part == "list" and (failed != len(now.listed) or unsure)):
            now.discard_list()
            now.refused = None if now.total is None else failed
            return
        now.counted, now.part, now.open = failed, "", None
        if failed or result[1] != "FAILED":
            now.tests = {name: now.tests.get(name) or Test(name, number) for name in names}

    def finish(self) -> Iterable[Failure]:
        """Return what failed, each test of each binary once."""
        self._keep()
        self._now = Target()
        once: dict[str, Failure] = {}
        owners: dict[str, str] = {}
        for target in self._targets:
            package = target.package or self._package(target)
            for one in target.failures(package):
                owners[one.name] = package
                before = once.get(one.name)
                once[one.name] = one if before is None else evolve(before, attempts=before.attempts + 1)
        return _from_the_root(once.values(), owners, self._folders)

    def total(self) -> int | None:
        """Return the sum of all binaries' totals, of which each that crashed without one is one failure."""
        counts = (one.refused if one.counted is None else one.counted for one in self._targets if one.tests)
        known = [count for count in counts if count is not None]
        return sum(known) + sum(target.is_crash for target in self._targets) if known else None

    def _package(self, target: Target) -> str:
        """Return the package of a binary as far as the log shows it.

        By name, by what ran before, or by what was compiled.
        """
        own = target.crate if target.options in (LIBRARY, UNKNOWN) else ""
        crate = own or target.unit
        if not crate and len(self._packages) == 1:
            return next(iter(self._packages.values()))
        return self._packages.get(crate, crate)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command for tests of one binary; rustdoc can select only the item of a doctest."""
        options = failures[0].place.split() if failures else []
        names = each_once(one.selector for one in failures)
        if "--doc" in options:
            items = each_once(item(name) for name in names)
            return command("cargo", "test", *options, *(("--", *items) if items else ()))
        return command("cargo", "test", *options, *(("--", "--exact", *names) if names else ()))


def _from_the_root(
    failures: Iterable[Failure], owners: Mapping[str, str], folders: Mapping[str, str]
) -> Iterable[Failure]:
    """Add a package's folder to files that are relative to it.

    Stacks print them relative to the root, panics do not.
    """
    failures = list(failures)
    known: dict[str, set[str]] = defaultdict(set)
    for one in failures:
        folder, within, _ = one.file.partition("/src/" if "/src/" in one.file else "/tests/")
        if within and not one.file.startswith("/"):
            known[owners[one.name]].add(folder)
    for package, folder in folders.items():
        if folder and not folder.startswith("/"):
            known[package].add(folder)
    for one in failures:
        some = known[owners[one.name]]
        bare = one.file.startswith(("src/", "tests/")) and len(some) == 1
        yield evolve(one, file=f"{min(some)}/{one.file}") if bare else one
