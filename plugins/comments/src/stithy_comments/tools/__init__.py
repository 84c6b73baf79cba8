"""Specifications of the tools, and routes of the comments service: all that the server loads of them at startup."""

from stithy_comments.tools import comment_tools, read_tool, stream_tool, thread_tools, unresolved_tool
from stithy_core.spi import Route, ToolSpec

ROOTS = ("", "/forges/{alias}")
"""Prefixes of the paths: none for GitHub, the alias for every forge."""
ISSUE, PULL = "/repos/{owner}/{repo}/issues/{number}", "/repos/{owner}/{repo}/pulls/{number}"
ENDPOINTS = {
    f"{PULL}/comments": "get_review_comments",
    f"{PULL}/comments/combined": "get_combined",
    f"{ISSUE}/comments": "get_comments",
    f"{ISSUE}/timeline": "get_timeline",
}
"""The handlers of the service's endpoints in `endpoint_handlers`, by path."""
ANSWER_SECONDS = 60.0
"""Timeout of an answer: a conversation of 10,000 comments takes a hundred sequential requests to the forge."""


def tools() -> list[ToolSpec]:
    """Return all tools: of conversations (COM-9), of threads (REPLY-1), of whole pull requests (PULL-20)."""
    modules = comment_tools, thread_tools, read_tool, unresolved_tool, stream_tool
    return [spec for module in modules for spec in module.tools()]


def routes() -> list[Route]:
    """Return the routes of the endpoints (SERVE-2) and of their OpenAPI document."""
    paths = {f"{root}{path}": name for root in ROOTS for path, name in ENDPOINTS.items()}
    return [_create_route(path, name) for path, name in {**paths, "/openapi.json": "get_document"}.items()]


def _create_route(path: str, name: str) -> Route:
    handler = f"stithy_comments.service.endpoint_handlers:{name}"
    return Route(method="GET", path=path, handler=handler, seconds=ANSWER_SECONDS)
