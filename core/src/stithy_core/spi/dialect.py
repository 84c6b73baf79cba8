"""How the API of a forge works: what the core's HTTP client must know of it."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from attrs import Factory, frozen

from stithy_core.errors import ForgeError


class Paging(Enum):
    """How the next page of a list is found.

    NUMBERS: by the parameter `page`, from 1 on. LINKS: by the header `Link` with `rel="next"` (RFC 8288), which is
    followed on the same origin only.
    """

    NUMBERS = "numbers"
    LINKS = "links"


@frozen(kw_only=True)
class ErrorResponse:
    """A response that reports an error.

    Args:
        status: The HTTP status; 200 for errors of GraphQL.
        message: The forge's message, cut to a few hundred characters.
        headers: The headers, with names in lower case.
        body: The parsed JSON; None if the body was not JSON.
        writing: Whether the request was a write.
    """

    status: int
    message: str
    headers: Mapping[str, str]
    body: Any
    writing: bool


def by_status(response: ErrorResponse) -> ForgeError | None:  # noqa: ARG001 -- the status says all
    """Return None, so that the HTTP status decides the error."""
    return None


def no_gaps(headers: Mapping[str, str]) -> str:  # noqa: ARG001 -- as above
    """Return an empty reason: the list is complete."""
    return ""


@frozen(kw_only=True)
class RateLimits:
    """The rate limits of a forge that its responses do not report; None where a limit is unknown.

    Args:
        concurrent: The maximum number of requests at the same time.
        points: Points per minute; a read costs one, a write `write_points`.
        writes: Writes per minute.
        write_points: The points that a write costs.
        free: API paths that do not count, such as the one that reports the limits.
    """

    concurrent: int = 16
    points: int | None = None
    writes: int | None = None
    write_points: int = 5
    free: tuple[str, ...] = ()


@frozen(kw_only=True)
class Dialect:
    """How the API of a forge works.

    Args:
        api: Returns the URL of the REST API for the forge's URL, without a trailing slash.
        graphql: Returns the URL of the GraphQL API for the forge's URL; None if the forge has none.
        headers: Sent with every request, beside the token.
        paging: How the next page is found.
        page_size: The query parameter for the number of items per page.
        map_error: Returns the error that a response means; None leaves it to the status. Missing `details` (forge,
            status, message) and `retry_after` are added.
        gaps: Returns, from the headers of a list (names in lower case), why items are missing; empty if none are.
            It becomes the listing's `cut`.
        rate_limits: The limits that responses do not report.
    """

    api: Callable[[str], str] = str
    graphql: Callable[[str], str] | None = None
    headers: Mapping[str, str] = Factory(dict)
    paging: Paging = Paging.NUMBERS
    page_size: str = "limit"
    map_error: Callable[[ErrorResponse], ForgeError | None] = by_status
    gaps: Callable[[Mapping[str, str]], str] = no_gaps
    rate_limits: RateLimits = RateLimits()
