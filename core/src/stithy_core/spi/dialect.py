"""How a forge speaks HTTP, told to the client that the core makes for it."""

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
    """An answer that is no success.

    Args:
        status: Its HTTP status; 200 for errors of GraphQL.
        message: What the forge said, cut to a few hundred characters.
        headers: With names in lower case.
        body: Its JSON; None where it was none.
        writing: Whether something was to be changed.
    """

    status: int
    message: str
    headers: Mapping[str, str]
    body: Any
    writing: bool


def by_status(refusal: ErrorResponse) -> ForgeError | None:  # noqa: ARG001 -- the forge has no more to say than HTTP has
    """Leave it to the status."""
    return None


def no_gaps(headers: Mapping[str, str]) -> str:  # noqa: ARG001 -- as above
    """Take a list for whole."""
    return ""


@frozen(kw_only=True)
class RateLimits:
    """How fast a forge lets itself be asked, where its answers do not tell; None where nothing is known.

    Args:
        concurrent: Requests at once.
        points: A minute; a read costs one, a write `write_points`.
        writes: A minute.
        write_points: What a write costs.
        free: Paths below the API's that cost nothing of the forge's limits, such as the one that tells them.
    """

    concurrent: int = 16
    points: int | None = None
    writes: int | None = None
    write_points: int = 5
    free: tuple[str, ...] = ()


@frozen(kw_only=True)
class Dialect:
    """How a forge speaks HTTP.

    Args:
        api: From the forge's URL to that of its REST API, without a slash at the end.
        graphql: From the forge's URL to that of its GraphQL API; None where it has none.
        headers: Sent with every request, beside the token.
        paging: How the next page is found.
        page_size: The parameter for how many a page holds.
        map_error: From an answer that is no success to the error it means; None leaves it to the status. Whatever the
            error leaves out of `details` (forge, status, message) and of `retry_after` is added.
        gaps: From the headers of a list, with names in lower case, to why something is missing in it; empty where
            nothing is. It becomes the listing's `cut`.
        rate_limits: How fast it may be asked.
    """

    api: Callable[[str], str] = str
    graphql: Callable[[str], str] | None = None
    headers: Mapping[str, str] = Factory(dict)
    paging: Paging = Paging.NUMBERS
    page_size: str = "limit"
    map_error: Callable[[ErrorResponse], ForgeError | None] = by_status
    gaps: Callable[[Mapping[str, str]], str] = no_gaps
    rate_limits: RateLimits = RateLimits()
