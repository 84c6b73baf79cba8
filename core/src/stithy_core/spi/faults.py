"""A fault of another plugin than the one whose tool was called."""

from stithy_core.errors import InternalError
from stithy_core.spi.runtime import Contribution


class PluginFault(InternalError):
    """A fault inside a plugin that a tool relies on, such as that of a forge.

    Args:
        message: What failed, to whom it belongs.
        suggestion: What to do next.
        origin: Whose fault it is.
        offer: What of it failed: `forge kind gitlab, Threads.reply`.
        cause: What went wrong, without texts of third parties.
    """

    def __init__(self, message: str, *, suggestion: str, origin: Contribution, offer: str, cause: str) -> None:
        super().__init__(f"{message}: {cause}", suggestion=suggestion)
        self.origin = origin
        self.offer = offer
        self.cause = cause
