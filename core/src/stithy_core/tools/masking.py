"""What broke inside a plugin, as who called may know it: the log has the rest."""

import logging

from stithy_core.containment import leaves_of
from stithy_core.errors import InternalError, StithyError
from stithy_core.spi import Contribution

log = logging.getLogger("stithy.tools")


def told(error: BaseException, name: str, origin: Contribution) -> StithyError:
    """Find the known error inside an exception group, or mask what is not known.

    Args:
        error: What was raised.
        name: What was called: a tool, or a route.
        origin: Whose it is.
    """
    leaves = leaves_of(error)
    known = [leaf for leaf in leaves if isinstance(leaf, StithyError)]
    if known and len(known) == len(leaves):
        return known[0]
    log.error("%s failed inside %s", name, origin, exc_info=error)
    masked = inside(name, origin, "", "The server's log has the cause; report it to the plugin's author.")
    masked.__cause__ = error
    return masked


def inside(name: str, origin: Contribution, what: str, suggestion: str) -> InternalError:
    """Say whose fault it is, without its text."""
    return InternalError(f"{name} failed inside {origin}{what}", suggestion=suggestion)
