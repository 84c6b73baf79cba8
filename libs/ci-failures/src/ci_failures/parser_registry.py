"""The parsers that read a log: the built-in ones, and those that other distributions register as entry points."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

from attrs import frozen

from ci_failures.logs.literal_search import Literals
from ci_failures.model import LazyParser, Parser, load_class
from ci_failures.parsers import list_built_in

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "ci_failures"
"""The group of entry points, each of which names a class derived from `Parser`."""


@frozen
class ParserSet:
    """Parsers of logs, prepared once and used for any number of logs, also by several threads.

    Args:
        literals: The literals that wake the parsers.
        by_tool: The parser class of each tool, which writes the commands that run failures again.
    """

    literals: Literals
    by_tool: Mapping[str, type[Parser]]


class ParsersByTool(Mapping[str, type[Parser]]):
    """The classes of parsers by their tools; the module of one is imported when its class is asked for."""

    def __init__(self, parsers: Mapping[str, type[Parser] | LazyParser]) -> None:
        self._parsers = parsers

    def __getitem__(self, tool: str) -> type[Parser]:
        """Return the class of the parser of a tool."""
        return load_class(self._parsers[tool])

    def __iter__(self) -> Iterator[str]:
        """Iterate over the tools."""
        return iter(self._parsers)

    def __len__(self) -> int:
        """Return the number of tools."""
        return len(self._parsers)


def load_parsers(extra: Iterable[type[Parser]] = ()) -> ParserSet:
    """Return all parsers: the built-in ones, those of the entry points, and `extra`.

    Where two parsers have one tool, both read logs, and the first writes the commands: a parser of a third party never
    replaces a built-in one. The modules of built-in parsers are imported when a log needs them.
    """
    parsers: tuple[type[Parser] | LazyParser, ...] = (*list_built_in(), *_iterate_registered(), *extra)
    return ParserSet(Literals(parsers), ParsersByTool({parser.tool: parser for parser in reversed(parsers)}))


def _iterate_registered() -> Iterator[type[Parser]]:
    """Iterate over the parsers that installed distributions register; one that fails to load is logged and skipped."""
    if not _may_be_registered():
        return
    import logging
    from importlib.metadata import entry_points

    found = entry_points(group=ENTRY_POINTS)
    for entry in sorted(found, key=lambda entry: (entry.dist.name if entry.dist else "", entry.name)):
        try:
            yield _load(entry)
        except Exception:  # the code of a third party may raise anything
            owner = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
            message = "cannot load the parser '%s' of %s: upgrade or uninstall it"
            logging.getLogger("ci_failures").exception(message, entry.name, owner)


def _may_be_registered() -> bool:
    """Check whether a distribution registers parsers; to import `importlib.metadata` takes longer than a small log."""
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in others):
        return True
    return any(map(_names_group, sys.path))


def _names_group(folder: str) -> bool:
    """Check whether the metadata of a distribution in a folder of `sys.path` contains the name of the group."""
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info", ".egg"))]
    except NotADirectoryError:  # an archive
        return True
    except OSError:
        return False
    return any(name.endswith(".egg") or _names_group_in(f"{folder or '.'}/{name}/entry_points.txt") for name in names)


def _names_group_in(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- to import pathlib takes as long as half of the search
            return f"[{ENTRY_POINTS}]".encode() in file.read()
    except OSError:
        return False


def _load(entry: "EntryPoint") -> type[Parser]:
    parser = entry.load()
    if isinstance(parser, type) and issubclass(parser, Parser):
        return parser
    raise TypeError(f"'{entry.value}' is not a class derived from ci_failures.Parser")
