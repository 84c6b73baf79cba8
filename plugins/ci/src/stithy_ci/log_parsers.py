"""The parsers of logs that a server uses: all that `ci_failures` finds."""

import logging

from ci_failures import ParserSet, load_parsers
from stithy_core.spi import Scope


def load_log_parsers(scope: Scope) -> ParserSet:  # noqa: ARG001 -- a factory is passed its scope
    """Load the parsers; call `scope.shared(load_log_parsers)` to share them within a server."""
    # Only the loggers below `stithy` are formatted, and secrets removed from what they write.
    logging.getLogger("ci_failures").parent = logging.getLogger("stithy.ci")
    return load_parsers()
