"""The built-in parsers, by family; `ci_failures.parser_registry` adds those of other distributions.

`literals` and `first_lines` have what is needed of each before a log wakes it: `python -m ci_failures.parsers` writes
them from the classes.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

from ci_failures.model import LazyParser, Parser
from ci_failures.parsers.first_lines import FIRST_LINES
from ci_failures.parsers.literals import LITERALS

FAMILIES = (
    "python",
    "javascript",
    "go_rust",
    "jvm",
    "scripting",
    "native",
    "platforms",
    "linters",
    "deployment",
    "infrastructure",
)

COMMON = frozenset(
    {"automake", "bats", "cargo", "dependencies", "django", "gcc/clang", "go", "gradle", "javac", "jest", "karma"}
    | {"mocha", "node:test", "nose", "pytest", "robot", "rspec", "surefire", "tap", "test-unit", "unittest", "vitest"}
)
"""Tools whose parsers are likely to wake: those that logs of nine or more tools wake, and the most used test tools."""


@cache
def list_built_in() -> tuple[LazyParser, ...]:
    """Return all of them, none of which is imported before it is needed; one that reads for others precedes these."""
    parsers: dict[str, LazyParser] = {}
    for path, tool, reads_with, own in LITERALS:
        first_line, reader = FIRST_LINES.get(path, ""), parsers[reads_with] if reads_with else None
        wakes = reader.wakes if reader else own
        parsers[path] = LazyParser(f"ci_failures.parsers.{path}", tool, wakes, reader, first_line)
    return tuple(parsers.values())


def load_common() -> None:
    """Import the parsers of `COMMON` ahead of the first log, while nobody waits."""
    for parser in list_built_in():
        if parser.tool in COMMON:
            parser.load()


def load_built_in() -> tuple[type[Parser], ...]:
    """Import all of them, and return their classes."""
    return tuple(parser.load() for parser in list_built_in())


def list_paths() -> list[str]:
    """Return the module and the class of each, as `python.pytest:Pytest`."""
    families = {family: import_module(f"ci_failures.parsers.{family}") for family in FAMILIES}
    return [f"{family}.{path}" for family, module in families.items() for path in module.PATHS]


def family_attributes(family: str, paths: Sequence[str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a family: `PARSERS` and the classes, which are imported when they are asked for."""

    def get(name: str) -> object:
        wanted = [path for path in paths if name in {"PARSERS", path.rpartition(":")[2]}]
        if not wanted:
            raise AttributeError(f"module '{family}' has no attribute '{name}'")
        classes = tuple(LazyParser(f"{family}.{path}").load() for path in wanted)
        return classes if name == "PARSERS" else classes[0]

    return get
