"""What the tools are called, what they take and what they promise: all that a start needs of them."""

from stithy_comments.offers import conversation, reading, service, talk, threads, unresolved
from stithy_core.spi import Route, ToolSpec


def tools() -> list[ToolSpec]:
    """Give all: those of specs/1, of specs/4, and what reads whole conversations (specs/2 and 5)."""
    return [*talk.tools(), *threads.tools(), *reading.tools(), *unresolved.tools(), *conversation.tools()]


def routes() -> list[Route]:
    """Give the endpoints of the comments service (specs/5)."""
    return service.routes()
