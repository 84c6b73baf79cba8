"""The endpoints of the comments service (SERVE-2): `/repos/…` for GitHub, `/forges/{alias}/repos/…` for every forge."""

from stithy_core.spi import Route

ROOTS = ("", "/forges/{alias}")
ISSUE, PULL = "/repos/{owner}/{repo}/issues/{number}", "/repos/{owner}/{repo}/pulls/{number}"
ENDPOINTS = {
    f"{PULL}/comments": "get_review_comments",
    f"{PULL}/comments/combined": "get_combined",
    f"{ISSUE}/comments": "get_comments",
    f"{ISSUE}/timeline": "get_timeline",
}
SECONDS = 60.0
"""Timeout of an answer: a conversation of 10,000 comments takes a hundred sequential requests to the forge."""


def routes() -> list[Route]:
    """Return the routes of the endpoints and of their OpenAPI document."""
    paths = {f"{root}{path}": name for root in ROOTS for path, name in ENDPOINTS.items()}
    return [_route(path, name) for path, name in {**paths, "/openapi.json": "get_document"}.items()]


def _route(path: str, name: str) -> Route:
    return Route(method="GET", path=path, handler=f"stithy_comments.service.endpoint_handlers:{name}", seconds=SECONDS)
