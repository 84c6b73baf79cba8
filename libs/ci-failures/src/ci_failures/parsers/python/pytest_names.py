"""The names of pytest's tests: `path::Class::test[param]`; in headers `Class.test[param]`."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from ci_failures.model import MOST_TEXT
from ci_failures.parsers.python.pytest_blocks import PytestBlock

GROUPED = re.compile(r"(.*(?:\]|::\w+))@[\w.-]+$")


class NamedLine(NamedTuple):
    """A line that names a test: in the summary, or as progress.

    Args:
        number: The number of the line.
        rest: The name of the test and, in the summary, a message after a dash.
    """

    number: int
    rest: str


def as_given(name: str) -> str:
    """Return a name as pytest accepts it: old versions print `()` in it, and xdist a group after it."""
    name = name.replace("::()::", "::")
    grouped = GROUPED.match(name) if "@" in name else None
    return grouped[1] if grouped else name


def within(name: str) -> str:
    """Return the name that a header prints: without the file, with dots between classes."""
    head, bracket, parameters = name.partition("::")[2].partition("[")
    return head.replace("::", ".") + bracket + parameters


class Matches:
    """Pairs of summary lines and blocks; each block is used once.

    Args:
        blocks: The blocks in their order.
        crashes: What --tb=line prints instead of blocks: a place and a message.
    """

    def __init__(self, blocks: Iterable[PytestBlock], crashes: Iterable[tuple[str, str]]) -> None:
        self._blocks: dict[str, list[PytestBlock]] = defaultdict(list)
        self._crashes = list(crashes)
        for block in blocks:
            for title in {block.title, block.name, block.title.removeprefix("[doctest] ")}:
                self._blocks[title].append(block)

    def split_line(self, rest: str) -> tuple[str, PytestBlock | None]:
        """Split a line of the summary into a name and a message; return the name and its block.

        Both may contain ` - `; the longest name that a block has is right.
        """
        ends = [found.start() for found in re.finditer(" - ", rest[:MOST_TEXT])]
        names = [rest[:end] for end in [*ends, len(rest)]]
        for name in reversed(names):
            if block := self.block(as_given(name)):
                return name, block
        for name in names:
            if self._has_crash(rest[len(name) + 3 :]):
                return name, None
        return next((name for name in names if "[" not in name or as_given(name).endswith("]")), rest), None

    def block(self, name: str) -> PytestBlock | None:
        """Return and use up the block of a test; of several, one that names its file."""
        key = name if name in self._blocks else within(name)
        path = name.partition("::")[0]
        blocks = [block for block in self._blocks.get(key, ()) if not block.taken]
        named = (block for block in blocks if any(one.replace("\\", "/").endswith(path) for one, _ in block.places))
        found = next(named, blocks[0] if blocks else None)
        if found:
            found.taken = True
        return found

    def _has_crash(self, message: str) -> bool:
        wanted = message.removesuffix("...")
        return bool(wanted) and any(text.startswith(wanted) for _, text in self._crashes)

    def crash(self, message: str) -> tuple[str, int] | None:
        """Return and use up the place that --tb=line prints with a message."""
        wanted = message.removesuffix("...")
        for index, (where, text) in enumerate(self._crashes):
            if wanted and text.startswith(wanted):
                del self._crashes[index]
                path, _, line = where.rpartition(":")
                return path, int(line)
        return None
