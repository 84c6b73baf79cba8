"""All parsers of a server: those that stithy-ci brings, and those of other plugins."""

from collections.abc import Mapping

from attrs import frozen

from stithy_ci.logs.reading import Literals
from stithy_ci.parsers import built_in
from stithy_ci.spi import LogParser, stithy_log_parsers
from stithy_core.spi import Scope


@frozen
class Parsers:
    """What reads logs, made once for a server.

    Args:
        literals: What the reader of a log wants.
        by_tool: Who writes the commands that run something again.
    """

    literals: Literals
    by_tool: Mapping[str, type[LogParser]]


def parsers(scope: Scope) -> Parsers:
    """Make them; ask for it by `scope.shared(parsers)`."""
    brought = [parser for parser, _ in scope.collect(stithy_log_parsers)]
    every = (*built_in(), *brought)
    # Of two with one tool, the one that stithy-ci brings: a stranger's does not take its place.
    return Parsers(Literals(every), {parser.tool: parser for parser in reversed(every)})
