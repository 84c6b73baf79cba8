"""The endpoints of the comments service (SERVE-2): on GitHub as specified, and the same on every forge by its alias."""

from stithy_core.spi import Route

ROOTS = ("", "/forges/{alias}")
ISSUE, PULL = "/repos/{owner}/{repo}/issues/{number}", "/repos/{owner}/{repo}/pulls/{number}"
ENDPOINTS = {
    f"{PULL}/comments": "reviews",
    f"{PULL}/comments/combined": "combined",
    f"{ISSUE}/comments": "comments",
    f"{ISSUE}/timeline": "timeline",
}
SECONDS = 60.0
"""A conversation of 10,000 comments is read in a hundred requests, one after the other."""


def routes() -> list[Route]:
    """Give the endpoints, and their description."""
    given = {f"{root}{path}": name for root in ROOTS for path, name in ENDPOINTS.items()}
    return [_route(path, name) for path, name in {**given, "/openapi.json": "document"}.items()]


def _route(path: str, name: str) -> Route:
    return Route(method="GET", path=path, handler=f"stithy_comments.service.handling:{name}", seconds=SECONDS)
