"""`cargo test`: unit tests, integration tests and doctests, a binary after the other."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.common import command, each_once, relative, unmarked
from ci_failures.parsers.go_rust.cargo_targets import LIBRARY, UNKNOWN, Target, Test, begun, item

COMPILING = re.compile(r"^ +(?:Compiling|Checking|Fresh|Testing) (\S+) v\S+ \(([^)]*[\\/][^)]*)\)")
BEGINS = re.compile(r"^running (\d+) tests?$")
MODE = r"(?: - (?:should panic|compile fail|compile))?"
"""What libtest adds to the name of a test that passes in another way."""
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
MOST_LINES = 400


class CargoTest(Parser):
    """Reads what libtest prints for each binary, and between them what cargo says of it."""

    tool = "cargo"
    wakes = (
        *("     Running ", "   Doc-tests ", "   Compiling ", "running ", " ... FAILED", "--- FAILED", " stdout ----"),
        *(
            "test result: ",
            "to rerun pass ",
            " has overflowed its stack",
            "(signal: ",
            "Nextest run ID",
            " tests across ",
            " test across ",
        ),
    )

    def __init__(self) -> None:
        self._targets: list[Target] = []
        self._packages: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._unit = ""
        self._now = Target()
        self._nested = False

    def read(self, line: Line) -> bool:
        """Take a line; awake from where a binary runs until cargo has said how it ended."""
        number, text = line.number, unmarked(line.text)
        if text.startswith(" ") and any(map(text.__contains__, NEXTEST)):
            self._nested = True  # it prints what libtest prints to it
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
        """Take the line that names the binary that runs next."""
        if self._now.part == "blocks":  # a test printed it
            return False
        target = begun(text, self._unit)
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
        """Take a line of libtest or of cargo, and say whether what follows is wanted in any case."""
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
        elif not self._ended(number, text):
            self._say(number, text)
            return bool(now.part)
        return True

    def _verdict(self, number: int, text: str) -> bool:
        """Take a line that begins the tests of a binary, or that says how one of them ended."""
        now = self._now
        if text.startswith("test ") and (verdict := VERDICT.match(text)):
            now.begun = Test(verdict[1], number)
            now.ran += 1
            if FAILED.search(verdict[2]):
                self._failed(now.begun)
            return True
        if text.endswith("FAILED") and (short := SHORT.match(text)):
            test = Test(short[1], number) if short[1] else now.begun
            if test:
                self._failed(test)
            return True
        if text.startswith("running ") and (begins := BEGINS.match(text)):
            if now.announced:  # a binary that is not named, as with --quiet
                self._next(Target())
            self._now.announced, self._now.total = True, int(begins[1])
            return True
        return False

    def _ended(self, number: int, text: str) -> bool:
        """Take a line that says how a binary ended."""
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

    def _say(self, number: int, text: str) -> None:
        """Take a line of a block or of the list of those that failed."""
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
            now.was_said()
        speaker = now.open if now.part == "blocks" else now.begun
        if speaker and len(speaker.lines) < MOST_LINES:
            speaker.lines.append(text)

    def _failed(self, test: Test) -> None:
        if len(self._now.tests) < MOST_FAILURES:
            self._now.tests.setdefault(test.name, test)
            self._now.named.add(test.name)
        self._now.begun = None

    def _is_quiet(self) -> bool:
        """Say whether tests are not named as they end: then their blocks are all that names them."""
        return not self._now.tests or all(one.lines or one is self._now.open for one in self._now.tests.values())

    def _result(self, number: int, result: re.Match[str]) -> None:
        now, failed = self._now, int(result[3])
        if now.total not in {None, sum(int(count or 0) for count in result.groups()[1:])}:  # a test printed it
            now.was_said()
            now.part = "" if 0 < now.ran < (now.total or 0) else now.part
            return
        names = [LISTED.sub(r"\1", name) for name in now.listed[:MOST_FAILURES]]
        strange = now.named - set(names)  # without capture a test may have printed that another one failed
        unsure = bool(strange) and (now.total is None or strange == now.named)
        if now.part == "blocks" or (now.part == "list" and (failed != len(now.listed) or unsure)):
            now.was_said()
            return
        now.counted, now.part, now.open = failed, "", None
        if failed or result[1] != "FAILED":
            now.tests = {name: now.tests.get(name) or Test(name, number) for name in names}

    def finish(self) -> Iterable[Failure]:
        """Give what failed, each test of each binary once."""
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

    def counted(self) -> int | None:
        """Give the sum of what all binaries count."""
        known = [target.counted for target in self._targets if target.counted is not None and target.tests]
        return sum(known) if known else None

    def _package(self, target: Target) -> str:
        """Give whose a binary is, as far as the log tells: by its name, what ran before it, or what was compiled."""
        own = target.crate if target.options in (LIBRARY, UNKNOWN) else ""
        crate = own or target.unit
        if not crate and len(self._packages) == 1:
            return next(iter(self._packages.values()))
        return self._packages.get(crate, crate)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Run tests of one binary again; a doctest can be chosen only by the item that it documents."""
        options = failures[0].place.split() if failures else []
        names = each_once(one.selector for one in failures)
        if "--doc" in options:
            items = each_once(item(name) for name in names)
            return command("cargo", "test", *options, *(("--", *items) if items else ()))
        return command("cargo", "test", *options, *(("--", "--exact", *names) if names else ()))


def _from_the_root(
    failures: Iterable[Failure], owners: Mapping[str, str], folders: Mapping[str, str]
) -> Iterable[Failure]:
    """Put a package's folder before files that are named as seen from it: stacks name them so, panics do not."""
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
