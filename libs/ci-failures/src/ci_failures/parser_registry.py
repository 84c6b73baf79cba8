"""The parsers that read a log: the built-in ones, and those that other distributions register as entry points."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from attrs import frozen

from ci_failures.logs.log_reader import Literals
from ci_failures.model import Parser
from ci_failures.parsers import load_built_in

log = logging.getLogger("ci_failures")

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


def load_parsers(extra: Iterable[type[Parser]] = ()) -> ParserSet:
    """Return all parsers: the built-in ones, those of the entry points, and `extra`.

    Where two parsers have one tool, both read logs, and the first writes the commands: a parser of a third party never
    replaces a built-in one. Loading takes about a tenth of a second.
    """
    parsers = (*load_built_in(), *_iterate_registered(), *extra)
    return ParserSet(Literals(parsers), {parser.tool: parser for parser in reversed(parsers)})


def _iterate_registered() -> Iterator[type[Parser]]:
    """Iterate over the parsers that installed distributions register; one that fails to load is logged and skipped."""
    found = entry_points(group=ENTRY_POINTS)
    for entry in sorted(found, key=lambda entry: (entry.dist.name if entry.dist else "", entry.name)):
        try:
            yield _load(entry)
        except Exception:  # the code of a third party may raise anything
            owner = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
            log.exception("cannot load the parser '%s' of %s: upgrade or uninstall it", entry.name, owner)


def _load(entry: EntryPoint) -> type[Parser]:
    parser = entry.load()
    if isinstance(parser, type) and issubclass(parser, Parser):
        return parser
    raise TypeError(f"'{entry.value}' is not a class derived from ci_failures.Parser")
