"""Names of Swift's tests, `Module.Class/method`, and failures without repetitions."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative

OBJECTIVE = re.compile(r"^-\[(\S+) (\S+)\]$")


def xctest(raw: str, number: int, message: str = "", path: str = "", line: str = "") -> Failure:
    """Create a failure of a test of XCTest, with the module if it is printed."""
    if found := OBJECTIVE.match(raw):
        of, method = found[1], found[2]
    else:
        of, _, method = raw.removesuffix("()").replace("/", ".").rpartition(".")
    name = f"{of}/{method}" if of else method
    return add_place(
        Failure(tool="swift", name=name, message=message[:MOST_TEXT], selector=name, log_line=number), path, line
    )


def of_testing(raw: str, number: int, message: str = "") -> Failure:
    """Create a failure of a test of Swift Testing: by its function, or by its display name, which nothing selects."""
    name = raw[1:-1] if raw.startswith('"') else raw
    selector = name.partition("(")[0] if raw == name and "(" in name else ""
    return Failure(tool="swift", name=name, message=message[:MOST_TEXT], selector=selector, log_line=number)


def add_place(failure: Failure, path: str, line: str) -> Failure:
    """Return a failure with its place, if there is one."""
    known = path and not path.startswith("<")
    return evolve(failure, file=relative(path), line=int(line)) if known else failure


class Kept(Parser):
    """Each test once, whether its module is printed or not."""

    tool: ClassVar[str] = "swift"

    def __init__(self) -> None:
        self.found: dict[str, Failure] = {}
        self._ended: set[str] = set()

    def keep(self, failure: Failure, *, ended: bool = False) -> str:
        """Record a failure, or add to a known one; return the key under which it is kept."""
        of, _, method = failure.name.rpartition("/")
        key = f"{of.rpartition('.')[2]}/{method}" if of else failure.name
        if ended:
            self._ended.add(key)
        known = self.found.get(key)
        if known is None:
            if len(self.found) < MOST_FAILURES:
                self.found[key] = failure
            return key if key in self.found else ""
        longer = max(known.name, failure.name, key=len)
        file, line = (known.file, known.line) if known.file else (failure.file, failure.line)
        self.found[key] = evolve(
            known, name=longer, selector=longer if of else known.selector, file=file, line=line,
            message=known.message or failure.message,
        )  # fmt: skip
        return key

    def finish(self) -> Iterable[Failure]:
        """Return what failed; with less confidence if its end was not printed."""
        return [one if key in self._ended else evolve(one, confidence="medium") for key, one in self.found.items()]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these by SwiftPM."""
        patterns = each_once(one.selector for one in failures)
        words = [word for one in patterns for word in ("--filter", re.sub(r"([.()+*?$\[\]])", r"\\\1", one))]
        return command("swift", "test", *words) if words else ""
