"""The names of unittest's tests, and the directory of its modules."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from attrs import frozen

from ci_failures.parsers.python.pytest_blocks import NOT_OURS
from ci_failures.parsers.text_helpers import relative

NAMED = re.compile(r"(\S+) \(([\w.<>]+)\)(?= |$)")
ODD = re.compile(r"(\S.{0,300}?) \((\w+(?:\.[\w<>]+)+)\)(?= |$)")
"""A test that a program named: `test_names('a.json', ...) (tests.test_a.T)`."""
DOTTED = re.compile(r"([A-Za-z_]\w*(?:\.\w+){2,})(?= \(|$)")
"""A test as testtools names it."""
BROKEN = ("unittest.loader._FailedTest", "unittest.loader.ModuleImportFailure")


class Frame(NamedTuple):
    """A line of a traceback.

    Args:
        path: The path as it is printed.
        line: The line in the file.
        function: The function that was called; empty where a module was imported.
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
        """Check whether a file is the module of that name."""
        return path.removesuffix(".py").replace("/", ".").endswith(self.name)


def parse_title(title: str, _: Sequence[Frame] = ()) -> Name | None:
    """Parse a title: `test_b (tests.test_a.TestA.test_b) (i=0)`; before Python 3.11 without the last `.test_b`."""
    found = NAMED.match(title) or ODD.match(title)
    if not found:
        dotted = DOTTED.match(title)
        return Name(dotted[1], dotted[1]) if dotted else None
    what, where = found[1], found[2]
    if where.startswith(BROKEN):
        return Name(what, what, broken=True)
    if what in {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}:
        return Name(f"{where}.{what}", where)
    whole = where if where.endswith(f".{what}") else f"{where}.{what}"
    return Name(whole, whole)


def root_of(frames: Iterable[Frame], selector: str) -> str:
    """Return the directory in which the modules' names begin: `tests.test_a.T` is in /work/tests/test_a.py."""
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
    """Check whether a file belongs to Python, or to an installed package."""
    return any(mark in path for mark in NOT_OURS)


def path_of(path: str, root: str, package: str = "") -> str:
    """Return a path relative to the repository; empty for one outside of it.

    The tested package may be installed: its files are those of the repository.

    Args:
        path: The path as it is printed.
        root: The directory in which the modules' names begin.
        package: The package of the tests.
    """
    if library(path):
        own = package and library(root) and path.startswith(f"{root}{package}/")
        return path.removeprefix(root) if own else ""
    plain = relative(path)
    if root and (plain.startswith("/") or plain[1:2] == ":"):
        plain = plain.replace("\\", "/").removeprefix(root)
    return "" if plain.startswith(("/", "../")) or plain[1:2] == ":" else plain
