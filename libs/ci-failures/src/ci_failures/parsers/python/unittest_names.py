"""What unittest calls a test, and where its modules lie."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from attrs import frozen

from ci_failures.parsers.common import relative
from ci_failures.parsers.python.pytest_blocks import NOT_OURS

NAMED = re.compile(r"(\S+) \(([\w.<>]+)\)(?= |$)")
ODD = re.compile(r"(\S.{0,300}?) \((\w+(?:\.[\w<>]+)+)\)(?= |$)")
"""A test that a program named: `test_names('a.json', ...) (tests.test_a.T)`."""
BROKEN = ("unittest.loader._FailedTest", "unittest.loader.ModuleImportFailure")


class Frame(NamedTuple):
    """A line of a traceback.

    Args:
        path: As it is printed.
        line: The line in it.
        function: What was called; empty where only a file was read.
    """

    path: str
    line: int
    function: str


@frozen
class Name:
    """What a title names.

    Args:
        name: `tests.test_a.TestA.test_b`, also of what a class or a module does before and after its tests.
        selector: What runs it: the test, the class or the module.
        broken: Whether it is a module that cannot be imported.
    """

    name: str
    selector: str
    broken: bool = False

    def within(self, path: str) -> bool:
        """Tell whether a file is the module of that name."""
        return path.removesuffix(".py").replace("/", ".").endswith(self.name)


def named(title: str, _: Sequence[Frame] = ()) -> Name | None:
    """Read a title: `test_b (tests.test_a.TestA.test_b) (i=0)`; before Python 3.11 without the last `.test_b`."""
    found = NAMED.match(title) or ODD.match(title)
    if not found:
        return None
    what, where = found[1], found[2]
    if where.startswith(BROKEN):
        return Name(what, what, broken=True)
    if what in {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}:
        return Name(f"{where}.{what}", where)
    whole = where if where.endswith(f".{what}") else f"{where}.{what}"
    return Name(whole, whole)


def root_of(frames: Iterable[Frame], selector: str) -> str:
    """Find the folder that the modules' names begin in: `tests.test_a.T` lies in /work/tests/test_a.py."""
    parts = selector.split(".")
    ways = ["/".join(parts[:length]) for length in range(len(parts), 0, -1)]
    paths = [frame.path.replace("\\", "/") for frame in frames]
    for way in ways:
        for path in paths:
            for end in (f"/{way}.py", f"/{way}/__init__.py"):
                if path.endswith(end):
                    return path[: len(path) - len(end) + 1]
    return ""


def library(path: str) -> bool:
    """Tell whether a file is Python's, or of a package that was installed."""
    return any(mark in path for mark in NOT_OURS)


def path_of(path: str, root: str, package: str = "") -> str:
    """Give a path as the repository has it; empty for one from elsewhere.

    What is tested may have been installed before: its own package there is the repository's.

    Args:
        path: As it is printed.
        root: The folder that the modules' names begin in.
        package: The package that the tests are in.
    """
    if library(path):
        own = package and library(root) and path.startswith(f"{root}{package}/")
        return path.removeprefix(root) if own else ""
    plain = relative(path)
    if root and (plain.startswith("/") or plain[1:2] == ":"):
        plain = plain.replace("\\", "/").removeprefix(root)
    return "" if plain.startswith(("/", "../")) or plain[1:2] == ":" else plain
