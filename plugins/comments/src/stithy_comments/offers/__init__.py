"""Specifications of the tools and endpoints: all that the server loads of them at startup."""

from stithy_comments.offers import conversation, reading, service, talk, threads, unresolved
from stithy_core.spi import Route, ToolSpec


def tools() -> list[ToolSpec]:
    """Return all tools: of conversations (COM-9), of threads (REPLY-1), of whole pull requests (PULL-20)."""
    return [*talk.tools(), *threads.tools(), *reading.tools(), *unresolved.tools(), *conversation.tools()]


def routes() -> list[Route]:
    """Return the endpoints of the comments service (SERVE-2)."""
    return service.routes()
